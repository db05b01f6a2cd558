import type { Effective, Explanation, Page } from '@strata/contract';
import {
  applying,
  applyToModel,
  type ConfigurationModel,
  candidates,
  canReadEnvironment,
  canReadProject,
  effective,
  keyed,
  MODEL_NAMES,
  ModelInService,
  modelPlans,
  type RawClient,
  type RunningCore,
  SECRET_MARK,
  sharedCore,
  visible,
  visibleNames,
} from '@strata/testkit';
import fc from 'fast-check';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

interface Moment {
  readonly model: ConfigurationModel;
  readonly revision: number;
}

/** One name in one project and environment, by their keys. */
interface Place {
  readonly project: string;
  readonly environment: string;
  readonly name: string;
}

const placesOf = ({ projects, environments }: ConfigurationModel): Place[] =>
  projects.flatMap(({ key: project }) =>
    environments.flatMap(({ key: environment }) => MODEL_NAMES.map((name) => ({ project, environment, name }))),
  );

/** What is there, in one text: absent, unset, null, or the text. */
function contentOf(model: ConfigurationModel, { project, environment, name }: Place): string {
  const isThere =
    model.projects.some(({ key }) => key === project) && model.environments.some(({ key }) => key === environment);
  if (!isThere || !visible(model, project, name)) return 'absent';
  const found = effective(model, project, environment, name);
  return found === undefined ? 'unset' : JSON.stringify(found.text);
}

/** The revision of the last step after which the model's answer was another one. */
function sinceOf(moments: readonly Moment[], place: Place): number | null {
  const changed = moments.findLast(
    ({ model }, at) => at > 0 && contentOf(model, place) !== contentOf((moments[at - 1] as Moment).model, place),
  );
  return changed?.revision ?? null;
}

function nextOf(model: ConfigurationModel, { project, environment, name }: Place) {
  const winner = applying(model, project, environment, name);
  if (!winner) return null;
  const { parameter, environment: where } = winner;
  const after = applyToModel(model, { kind: 'delete value', parameter, environment: where });
  const next = effective(after, project, environment, name);
  return next ? { state: next.text === null ? 'null' : 'set', value: next.text } : { state: 'unset', value: null };
}

const explain = async (
  client: RawClient,
  service: ModelInService,
  { project, environment, name }: Place,
  more = '',
) => {
  const path = `projects/${service.id(project)}/explain/?environment=${service.id(environment)}&name=${name}${more}`;
  const { status, body, text } = await client.get<Page<Explanation>>(path);
  return { status, text, explanation: body?.results?.[0] };
};

/** What the owner is told about a cell, in the model's words. */
function expectedOf(service: ModelInService, model: ConfigurationModel, place: Place) {
  const { project, environment, name } = place;
  const winner = applying(model, project, environment, name);
  const text = effective(model, project, environment, name);
  return {
    winner: winner && {
      value: text?.text,
      secret: text?.secret,
      parameter_id: service.id(winner.parameter),
      project_id: service.id(keyed(model.parameters, winner.parameter).project),
      environment_id: service.id(winner.environment),
    },
    candidates: candidates(model, project, environment, name).map(({ value, ...each }) => ({
      project: service.id(each.project),
      environment: service.id(each.environment),
      parameter: each.parameter && service.id(each.parameter),
      state: value ? (value.text === null ? 'null' : 'set') : 'unset',
      wins: value !== undefined && value === winner,
    })),
    next: nextOf(model, place) ?? undefined,
  };
}

function summaryOf({ winner, candidates: listed, next }: Explanation) {
  return {
    winner: winner
      ? {
          value: winner.value,
          secret: winner.secret,
          parameter_id: winner.parameter_id,
          project_id: winner.project_id,
          environment_id: winner.environment_id,
        }
      : undefined,
    candidates: listed?.map((each) => ({
      project: each.project_id,
      environment: each.environment_id,
      parameter: each.parameter_id,
      state: each.state,
      wins: each.wins,
    })),
    next: next ? { state: next.state, value: next.value?.value ?? null } : undefined,
  };
}

