import type { Difference, Differences, Effective, Matrix, MatrixCell, Parameter } from '@strata/contract';
import {
  applying,
  type ConfigurationModel,
  candidates,
  canReadEnvironment,
  canReadProject,
  effective,
  keyed,
  type ModelCandidate,
  ModelInService,
  type ModelValue,
  mentionsOf,
  modelPlans,
  type RawClient,
  SECRET_MARK,
  visible,
  visibleNames,
} from '@strata/testkit';
import fc from 'fast-check';
import { type GraphQLDoor, sharedGraphQL } from './graphql-access.ts';

let stack: GraphQLDoor;
beforeAll(async () => {
  stack = await sharedGraphQL();
}, 90_000);

/** One name in one environment, as the model has it. */
interface Place {
  readonly project: string;
  readonly environment: string;
  readonly name: string;
}

const MASKED = '*****';

/** What a cell must say, in the words of the issue; worked out from the model alone. */
function cellOf(model: ConfigurationModel, place: Place, isOwner: boolean): MatrixCell {
  const { project, environment, name } = place;
  if (!isOwner && !canReadEnvironment(model, environment)) return { states: ['closed'] };
  const value = applying(model, project, environment, name);
  const text = seenBy(model, place, isOwner);
  const differs = differsFromParent(model, place, isOwner) ? (['differs'] as const) : [];
  if (!text || !value) return { states: ['missing', ...differs] };
  const owner = keyed(model.parameters, value.parameter);
  const [first] = candidates(model, project, environment, name);
  const isOwn = first?.value === value;
  const isDynamic = value.dynamic && value.text !== null;
  return {
    states: [
      isOwn ? 'own' : 'inherited',
      ...(value.text === null ? (['null'] as const) : []),
      ...(text.secret ? (['secret'] as const) : []),
      ...(isDynamic ? (['dynamic'] as const) : []),
      ...differs,
      ...(isOwn && isRedundant(model, place, isOwner) ? (['redundant'] as const) : []),
    ],
    text: text.secret && text.text !== null ? MASKED : text.text,
    ...(isDynamic && { raw: value.text ?? '' }),
    ...(value.environment !== environment && {
      environment_name: keyed(model.environments, value.environment).name,
    }),
    ...(owner.project !== project && { project_name: keyed(model.projects, owner.project).name }),
  };
}

/** The text that applies, as somebody sees it: what depends on a closed project is masked like a secret. */
function seenBy(model: ConfigurationModel, { project, environment, name }: Place, isOwner: boolean) {
  const value = applying(model, project, environment, name);
  if (!isOwner && value && isClosedText(model, value, environment)) return { text: MASKED, secret: true };
  return effective(model, project, environment, name);
}

/** What somebody may compare: texts that are shown, and of hidden ones what they are made of. */
function comparable(model: ConfigurationModel, { project, environment, name }: Place, isOwner: boolean): string {
  const text = effective(model, project, environment, name);
  const value = applying(model, project, environment, name);
  if (!text || !value) return 'nothing';
  if (!isOwner && isClosedText(model, value, environment)) return `closed ${value.text}`;
  if (!text.secret || text.text === null) return JSON.stringify(text.text);
  return `made of ${JSON.stringify(ingredientsOf(model, value, environment))}`;
}

const OWN_WORDS = /\{\{ strata\.(?:environment|project) \}\}/;

/** What a text is made of: the texts that it needs, and of secrets which value it is. */
function ingredientsOf(model: ConfigurationModel, value: ModelValue, environment: string): unknown {
  const { project, secret } = keyed(model.parameters, value.parameter);
  if (!value.dynamic || value.text === null) {
    return secret && value.text !== null ? [value.parameter, value.environment] : [value.text];
  }
  const place = OWN_WORDS.test(value.text) ? [environment, project] : [];
  const needed = mentionsOf(model, { project, text: value.text }).map(({ project: scope, name }) =>
    applying(model, scope, environment, name),
  );
  return [value.text, place, needed.map((found) => (found ? ingredientsOf(model, found, environment) : null))];
}

