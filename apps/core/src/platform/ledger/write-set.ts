import { Failure } from '@strata/domain';
import type { Caller } from '../caller.ts';
import type { CommandOutcome, SetDecision, SetMember, Stamp } from './command.ts';
import { plusMicroseconds } from './instant.ts';
import type { Changeset, PresentHead } from './ledger-statements.ts';
import { assertAccess } from './write-rules.ts';

type MemberOfCaller = SetMember<unknown> & { readonly caller: Caller };

export interface DecidedSet {
  /** One per change, at consecutive revisions. */
  readonly changesets: readonly Changeset[];
  readonly rows: readonly (Stamp & { readonly row: unknown })[];
  /** In the order of the commands; they hold once the rows are stored. */
  readonly outcomes: readonly CommandOutcome[];
}

/**
 * Gives the changes of a set their revisions; ends before the first command that must be run by itself. Who has a refusal
 * gets it, whatever was decided.
 */
export function decidedSet(
  members: readonly MemberOfCaller[],
  decisions: readonly SetDecision<unknown, unknown>[],
  refusals: ReadonlyMap<Caller, Failure>,
  { revision, nextAt }: PresentHead,
): DecidedSet {
  const changesets: Changeset[] = [];
  const rows: (Stamp & { readonly row: unknown })[] = [];
  const outcomes: CommandOutcome[] = [];
  for (const [index, member] of members.entries()) {
    const decision = allowed(member, decisions[index], refusals.get(member.caller));
    if (decision.is === 'single') break;
    const latest = revision + changesets.length;
    if (decision.is === 'changed') {
      const stamp = { revision: latest + 1, at: plusMicroseconds(nextAt, changesets.length) };
      changesets.push({ ...stamp, caller: member.caller, changes: [decision.change] });
      rows.push({ ...stamp, row: decision.row });
      outcomes.push({ written: { result: decision.result(stamp), revision: stamp.revision } });
    } else if (decision.is === 'unchanged') {
      outcomes.push({ written: { result: decision.result, revision: latest } });
    } else outcomes.push({ refused: decision.because });
  }
  return { changesets, rows, outcomes };
}

function allowed(
  { caller }: MemberOfCaller,
  decision: SetDecision<unknown, unknown> | undefined,
  refusal: Failure | undefined,
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
