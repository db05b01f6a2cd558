import type { SettableValue } from '@strata/contract';
import { jsonPointer, type NamedObject, PreconditionFailedError, sentence } from '@strata/domain';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { ledgerIdsAt, pointInTimeBefore, presentVersions } from '../../platform/ledger/present-versions.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { NamedParameter } from './named-state.ts';
import { findUnexpectedNames } from './set-steps.ts';

/**
 * Throws 412 if a value does not have the expected version. The error contains the current version, or the deletion.
 */
export async function assertExpected(
  { caller, em, revision }: WriteContext,
  environment: NamedObject,
  values: Readonly<Record<string, SettableValue>>,
  state: ReadonlyMap<string, NamedParameter>,
): Promise<void> {
  const conditionalValues = Object.entries(values).filter(
    ([, { if_match: expected, if_none_match: none }]) => expected !== undefined || none !== undefined,
  );
  if (conditionalValues.length === 0) return;
  const parameters = conditionalValues.flatMap(([name]) => state.get(name) ?? []);
  const ids = parameters.flatMap(({ value }) => value?.id ?? []);
  const before = await ledgerIdsAt(SnapshotReader.within(em), caller.organizationId, pointInTimeBefore(revision), ids);
  const names = findUnexpectedNames(Object.fromEntries(conditionalValues), state, before);
  if (names.length === 0) return;
  const unexpectedParameters = parameters.filter(({ name }) => names.includes(name));
  const lastChanges = await em.query<{ id: string }[]>(
    `select change.id from unnest($2::uuid[]) input(id)
      cross join lateral (
        select object_id as id from change
         where organization_id = $1 and parameter_id = input.id and environment_id = $3 and object_type = 'Value' and revision < $4
         order by revision desc, ordinal desc limit 1) change`,
    [caller.organizationId, unexpectedParameters.map(({ id }) => id), environment.id, revision],
  );
  const failure = new PreconditionFailedError(
    await presentVersions(
      em,
      caller,
      lastChanges.map(({ id }) => id),
      revision,
    ),
    sentence`${{ names }} changed in ${{ environment: environment.name }} since you read the current values. Read them again and retry.`,
  );
  throw failure.at(jsonPointer(['values', ...(names.length === 1 ? names : [])]));
}