/** Whether a text names a project that is closed to the reader, or needs one that does. */
function isClosedText(model: ConfigurationModel, value: ModelValue, environment: string): boolean {
  if (!value.dynamic || value.text === null) return false;
  const { project } = keyed(model.parameters, value.parameter);
  return mentionsOf(model, { project, text: value.text }).some((mention) => {
    if (mention.named && !canReadProject(model, mention.project)) return true;
    const found = applying(model, mention.project, environment, mention.name);
    return found !== undefined && isClosedText(model, found, environment);
  });
}

function differsFromParent(model: ConfigurationModel, place: Place, isOwner: boolean): boolean {
  const { parent } = keyed(model.environments, place.environment);
  if (parent === null || (!isOwner && !canReadEnvironment(model, parent))) return false;
  return comparable(model, place, isOwner) !== comparable(model, { ...place, environment: parent }, isOwner);
}

/** Whether the next candidate says the same, as far as everything up to there is open. */
function isRedundant(model: ConfigurationModel, { project, environment, name }: Place, isOwner: boolean): boolean {
  const isClosed = (candidate: ModelCandidate) =>
    !isOwner && !(canReadEnvironment(model, candidate.environment) && canReadProject(model, candidate.project));
  const places = candidates(model, project, environment, name);
  const at = places.findIndex(({ parameter }) => parameter !== null);
  const own = places[at];
  const next = places.slice(at + 1).find((candidate) => isClosed(candidate) || candidate.value !== undefined);
  if (!own?.value || !next?.value || isClosed(next)) return false;
  const [one, other] = [own.value, next.value];
  const [parameter, farther] = [keyed(model.parameters, one.parameter), keyed(model.parameters, other.parameter)];
  if (one.text !== other.text || one.dynamic !== other.dynamic || parameter.secret || farther.secret) return false;
  return !one.dynamic || parameter.key === farther.key;
}

/** The members that the model knows of. */
function told({ value_id: _, ledger_id: __, expires_at: ___, ...cell }: MatrixCell): MatrixCell {
  return cell;
}

const byName = (model: ConfigurationModel, project: string) => visibleNames(model, project).sort();

/** Compares every cell of every project with the model, and with what programs are given. */
async function compare(
  service: ModelInService,
  model: ConfigurationModel,
  query: string,
  isOwner: boolean,
): Promise<void> {
  const client: RawClient = isOwner ? service.organization.owner : service.reader;
  for (const { key: project } of model.projects) {
    const { status, body, text } = await client.get<Matrix>(`${service.url(project)}matrix/?${query}`);
    if (!isOwner && !canReadProject(model, project)) {
      expect(status).toBe(403);
      continue;
    }
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    expect(text).not.toContain(SECRET_MARK);
    expect(body.results.map(({ name }) => name).sort()).toEqual(byName(model, project));
    for (const { name, cells, project_id: owner, secret } of body.results) {
      const shown = visible(model, project, name);
      expect([owner, secret]).toEqual([service.id(shown?.project ?? ''), shown?.secret]);
      const environments = body.environments.map(({ id }) =>
        model.environments.find(({ key }) => service.id(key) === id),
      );
      const expected = environments.map((environment) =>
        cellOf(model, { project, environment: environment?.key ?? '', name }, isOwner),
      );
      expect({ name, query, cells: cells.map(told) }).toEqual({ name, query, cells: expected });
    }
    for (const [at, { id, closed }] of body.environments.entries()) {
      if (closed) continue;
      const map = await client.get<Effective>(
        `${service.url(project)}effective/?environment=${id}&mask_secrets=true&${query}`,
      );
      const texts = body.results.flatMap(({ name, cells }) =>
        cells[at]?.text === undefined ? [] : [[name, cells[at].text]],
      );
      expect(Object.fromEntries(texts)).toEqual(map.body.values);
    }
  }
}

