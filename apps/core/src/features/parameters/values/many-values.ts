import { randomUUID } from 'node:crypto';
import type { OrganizationId, ValueId } from '@strata/domain';
import type { WriteContext } from '../../../platform/ledger/command.ts';
import {
  deleteValues,
  insertValues,
  type StoredContent,
  updateValues,
  type ValueContext,
  valueChange,
} from './value.store.ts';

/** The stored columns of a value, and the objects that it belongs to. */
export interface ValueInContext extends StoredContent {
  readonly id: ValueId;
  readonly context: ValueContext;
}

/**
 * Stores and records new values with one statement, however many there are. The caller stores the references of dynamic
 * values.
 */
export async function addValues(
  { em, record, revision, at }: WriteContext,
  organizationId: OrganizationId,
  values: readonly ValueInContext[],
): Promise<void> {
  if (values.length === 0) return;
  const rows = values.map(({ context: { parameter, environment }, ...value }) => ({
    ...value,
    ledgerId: randomUUID(),
    parameterId: parameter.id,
    environmentId: environment.id,
    revision,
    at,
  }));
  const { text, values: parameters } = insertValues(organizationId, rows);
  await em.query(text, [...parameters]);
  for (const { id, context } of values) record(valueChange('create', id, context));
}

/**
 * Replaces the contents of values with two statements, however many there are. Deletes the references of dynamic
 * values.
 */
export async function replaceContents(
  { em, record, revision, at }: WriteContext,
  organizationId: OrganizationId,
  values: readonly ValueInContext[],
): Promise<void> {
  if (values.length === 0) return;
  const ids = values.map(({ id }) => id);
  const rows = values.map((value) => ({ ...value, ledgerId: randomUUID(), revision, at }));
  const { text, values: parameters } = updateValues(organizationId, rows);
  await em.query(text, [...parameters]);
  await em.query('delete from reference where organization_id = $1 and value_id = any($2::uuid[])', [
    organizationId,
    ids,
  ]);
  for (const { id, context } of values) record(valueChange('update', id, context));
}

/** Deletes values and records it with one statement, however many there are. */
export async function removeValues(
  { em, record }: WriteContext,
  organizationId: OrganizationId,
  values: readonly Pick<ValueInContext, 'id' | 'context'>[],
): Promise<void> {
  if (values.length === 0) return;
  const { text, values: parameters } = deleteValues(
    organizationId,
    values.map(({ id }) => id),
  );
  await em.query(text, [...parameters]);
  for (const { id, context } of values) record(valueChange('delete', id, context));
}
