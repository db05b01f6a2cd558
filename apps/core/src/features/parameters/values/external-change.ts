import type { ValuePatch } from '@strata/contract';
import {
  assertAbilityOnScope,
  assertIfControlled,
  type ExternalSource,
  externalSource,
  Failure,
  sentence,
  type ValueId,
} from '@strata/domain';
import type { Caller } from '../../../platform/caller.ts';
import { contentionError } from '../../../platform/ledger/organization-queues.ts';
import type { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import type { ExternalText } from '../../external/external-contents.ts';
import type { ValueRecord } from '../../snapshot/snapshot.ts';
import type { ParameterKey } from '../parameters.reader.ts';
import { type ParameterContext, readValueWithContext } from './value-with-context.ts';

/** The external part of a change: the text that was read, or why it could not be read. */
export interface ExternalChange extends Omit<ExternalSource, 'ledger_id'> {
  /** The new text. If it is null, the stored text stays. */
  readonly text: string | null;
  /** The version that the change replaces; null for any. */
  readonly replaces: string | null;
}

/** Returns the change for a text that a member has requested. */
export const toExternalChange = (read: ExternalText | null): ExternalChange | null =>
  read && { ...read, error: null, replaces: null };

/** A repeated request reads no content. If the result of the first one is no longer stored, it must be sent again. */
export function assertContentRead({ external: isExternal }: ValuePatch, external: ExternalChange | null): void {
  if (isExternal && external === null) throw contentionError();
}

/**
 * Rejects external values in changesets: contents are read one after another, and some operations are prepared while the
 * organization is locked.
 */
export function assertSingle({ external }: ValuePatch): void {
  if (!external) return;
  const message = 'A changeset cannot set external values. Set each one with a request of its own.';
  throw Failure.field('external_in_changeset', 'external', message);
}

/** Returns the part of a source that does not depend on the version. */
export const toSource = (source: Omit<ExternalSource, 'ledger_id'> | null) =>
  source && { fqn: source.fqn, filter: source.filter, error: source.error };

/** Rejects an external value of a parameter that is not secret, because every content is treated as a secret. */
export function assertSecretIfExternal(
  { secret, name }: Pick<ParameterContext, 'secret' | 'name'>,
  external: ExternalChange | null,
): void {
  if (external === null || secret) return;
  const message = sentence`${{ name }} is not secret, and the text of an external value is a secret. Use a secret parameter.`;
  throw Failure.field('external_needs_secret', 'external', message);
}

/** Returns the source of a value after a change. Throws E49 if the change sets the text of an external value. */
export function nextSource(
  value: ValueRecord,
  { external: isExternal, internal_value: text }: ValuePatch,
  external: ExternalChange | null,
) {
  if (external) return toSource(external);
  const currentSource = isExternal === false ? null : toSource(externalSource(value));
  if (currentSource && text !== undefined) {
    const message = 'The value is external. Send external as false to set its text here.';
    throw Failure.field('external_with_text', 'internal_value', message);
  }
  return currentSource;
}

interface RequestedChange {
  readonly key: ParameterKey;
  readonly id: ValueId;
  readonly patch: ValuePatch;
}

/** Returns the change of a value with the location and the filter that it omits, if the value is external. */
export async function withStoredSource(
  reader: SnapshotReader,
  caller: Caller,
  { key, id, patch }: RequestedChange,
): Promise<ValuePatch> {
  const { external, external_fqn: fqn, external_filter: filter } = patch;
  if (external === false || (!external && !fqn && !filter)) return patch;
  assertAbilityOnScope(caller, 'write', key.projectId);
  const currentValue = await readValueWithContext(reader, key, id);
  const source = currentValue && externalSource(currentValue.value);
  if (currentValue) assertIfControlled(caller, 'write', currentValue.environment.id, '/path/id');
  if (!source) return patch;
  return { ...patch, external: true, external_fqn: fqn ?? source.fqn, external_filter: filter ?? source.filter };
}