/** Sets some values once more in environments below, in the same words. */
async function repeatBelow(service: ModelInService): Promise<void> {
  const { values, environments } = service.state;
  for (const { parameter, environment, text, dynamic } of values.slice(-6)) {
    const below = environments.find(({ parent }) => parent === environment)?.key;
    const isFree = service.state.values.every((each) => each.parameter !== parameter || each.environment !== below);
    if (below !== undefined && isFree) {
      await service.apply({ kind: 'set value', parameter, environment: below, text, dynamic });
    }
  }
}

/** Takes away one redundant value after the other: nothing that anybody reads changes. */
async function removeRedundant(service: ModelInService): Promise<number> {
  const { owner } = service.organization;
  let removed = 0;
  for (const { key: project } of service.state.projects) {
    const read = async () => (await owner.get<Matrix>(`${service.url(project)}matrix/`)).body;
    const before = await read();
    for (const row of before.results) {
      for (const [at, cell] of row.cells.entries()) {
        if (!cell.states.includes('redundant')) continue;
        const environment = before.environments[at];
        const found = service.state.parameters.find(({ key }) => service.id(key) === row.parameter_id)?.key ?? '';
        const where = service.state.environments.find(({ key }) => service.id(key) === environment?.id)?.key ?? '';
        await service.apply({ kind: 'delete value', parameter: found, environment: where });
        removed += 1;
        const after = await read();
        const seen = (matrix: Matrix) =>
          matrix.results.map(({ name: each, cells: shown }) => [each, shown.map(({ text, raw }) => [text, raw])]);
        expect(seen(after)).toEqual(seen(before));
      }
    }
  }
  return removed;
}

/** Everything that reads differently in two environments, name by name. */
function differencesOf(model: ConfigurationModel, project: string, left: string, right: string): string[] {
  return byName(model, project).filter(
    (name) =>
      comparable(model, { project, environment: left, name }, true) !==
      comparable(model, { project, environment: right, name }, true),
  );
}

const UNCHANGEABLE = ['nothing', 'impossible', 'copy_secret'];

/** Sets on the right what the comparison says; then the two read the same, but for secrets and what cannot be done there. */
async function promote(service: ModelInService, project: string, left: string, right: string): Promise<void> {
  const { owner } = service.organization;
  const path = `${service.url(project)}compare/?left=${service.id(left)}&right=${service.id(right)}`;
  const read = async () => (await owner.get<Differences>(path)).body.results;
  // a text may refer to a name that differs itself, so that the second reading can find it equal or not
  for (const difference of await read()) await setAs(service, project, right, difference);
  for (const { name, cells } of await read()) {
    for (const { left: one, right: other, to_set: rest } of cells) {
      const isSecret = [...one.states, ...other.states].includes('secret');
      const isDynamic = [...one.states, ...other.states].includes('dynamic');
      expect([name, rest?.action, isSecret || isDynamic || UNCHANGEABLE.includes(rest?.action ?? '')]).toEqual([
        ...[name, rest?.action, true],
      ]);
    }
  }
}

async function setAs(service: ModelInService, project: string, right: string, { name, left, cells }: Difference) {
  const { owner } = service.organization;
  const [cell] = cells;
  if (!cell?.to_set) throw new Error(`${name} is not told how to be set.`);
  const { action, text, interpolated, value_id: valueId } = cell.to_set;
  if (UNCHANGEABLE.includes(action)) return;
  let { parameter_id: parameterId } = cell.to_set;
  if (parameterId === undefined) {
    const input = { name, type: left?.type, secret: left?.secret };
    const made = await owner.post<Parameter>(`${service.url(project)}parameters/`, input);
    expect([made.status, made.status === 201 ? '' : made.text]).toEqual([201, '']);
    parameterId = made.body.id;
  }
  const values = `${service.url(project)}parameters/${parameterId}/values/`;
  const body = { internal_value: text, interpolated };
  const reply =
    action === 'unset'
      ? await owner.delete(`${values}${valueId}/`)
      : valueId === undefined
        ? await owner.post(values, { environment: service.id(right), ...body })
        : await owner.patch(`${values}${valueId}/`, body);
  expect([reply.status, reply.status < 300 ? '' : reply.text]).toEqual([expect.any(Number), '']);
}

