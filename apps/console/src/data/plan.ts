import { queryOptions } from '@tanstack/react-query';
import { requireSaved } from '../graphql/mutation-result.ts';
import { requestGraphql } from '../graphql/request.ts';
import {
  PlanChangeset,
  type PlanChangesetMutation,
  type PlanChangesetMutationVariables,
} from '../graphql/review.graphql.ts';
import type { Drafts } from '../lib/draft.ts';
import { type DraftErrors, draftErrorsByKey } from '../lib/draft-errors.ts';
import { draftOperations, groupErrorsByDraft, isComplete } from '../lib/draft-operations.ts';
import type { ErrorEntry } from '../lib/operation-error.ts';
import { queryKeys } from './query-keys.ts';

export type ReviewedPlan = Extract<
  PlanChangesetMutation['planChangeset'],
  { readonly __typename: 'ChangesetPlanSaved' }
>['changesetPlan'];
export type PlannedEffect = ReviewedPlan['effectiveChanges'][number];

/** The plan of a set of drafts. */
export interface DraftsPlan {
  readonly plan: ReviewedPlan;
  readonly drafts: Drafts;
  readonly errors: DraftErrors;
  /** The rejections that belong to no single draft. */
  readonly otherErrors: readonly string[];
  /** The plan without the rejected drafts; null if no draft is rejected, or if there is no such plan. */
  readonly rest: DraftsPlan | null;
}

export type ChangesetOperations = PlanChangesetMutationVariables['input']['operations'];

/** The numbers that identify drafts and operations in query keys, because query keys must not contain secrets. */
const numbers = new WeakMap<Drafts | ChangesetOperations, number>();
let lastNumber = 0;
function identify(input: Drafts | ChangesetOperations): number {
  const number = numbers.get(input) ?? ++lastNumber;
  numbers.set(input, number);
  return number;
}

export const planKeys = queryKeys('plan', { isSeparate: true }, (all) => ({
  drafts: (drafts: Drafts) => [...all, identify(drafts)],
  operations: (operations: ChangesetOperations) => [...all, 'operations', identify(operations)],
  revert: (aim: object, onConflict: string) => [...all, 'revert', aim, onConflict],
}));

/** The query for the plan of drafts. The core plans again when a draft changes, and on request. */
export const planQuery = (drafts: Drafts) =>
  queryOptions({
    queryKey: planKeys.drafts(drafts),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => planDrafts(drafts, signal, ROUNDS_MAX),
  });

/** The maximum number of plans that are made to find the drafts that can be applied. */
const ROUNDS_MAX = 5;

/**
 * Plans drafts. If some are rejected, the core reports no effects, so the others are planned again without them. A rejection can hide
 * others of the same operation, so this is repeated.
 */
async function planDrafts(drafts: Drafts, signal: AbortSignal, rounds: number): Promise<DraftsPlan> {
  const plannedOperations = draftOperations(drafts);
  const plan = await planOperations(
    plannedOperations.map(({ operation }) => operation),
    signal,
  );
  const { byKey, others: otherErrors } = groupErrorsByDraft(
    plannedOperations,
    plan.rejectedOperations.flatMap(listErrors),
  );
  const errors = draftErrorsByKey(drafts, byKey);
  const otherDrafts = new Map([...drafts].filter(([key]) => !errors.has(key)));
  const canPlanOthers = errors.size > 0 && rounds > 1 && [...otherDrafts.values()].some(isComplete);
  if (!canPlanOthers) return { plan, drafts, errors, otherErrors, rest: null };
  const restPlan = await planDrafts(otherDrafts, signal, rounds - 1);
  return {
    plan,
    drafts,
    errors: new Map([...errors, ...restPlan.errors]),
    otherErrors,
    rest: restPlan.plan.totals.rejectedOperations === 0 ? restPlan : restPlan.rest,
  };
}

/** The query for the plan of operations. Each array is planned once. */
export const operationsPlanQuery = (operations: ChangesetOperations) =>
  queryOptions({
    queryKey: planKeys.operations(operations),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => planOperations(operations, signal),
  });

/** Returns the plan of operations, including rejected ones. Throws `RequestError` if no plan is possible. */
export async function planOperations(operations: ChangesetOperations, signal?: AbortSignal): Promise<ReviewedPlan> {
  const { planChangeset: result } = await requestGraphql(PlanChangeset, { input: { operations } }, signal);
  return requireSaved(result).changesetPlan;
}

/** Returns the errors of a rejected operation. */
export function listErrors(rejectedOperation: ReviewedPlan['rejectedOperations'][number]): readonly ErrorEntry[] {
  return rejectedOperation.errors ?? [rejectedOperation];
}

/** Returns a key of the cell of a planned effect. */
export const effectKey = ({
  projectName,
  environmentName,
  parameterName,
}: Pick<PlannedEffect, 'projectName' | 'environmentName' | 'parameterName'>): string =>
  [projectName, environmentName, parameterName].join('\n');

/** The difference between the reviewed plan and a newer one. */
export interface ReviewDifference {
  /** The keys of new and changed effects. */
  readonly changed: ReadonlySet<string>;
  readonly vanished: readonly PlannedEffect[];
}

export function planDifference(seenPlan: ReviewedPlan, now: ReviewedPlan): ReviewDifference {
  const comparedContent = ({ before, after, kind, problem }: PlannedEffect) =>
    JSON.stringify([kind, before, after, problem]);
  const before = new Map(seenPlan.effectiveChanges.map((effect) => [effectKey(effect), comparedContent(effect)]));
  const after = new Set(now.effectiveChanges.map(effectKey));
  return {
    changed: new Set(
      now.effectiveChanges.filter((effect) => before.get(effectKey(effect)) !== comparedContent(effect)).map(effectKey),
    ),
    vanished: seenPlan.effectiveChanges.filter((effect) => !after.has(effectKey(effect))),
  };
}

/** Groups effects by project and environment. Projects are sorted by name, environments in the order of `environments`. */
export function compareByCell(effects: readonly PlannedEffect[], environments: readonly { readonly name: string }[]) {
  const groups = Map.groupBy(effects, ({ projectName, environmentName }) => `${projectName}\n${environmentName}`);
  const places = new Map(environments.map(({ name }, at) => [name, at]));
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      return first ? [{ projectName: first.projectName, environmentName: first.environmentName, effects: group }] : [];
    })
    .sort(
      (left, right) =>
        left.projectName.localeCompare(right.projectName) ||
        (places.get(left.environmentName) ?? 0) - (places.get(right.environmentName) ?? 0),
    );
}

/** Returns the keys of effects in cells that the operations write, without inherited effects. */
export const writtenCellKeys = (drafts: Drafts): ReadonlySet<string> =>
  new Set([...drafts.values()].map((draft) => effectKey({ ...draft, parameterName: draft.name })));