async function compareCell(service: ModelInService, moments: readonly Moment[], place: Place, then = '') {
  const { model } = moments.at(-1) as Moment;
  const { explanation, text } = await explain(service.organization.owner, service, place, then);
  if (!explanation) throw new Error(`There is no answer for ${JSON.stringify(place)}: ${text}`);
  if (!visible(model, place.project, place.name)) {
    expect(explanation).toMatchObject({ winner: null, next: null, candidates: null, since: null, parameter_id: null });
    expect(['never_made', 'other_project', 'deleted', 'renamed']).toContain(explanation.reason?.code);
    return;
  }
  expect({ place, ...summaryOf(explanation) }).toEqual({ place, ...expectedOf(service, model, place) });
  const { since } = explanation;
  expect({ place, since: since?.revision, exact: since?.exact, actor: since?.actor_type }).toEqual({
    place,
    since: sinceOf(moments, place),
    exact: true,
    actor: 'interactive',
  });
}

/** The page of all names is what each of them is told alone, and what programs read. */
async function comparePage(service: ModelInService, model: ConfigurationModel, project: string, environment: string) {
  const { owner } = service.organization;
  const query = `environment=${service.id(environment)}`;
  const path = `projects/${service.id(project)}`;
  const [page, map] = [
    await owner.get<Page<Explanation>>(`${path}/explain/?${query}&include=since`),
    await owner.get<Effective>(`${path}/effective/?${query}`),
  ];
  const shown = page.body.results.flatMap(({ name, winner }) => (winner ? [[name, winner.value]] : []));
  expect(Object.fromEntries(shown)).toEqual(map.body.values);
  expect(page.body.results.map(({ name }) => name).sort()).toEqual(visibleNames(model, project).sort());
  for (const row of page.body.results) {
    const { explanation } = await explain(owner, service, { project, environment, name: row.name });
    const { winner, next, since, reason } = explanation as Explanation;
    expect({ ...row, winner, next, since, reason }).toEqual(row);
  }
}

/** Who has no access to a scope sees the text that applies, and of everything else in it only that it is closed. */
async function compareReader(service: ModelInService, model: ConfigurationModel, place: Place) {
  const { status, explanation, text } = await explain(service.reader, service, place, '&mask_secrets=true');
  const { project, environment, name } = place;
  if (!canReadProject(model, project) || !canReadEnvironment(model, environment)) {
    expect(status).toBe(403);
    return;
  }
  expect(text).not.toContain(SECRET_MARK);
  if (!visible(model, project, name)) return;
  const winner = applying(model, project, environment, name);
  expect(explanation?.candidates?.map(({ state, value_id: id }) => [state, id !== null])).toEqual(
    candidates(model, project, environment, name).map(({ value, ...where }) => {
      const isOpen = canReadProject(model, where.project) && canReadEnvironment(model, where.environment);
      if (!isOpen && value !== winner) return ['closed', false];
      if (!isOpen && value === undefined) return ['closed', false];
      return [value ? (value.text === null ? 'null' : 'set') : 'unset', value !== undefined];
    }),
  );
}

it('says of every cell what applies, in which order it was found, what would be next, and since when', async () => {
  const plans = await modelPlans({ steps: 24, access: true });
  await fc.assert(
    fc.asyncProperty(plans, fc.nat(), async ({ steps }, picked) => {
      const service = await ModelInService.begin(await core.organization());
      const moments: Moment[] = [{ model: service.state, revision: 0 }];
      for (const step of steps) {
        const { revision } = await service.apply(step);
        moments.push({ model: service.state, revision });
      }
      const { model } = moments.at(-1) as Moment;
      for (const place of placesOf(model)) {
        await compareCell(service, moments, place);
        await compareReader(service, model, place);
      }
      for (const { key: project } of model.projects) {
        for (const { key: environment } of model.environments) {
          await comparePage(service, model, project, environment);
        }
      }
      const until = 1 + (picked % (moments.length - 1));
      const earlier = moments.slice(0, until + 1);
      const then = earlier.at(-1) as Moment;
      for (const place of placesOf(then.model)) {
        await compareCell(service, earlier, place, `&revision=${then.revision}`);
      }
    }),
    { numRuns: 3, endOnFailure: true },
  );
}, 120_000);
