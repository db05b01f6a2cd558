import { queryOptions } from '@tanstack/react-query';
import { requestGraphql } from '../graphql/request.ts';
import { PlanReturn, PlanTakingBack } from '../graphql/review.graphql.ts';
import { saved } from '../graphql/saved.ts';
import { type AppliedReason, returnTo, revertChangeset } from './changesets.ts';
import { fieldsOf, planKeys, type ReviewedPlan } from './plan.ts';

/** What shall be as it was: all that a changeset did, or one thing as it was after a revision. */
export type RevertTarget =
  | { readonly kind: 'changeset'; readonly revision: string }
  | { readonly kind: 'moment'; readonly revision: number; readonly scope: RevertedScope };

/** One of these; a parameter by its id. */
export interface RevertedScope {
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  readonly parameter?: string | undefined;
}

/** What happens to objects that cannot be restored automatically. */
export type ConflictChoice = 'abort' | 'skip' | 'overwrite';

/** An object that cannot be restored automatically. */
export interface ListedConflict {
  readonly what: string | null;
  readonly name: string | null;
  readonly project: string | null;
  readonly environment: string | null;
  readonly code: string;
  readonly detail: string;
}

export interface RevertPlanResult {
  readonly plan: ReviewedPlan;
  readonly conflicts: readonly ListedConflict[];
  /** Other reasons why it cannot be done. */
  readonly refusals: readonly string[];
}

export const revertPlanQuery = (aim: RevertTarget, onConflict: ConflictChoice) =>
  queryOptions({
    queryKey: planKeys.revert(aim, onConflict),
    gcTime: 0,
    queryFn: async ({ signal }): Promise<RevertPlanResult> => {
      const { changesetPlan: plan } = saved(await planned(aim, onConflict, signal));
      const conflicts = plan.refusals.flatMap(({ error }) => conflictsIn(error));
      const others = plan.refusals.filter(({ error }) => conflictsIn(error).length === 0);
      return { plan, conflicts, refusals: others.flatMap(fieldsOf).map(({ message }) => message) };
    },
  });

async function planned(aim: RevertTarget, onConflict: ConflictChoice, signal: AbortSignal) {
  if (aim.kind === 'changeset') {
    const variables = { revision: aim.revision, input: { onConflict } };
    return (await requestGraphql(PlanTakingBack, variables, signal)).planChangesetRevert;
  }
  const input = { scope: aim.scope, to: { revision: aim.revision }, onConflict };
  return (await requestGraphql(PlanReturn, { input }, signal)).planRevert;
}

/** Carries out what was planned, or nothing; answers the revision that it made. Throws `RefusedWrite`. */
export function carryOut(
  aim: RevertTarget,
  onConflict: ConflictChoice,
  planHash: string,
  { message, externalRef }: AppliedReason,
): Promise<number> {
  const said = { onConflict, planHash, message: message || null, externalRef: externalRef || null };
  if (aim.kind === 'changeset') return revertChangeset({ revision: aim.revision, input: said });
  return returnTo({ scope: aim.scope, to: { revision: aim.revision }, ...said });
}

/** A refusal by conflicts has them in the words of the REST API. */
function conflictsIn(error: unknown): readonly ListedConflict[] {
  if (typeof error !== 'object' || error === null || !('conflicts' in error)) return [];
  const { conflicts } = error as { readonly conflicts: readonly Readonly<Record<string, string | null>>[] };
  return conflicts.map((conflict) => ({
    what: conflict.object_type ?? null,
    name: conflict.object_name ?? null,
    project: conflict.project_name ?? null,
    environment: conflict.environment_name ?? null,
    code: conflict.code ?? '',
    detail: conflict.detail ?? '',
  }));
}

/** What can be lost by overwriting; whatever else stands against a revert is not helped by that. */
const OVERWRITTEN = new Set(['changed_since', 'shared_change']);

export const canOverwrite = (conflicts: readonly ListedConflict[]): boolean =>
  conflicts.every(({ code }) => OVERWRITTEN.has(code));
