import { REVERT_LIMITS, type RevertConflict, type Reverted } from '@strata/contract';
import type { ObjectType } from '@strata/domain';
import type { Links } from '../../platform/http/links.ts';
import type { WriteResult } from '../../platform/ledger/command.ts';
import { presentChange, toChangeRow } from '../changesets/changesets.presenter.ts';
import type { UnrevertedLists } from '../changesets/prepared-steps.ts';
import type { CompletedRevert, RevertReport, UnrevertedObject } from './revert-report.ts';

const limitShown = <T>(list: readonly T[]): T[] => list.slice(0, REVERT_LIMITS.shown);

export function presentCompletedRevert({ result, revision }: WriteResult<CompletedRevert>, links: Links): Reverted {
  const { isChanged, changes, note } = result;
  const { conflicts, not_revertible: notRevertibleChanges } = presentUnrevertedLists(result);
  return {
    url: isChanged ? links.changeset(revision) : null,
    revision,
    message: note.message,
    external_ref: note.externalRef,
    change_count: changes.length,
    changes: limitShown(changes).map((change) => presentChange(toChangeRow(change), links)),
    conflict_count: conflicts.length,
    conflicts: limitShown(conflicts),
    not_revertible: limitShown(notRevertibleChanges),
  };
}

/** Presents the objects that a revert does not restore. */
export function presentUnrevertedLists({ conflicts, notRevertible }: RevertReport): UnrevertedLists {
  return {
    conflicts: conflicts.map(presentConflict),
    not_revertible: notRevertible.map((row) => ({ ...row, reason: reasonOf(row.object_type as ObjectType) })),
  };
}

const NOWHERE = {
  object_type: null,
  object_id: null,
  object_name: null,
  project_id: null,
  project_name: null,
  environment_id: null,
  environment_name: null,
  parameter_id: null,
  parameter_name: null,
};

export function presentConflict({ object, code, detail }: UnrevertedObject): RevertConflict {
  return { ...(object ?? NOWHERE), code, detail };
}

const PEOPLE = 'Members and permissions are not reverted. Change them separately.';
const INTEGRATION = 'Integrations affect external systems, where changes cannot be reverted.';
const WEBHOOK = 'Webhooks contain secrets and send messages to external systems. Create or change the webhook again.';

const REASONS: Readonly<Partial<Record<ObjectType, string>>> = {
  Grant: PEOPLE,
  Group: PEOPLE,
  Invitation: PEOPLE,
  Membership: PEOPLE,
  ServiceAccount: PEOPLE,
  Organization: 'The name and the settings of the organization are not reverted. Change them separately.',
  Tag: 'Tags are not reverted, because others may rely on the point in time that the tag marks now. Set it again.',
  Webhook: WEBHOOK,
};

function reasonOf(type: ObjectType): string {
  return REASONS[type] ?? INTEGRATION;
}
