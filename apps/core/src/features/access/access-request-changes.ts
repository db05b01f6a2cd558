import type { ChangeAction } from '@strata/domain';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';

/** The name of requests for the ability to reveal secrets, in the history and in messages. */
const REVEAL_NAME = 'Break-glass read';

/**
 * Records a change of a request under the name of its scope. The change has no scope: the requester has no access to it,
 * and every member may see its name.
 */
export function recordRequest(
  { record }: WriteContext,
  action: ChangeAction,
  { id, scope_name: scopeName }: { readonly id: string; readonly scope_name: string | null },
): void {
  record(objectChange(action, 'AccessRequest', { id, name: scopeName ?? REVEAL_NAME }));
}
