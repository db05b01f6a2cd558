import type { SettableValue } from '@strata/contract';
import { jsonPointer, type NamedObject, PreconditionFailed, sentence } from '@strata/domain';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { ledgerIdsAt, momentBefore, presentVersions } from '../../platform/ledger/present-versions.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { NamedParameter } from './named-state.ts';
import { unexpectedNames } from './set-steps.ts';

/**
 * Throws 412 if a value does not have the expected version. The error contains the current version, or the deletion.
 */
export async function assertExpected(
  { caller, em, revision }: WriteContext,
  environment: NamedObject,
  values: Readonly<Record<string, SettableValue>>,
  state: ReadonlyMap<string, NamedParameter>,
): Promise<void> {
  const conditional = Object.entries(values).filter(
    ([, { if_match: expected, if_none_match: none }]) => expected !== undefined || none !== undefined,
  );
  if (conditional.length === 0) return;
  const parameters = conditional.flatMap(([name]) => state.get(name) ?? []);
  const ids = parameters.flatMap(({ value }) => value?.id ?? []);
  const before = await ledgerIdsAt(SnapshotReader.within(em), caller.organizationId, momentBefore(revision), ids);
  const names = unexpectedNames(Object.fromEntries(conditional), state, before);
  if (names.length === 0) return;
  const unexpected = parameters.filter(({ name }) => names.includes(name));
  const last = await em.query<{ id: string }[]>(
    `select change.id from unnest($2::uuid[]) input(id)
      cross join lateral (
        select object_id as id from change
         where organization_id = $1 and parameter_id = input.id and environment_id = $3 and object_type = 'Value' and revision < $4
         order by revision desc, ordinal desc limit 1) change`,
    [caller.organizationId, unexpected.map(({ id }) => id), environment.id, revision],
  );
  const failure = new PreconditionFailed(
    await presentVersions(
      em,
      caller,
      last.map(({ id }) => id),
      revision,
    ),
    sentence`${{ names }} changed in ${{ environment: environment.name }} since you read the current values. Read them again and retry.`,
  );
  throw failure.at(jsonPointer(['values', ...(names.length === 1 ? names : [])]));
}
