import type { Effective, Explanation } from '@strata/contract';
import {
  applyToModel,
  type ConfigurationModel,
  canReadEnvironment,
  canReadProject,
  countCases,
  evaluateEffective,
  findByKey,
  findEffectiveValue,
  findVisibleParameter,
  listCandidates,
  listVisibleNames,
  MODEL_NAMES,
  type ModelCell,
  type ModelInService,
  modelPlans,
  type RunningCore,
  SECRET_MARK,
  sharedCore,
} from '@strata/testkit';
import fc from 'fast-check';
import { createExplainedOrganization, explainAll, explainCell, modelCells } from '../../testing/explain-model.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

function nextInModel(model: ConfigurationModel, { project, environment, name }: ModelCell) {
  const winner = findEffectiveValue(model, project, environment, name);
  if (!winner) return null;
  const { parameter, environment: where } = winner;
  const after = applyToModel(model, { kind: 'delete value', parameter, environment: where });
  const next = evaluateEffective(after, project, environment, name);
  return next ? { state: next.text === null ? 'null' : 'set', value: next.text } : { state: 'unset', value: null };
}

/** Returns the explanation of a cell that the owner should get, computed from the model. */
function expectedSummary(service: ModelInService, model: ConfigurationModel, cell: ModelCell) {
  const { project, environment, name } = cell;
  const winner = findEffectiveValue(model, project, environment, name);
  const text = evaluateEffective(model, project, environment, name);
  return {
    winner: winner && {
      value: text?.text,
      secret: text?.secret,
      parameter_id: service.id(winner.parameter),
      project_id: service.id(findByKey(model.parameters, winner.parameter).project),
      environment_id: service.id(winner.environment),
    },
    candidates: listCandidates(model, project, environment, name).map(({ value, ...each }) => ({
      project: service.id(each.project),
      environment: service.id(each.environment),
      parameter: each.parameter && service.id(each.parameter),
      state: value ? (value.text === null ? 'null' : 'set') : 'unset',
      wins: value !== undefined && value === winner,
    })),
    next: nextInModel(model, cell) ?? undefined,
  };
}

function summarize({ winner, candidates: listed, next }: Explanation) {
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
    candidates: listed?.map((candidate) => ({
      project: candidate.project_id,
      environment: candidate.environment_id,
      parameter: candidate.parameter_id,
      state: candidate.state,
      wins: candidate.wins,
    })),
    next: next ? { state: next.state, value: next.value?.value ?? null } : undefined,
  };
}

async function compareCell(service: ModelInService, model: ConfigurationModel, cell: ModelCell, then = '') {
  const { explanation, text } = await explainCell(service.organization.owner, service, cell, then);
  if (!explanation) throw new Error(`There is no answer for ${JSON.stringify(cell)}: ${text}`);
  if (!findVisibleParameter(model, cell.project, cell.name)) {
    expect(explanation).toMatchObject({ winner: null, next: null, candidates: null, since: null, parameter_id: null });
    expect(['never_made', 'other_project', 'deleted', 'renamed', 'no_longer_inherited']).toContain(
      explanation.reason?.code,
    );
    return explanation;
  }
  expect({ cell, ...summarize(explanation) }).toEqual({ cell, ...expectedSummary(service, model, cell) });
  return explanation;
}

/** Compares the page of all names with the explanation of each name, and with the effective configuration. */
async function comparePage(
  service: ModelInService,
  model: ConfigurationModel,
  column: Pick<ModelCell, 'project' | 'environment'>,
  alone: readonly Explanation[],
) {
  const { project, environment } = column;
  const { owner } = service.organization;
  const page = (await explainAll(owner, service, column)) ?? [];
  const map = await owner.get<Effective>(`${service.url(project)}effective/?environment=${service.id(environment)}`);
  const winningTexts = page.flatMap(({ name, winner }) => (winner ? [[name, winner.value]] : []));
  expect(Object.fromEntries(winningTexts)).toEqual(map.body.values);
  expect(page.map(({ name }) => name).sort()).toEqual(listVisibleNames(model, project).sort());
  for (const row of page) {
    const { winner, next, since, reason } = alone.find(({ name }) => name === row.name) as Explanation;
    expect({ ...row, winner, next, since, reason }).toEqual(row);
  }
}

/**
 * Checks that a caller without access to a scope gets the effective text, and otherwise only learns that the scope is
 * forbidden.
 */
async function compareReader(service: ModelInService, model: ConfigurationModel, cell: ModelCell) {
  const { status, explanation, text } = await explainCell(service.reader, service, cell, '&mask_secrets=true');
  const { project, environment, name } = cell;
  if (!canReadProject(model, project) || !canReadEnvironment(model, environment)) {
    expect(status).toBe(403);
    return;
  }
  expect(text).not.toContain(SECRET_MARK);
  if (!findVisibleParameter(model, project, name)) return;
  const winner = findEffectiveValue(model, project, environment, name);
  expect(explanation?.candidates?.map(({ state, value_id: id }) => [state, id !== null])).toEqual(
    listCandidates(model, project, environment, name).map(({ value, ...where }) => {
      const isOpen = canReadProject(model, where.project) && canReadEnvironment(model, where.environment);
      if (!isOpen && value !== winner) return ['closed', false];
      if (!isOpen && value === undefined) return ['closed', false];
      return [value ? (value.text === null ? 'null' : 'set') : 'unset', value !== undefined];
    }),
  );
}

it('explain reports for every cell the effective value, the order of the lookups, and the value that would be next', async () => {
  const plans = await modelPlans({ steps: 24, access: true });
  await fc.assert(
    fc.asyncProperty(plans, fc.nat(), async ({ steps }, picked) => {
      const { service, pointsInTime, model } = await createExplainedOrganization(core, steps);
      for (const { key: project } of model.projects) {
        for (const { key: environment } of model.environments) {
          const alone: Explanation[] = [];
          for (const name of MODEL_NAMES) {
            const cell = { project, environment, name };
            alone.push(await compareCell(service, model, cell));
            await compareReader(service, model, cell);
          }
          await comparePage(service, model, { project, environment }, alone);
        }
      }
      const then = pointsInTime[1 + (picked % (pointsInTime.length - 1))];
      if (!then) return;
      const cells = modelCells(then.model).filter((_, index) => index % 4 === picked % 4);
      for (const cell of cells) await compareCell(service, then.model, cell, `&revision=${then.revision}`);
    }),
    { numRuns: countCases(4), endOnFailure: true },
  );
});
