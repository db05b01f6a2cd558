import { queryOptions } from '@tanstack/react-query';
import { requireSaved } from '../graphql/mutation-result.ts';
import { requestGraphql } from '../graphql/request.ts';
import { PlanReturn, PlanTakingBack } from '../graphql/review.graphql.ts';
import { type AppliedReason, restoreScope, revertChangeset } from './changesets.ts';
import { listErrors, planKeys, type ReviewedPlan } from './plan.ts';

/** The changeset to revert, or the scope to restore and its revision. */
export type RevertTarget =
  | { readonly kind: 'changeset'; readonly revision: string }
  | { readonly kind: 'moment'; readonly revision: number; readonly scope: RevertedScope };

/** Exactly one of these is set. The parameter is identified by its id. */
export interface RevertedScope {
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  readonly parameter?: string | undefined;
}

/** The policy for objects with conflicts. */
export type ConflictChoice = 'abort' | 'skip' | 'overwrite';

/** An object with a conflict: it cannot be restored automatically. */
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
  /** The reasons for a rejection that belong to no object. */
  readonly errors: readonly string[];
}

export const revertPlanQuery = (aim: RevertTarget, onConflict: ConflictChoice) =>
  queryOptions({
    queryKey: planKeys.revert(aim, onConflict),
    gcTime: 0,
    queryFn: async ({ signal }): Promise<RevertPlanResult> => {
      const { changesetPlan: plan } = requireSaved(await planned(aim, onConflict, signal));
      const conflicts = plan.rejectedOperations.flatMap(({ error }) => conflictsIn(error));
      const otherRejections = plan.rejectedOperations.filter(({ error }) => conflictsIn(error).length === 0);
      return { plan, conflicts, errors: otherRejections.flatMap(listErrors).map(({ detail }) => detail) };
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

/**
 * Applies the planned revert, or nothing if the plan is outdated. Returns the new revision. Throws `WriteError` if the core rejects it.
 */
export function applyRevert(
  aim: RevertTarget,
  onConflict: ConflictChoice,
  planHash: string,
  { message, externalRef }: AppliedReason,
): Promise<number> {
  const input = { onConflict, planHash, message: message || null, externalRef: externalRef || null };
  if (aim.kind === 'changeset') return revertChangeset({ revision: aim.revision, input: input });
  return restoreScope({ scope: aim.scope, to: { revision: aim.revision }, ...input });
}

/** Returns the conflicts of a rejected revert. Their field names are those of the REST API. */
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

/** The codes of conflicts that the policy `overwrite` resolves, because it only loses newer changes. */
const OVERWRITTEN = new Set(['changed_since', 'shared_change']);

export const canOverwrite = (conflicts: readonly ListedConflict[]): boolean =>
  conflicts.every(({ code }) => OVERWRITTEN.has(code));
