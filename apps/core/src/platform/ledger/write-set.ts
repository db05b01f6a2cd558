import { Failure } from '@strata/domain';
import type { CommandOutcome, SetDecision, SetRequest, Stamp } from './command.ts';
import { plusMicroseconds } from './instant.ts';
import type { Changeset, PresentHead } from './ledger-statements.ts';
import { assertAccess } from './write-rules.ts';

interface AuthorizedRequest extends SetRequest<unknown> {
  readonly refusal: Failure | null;
}

export interface SetWrites {
  /** One per change, at consecutive revisions. */
  readonly changesets: readonly Changeset[];
  readonly rows: readonly (Stamp & { readonly row: unknown })[];
  /** In the order of the commands. They are valid once the rows are stored. */
  readonly outcomes: readonly CommandOutcome[];
}

/**
 * Assigns revisions to the changes of a set. Stops before the first command that must run alone. If a caller is no
 * longer authorized, the outcome is the caller's error, whatever was decided.
 */
export function writesOfSet(
  requests: readonly AuthorizedRequest[],
  decisions: readonly SetDecision<unknown, unknown>[],
  { revision, nextAt }: PresentHead,
): SetWrites {
  const changesets: Changeset[] = [];
  const rows: (Stamp & { readonly row: unknown })[] = [];
  const outcomes: CommandOutcome[] = [];
  for (const [index, request] of requests.entries()) {
    const decision = allowed(request, decisions[index]);
    if (decision.is === 'single') break;
    const latest = revision + changesets.length;
    if (decision.is === 'changed') {
      const stamp = { revision: latest + 1, at: plusMicroseconds(nextAt, changesets.length) };
      changesets.push({ ...stamp, caller: request.caller, changes: [decision.change] });
      rows.push({ ...stamp, row: decision.row });
      outcomes.push({ written: { result: decision.result(stamp), revision: stamp.revision } });
    } else if (decision.is === 'unchanged') {
      outcomes.push({ written: { result: decision.result, revision: latest } });
    } else outcomes.push({ refused: decision.because });
  }
  return { changesets, rows, outcomes };
}

function allowed(
  { caller, refusal }: AuthorizedRequest,
  decision: SetDecision<unknown, unknown> | undefined,
): SetDecision<unknown, unknown> {
  if (refusal) return { is: 'refused', because: refusal };
  if (decision?.is !== 'changed') return decision ?? { is: 'single' };
  try {
    assertAccess(caller, decision.change);
    return decision;
  } catch (error) {
    if (error instanceof Failure) return { is: 'refused', because: error };
    throw error;
  }
}
