import type { Effective, Environment, Page, Parameter, Project, Value } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import fc from 'fast-check';
import { GraphQLStack } from './graphql-stack.ts';
import { type Cell, effective, visible, visibleNames, type World } from './resolution-model.ts';
import { after, type Plan, plans, stored } from './resolution-worlds.ts';

let stack: GraphQLStack;
beforeAll(async () => {
  stack = await GraphQLStack.start();
}, 90_000);
afterAll(() => stack.close());

/** The model's world, built in the service. */
interface Built {
  readonly house: TestOrganization;
  readonly environments: readonly Environment[];
  readonly projects: readonly Project[];
  readonly parameters: readonly Parameter[];
}

/** The world as it was after some step, and the query that asks for that moment. */
interface Then {
  readonly world: World;
  readonly query: string;
}

async function build({ world }: Plan): Promise<Built> {
  const house = await stack.organization();
  const environments = [await house.environmentNamed('default')];
  for (const { name, parent } of world.environments.slice(1)) {
    environments.push(await house.environment({ name, parent: environments[parent ?? 0]?.url ?? null }));
  }
  const projects: Project[] = [];
  for (const { name, dependsOn } of world.projects) {
    projects.push(
      await house.project({ name, depends_on: dependsOn === null ? null : (projects[dependsOn]?.url ?? '') }),
    );
  }
  const parameters: Parameter[] = [];
  for (const { name, project, secret } of world.parameters) {
    parameters.push(await house.parameter({ name, secret, project: projects[project] as Project }));
  }
  return { house, environments, projects, parameters };
}

/** Does every step, and tells the moments in between. */
async function act({ house, environments, parameters }: Built, { world: start, steps }: Plan): Promise<Then[]> {
  const values = new Map<string, Value>();
  const moments: Then[] = [];
  let world = start;
  for (const step of steps) {
    const parameter = parameters[step.parameter] as Parameter;
    const key = `${step.parameter} ${step.environment}`;
    const known = values.get(key);
    const wanted = stored(world, step);
    if (!wanted && !known) continue;
    const environment = environments[step.environment]?.id ?? '';
    const body = { internal_value: wanted?.text, interpolated: wanted?.dynamic };
    const reply = !wanted
      ? await house.owner.delete(known?.url ?? '')
      : known
        ? await house.owner.patch<Value>(known.url, body)
        : await house.owner.post<Value>(`${parameter.url}values/`, { environment, ...body });
    expect([reply.status, reply.status < 300 ? '' : reply.text]).toEqual([wanted ? (known ? 200 : 201) : 204, '']);
    world = after(world, step);
    if (wanted) values.set(key, reply.body as Value);
    else values.delete(key);
    const instant = wanted && (reply.body as Value).modified_at;
    moments.push({ world, query: instant ? `as_of=${instant}` : `revision=${reply.headers['x-revision']}` });
  }
  return moments;
}

type Row = Record<string, string | null>;

function expected(world: World, project: number, environment: number, show: (cell: Cell) => string | null): Row {
  const rows = visibleNames(world, project).flatMap((name) => {
    const cell = effective(world, project, environment, name);
    return cell ? [[name, show(cell)] as const] : [];
  });
  return Object.fromEntries(rows);
}

const clear = ({ text }: Cell) => text;
const masked = ({ text, secret }: Cell) => (secret && text !== null ? '*****' : text);

/** Compares every cell of one world with everything that the service says about it at that moment. */
async function compare(built: Built, { world, query }: Then): Promise<void> {
  const { house, projects, environments } = built;
  for (const [p, project] of projects.entries()) {
    const everywhere = await house.owner.get<Page<Parameter>>(`${project.url}parameters/?${query}`);
    expect(everywhere.status).toBe(200);
    for (const [e, environment] of environments.entries()) {
      const question = `environment=${environment.id}&${query}`;
      const want = expected(world, p, e, clear);
      const hidden = expected(world, p, e, masked);
      const [map, mapHidden, list, listHidden] = await Promise.all([
        house.owner.get<Effective>(`${project.url}effective/?${question}`),
        house.owner.get<Effective>(`${project.url}effective/?${question}&mask_secrets=true`),
        house.owner.get<Page<Parameter>>(`${project.url}parameters/?${question}`),
        house.owner.get<Page<Parameter>>(`${project.url}parameters/?${question}&mask_secrets=true`),
      ]);
      expect({
        map: map.body.values,
        list: rowOf(list.body, environment),
        all: rowOf(everywhere.body, environment),
      }).toEqual({
        map: want,
        list: want,
        all: want,
      });
      expect({ map: mapHidden.body.values, list: rowOf(listHidden.body, environment) }).toEqual({
        map: hidden,
        list: hidden,
      });
    }
  }
}

function rowOf({ results }: Page<Parameter>, environment: Environment): Row {
  return Object.fromEntries(
    results.flatMap(({ name, values }) => {
      const value = values[environment.url];
      return value ? [[name, value.value] as const] : [];
    }),
  );
}

/** What only the present is asked: single parameters, and the other doors. */
async function compareNow(built: Built, world: World): Promise<void> {
  const { house, projects, environments, parameters } = built;
  for (const [p, project] of projects.entries()) {
    for (const [e, environment] of environments.entries()) {
      const want = expected(world, p, e, clear);
      for (const name of visibleNames(world, p)) {
        const { id } = parameters[visible(world, p, name) ?? -1] as Parameter;
        const one = await house.owner.get<Parameter>(`${project.url}parameters/${id}/?environment=${environment.id}`);
        expect(rowOf({ results: [one.body] } as never, environment)).toEqual(
          name in want ? { [name]: want[name] } : {},
        );
      }
      const { data, errors } = await stack.ask(
        'query ($p: ID!, $e: ID!) { effective(projectId: $p, environmentId: $e, reveal: true) { map } }',
        { p: project.id, e: environment.id },
        house.ownerAuthorization,
      );
      expect(errors).toBeUndefined();
      expect(data.effective.map).toEqual(want);
    }
  }
}

it('every door shows in every cell, now and then, what the contract says in a few lines', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const built = await build(plan);
      const moments = await act(built, plan);
      const last = moments.at(-1);
      if (!last) return;
      await compare(built, { world: last.world, query: '' });
      for (const moment of moments.filter((_, index) => index % 5 === 2)) await compare(built, moment);
      await compareNow(built, last.world);
    }),
    { numRuns: 12 },
  );
}, 120_000);