/** The same cells through the other door. */
async function compareGraphQL(service: ModelInService): Promise<void> {
  const { organization, state } = service;
  const document = `query ($id: ID!) { project(id: $id) { matrix(first: 50) {
    environments { id name parentId closed }
    edges { node { name parameterId projectId projectName type description secret expires cells {
      states text raw problem environmentName projectName valueId ledgerId expiresAt } } } } } }`;
  for (const { key } of state.projects) {
    const { data, errors } = await stack.request(document, { id: service.id(key) }, organization.ownerAuthorization);
    expect(errors).toBeUndefined();
    const { body } = await organization.owner.get<Matrix>(`${service.url(key)}matrix/`);
    expect(data.project.matrix.environments).toEqual(body.environments.map(inCamel));
    const rows = data.project.matrix.edges.map(({ node }: { node: { cells: { states: string[] }[] } }) => ({
      ...node,
      // the language keeps the word `null` for itself
      cells: node.cells.map((cell) =>
        withoutNulls({ ...cell, states: cell.states.map((state) => (state === 'NULL' ? 'null' : state)) }),
      ),
    }));
    expect(rows).toEqual(
      body.results.map((row) => ({ ...inCamel(row), cells: row.cells.map((cell) => withoutNulls(inCamel(cell))) })),
    );
  }
}

function inCamel(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

function withoutNulls(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

it('every cell says what the model says, to whoever may see everything and to who may not', async () => {
  const kinds: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(await modelPlans({ steps: 22, access: true }), async ({ steps: plan, models }) => {
      const service = await ModelInService.begin(await stack.organization());
      const applied = await service.applyAll(plan);
      await repeatBelow(service);
      const last = service.state;
      await compare(service, last, '', true);
      await compare(service, last, '', false);
      const halfway = Math.floor(plan.length / 2);
      const then = models[halfway + 1] as ConfigurationModel;
      await compare(service, then, `revision=${applied[halfway]?.revision}`, true);
      await compareGraphQL(service);
      for (const { key } of last.projects) {
        const { body } = await service.organization.owner.get<Matrix>(`${service.url(key)}matrix/`);
        for (const state of body.results.flatMap(({ cells }) => cells.flatMap((cell) => cell.states))) {
          kinds[state] = (kinds[state] ?? 0) + 1;
        }
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
  // the plans are worth something: every state occurs
  expect(Object.keys(kinds).sort()).toEqual([
    ...['differs', 'dynamic', 'inherited', 'missing', 'null', 'own', 'redundant', 'secret'],
  ]);
}, 240_000);

it('what is redundant can be taken away, and what a comparison says can be set', async () => {
  let removed = 0;
  await fc.assert(
    fc.asyncProperty(await modelPlans({ steps: 30 }), fc.nat(), fc.nat(), async ({ steps: plan }, one, other) => {
      const service = await ModelInService.begin(await stack.organization());
      await service.applyAll(plan);
      await repeatBelow(service);
      const last = service.state;
      const { owner } = service.organization;
      for (const { key: project } of last.projects) {
        const [left, right] = [
          last.environments[one % last.environments.length],
          last.environments[other % last.environments.length],
        ];
        if (!left || !right || left.key === right.key) continue;
        const { body } = await owner.get<Differences>(
          `${service.url(project)}compare/?left=${service.id(left.key)}&right=${service.id(right.key)}`,
        );
        expect(body.results.map(({ name }) => name).sort()).toEqual(differencesOf(last, project, left.key, right.key));
        expect(JSON.stringify(body)).not.toContain(SECRET_MARK);
      }
      removed += await removeRedundant(service);
      const [project] = last.projects;
      const [left, right] = [last.environments[0], last.environments.at(-1)];
      if (project && left && right && left.key !== right.key) {
        await promote(service, project.key, left.key, right.key);
        await promote(service, project.key, right.key, left.key);
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
  expect(removed).toBeGreaterThan(0);
}, 240_000);
