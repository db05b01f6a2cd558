import { randomUUID } from 'node:crypto';
import {
  type ExternalSource,
  Failure,
  type NamedObject,
  type OrganizationId,
  sentence,
  type ValueId,
} from '@strata/domain';
import type { Change } from '../../../platform/ledger/change.ts';
import type { Stamp, WriteContext } from '../../../platform/ledger/command.ts';
import { objectChange } from '../../../platform/ledger/object-change.ts';
import { readRows } from '../../../platform/ledger/write-set.ts';
import type { Statement } from '../../../platform/postgres/prepared-client.ts';
import { IS_INTERNAL } from '../../../platform/postgres/versioned-table.ts';
import type { SealedValue } from '../../../platform/vault/sealed-text.ts';

/*
 * The only code that writes values: sets of changes, changesets, imports, copies, rotations and reverts store their
 * values here. The number of statements does not depend on the number of values.
 */

/** The stored content of a value: clear text or encrypted bytes. If both are null, the value is an explicit null. */
export interface StoredContent {
  readonly text: string | null;
  /** The encrypted text. It is bound to the row, and to its revision when it is stored. */
  readonly sealed: SealedValue | null;
  readonly interpolated: boolean;
  /** Where the text comes from, if it is external. */
  readonly source?: Omit<ExternalSource, 'ledger_id'> | null;
}

interface ChangedValue extends StoredContent {
  readonly id: ValueId;
  readonly ledgerId: string;
}

export interface NewValue extends ChangedValue {
  readonly parameterId: string;
  readonly environmentId: string;
}

/** The parameter, project and environment of a value, with their names for the history. */
export interface ValueContext {
  readonly parameter: NamedObject;
  readonly project: NamedObject;
  readonly environment: NamedObject;
}

/** The content of a value, and the objects that it belongs to. */
export interface ValueInContext extends StoredContent {
  readonly id: ValueId;
  readonly context: ValueContext;
}

/**
 * Stores and records new values. The caller stores the references of dynamic values.
 */
export async function addValues(
  context: WriteContext,
  organizationId: OrganizationId,
  values: readonly ValueInContext[],
): Promise<void> {
  await storeNewValues(
    context,
    organizationId,
    values.map(({ context: { parameter, environment }, ...value }) => ({
      ...value,
      parameterId: parameter.id,
      environmentId: environment.id,
    })),
  );
  for (const value of values) context.record(valueChange('create', value.id, value.context));
}

/**
 * Stores and records other contents of values. Deletes the references of dynamic values. Throws E49 if the text of an
 * external value would be replaced, because many values at once must not end its connection unnoticed.
 */
export async function replaceContents(
  context: WriteContext,
  organizationId: OrganizationId,
  values: readonly ValueInContext[],
): Promise<void> {
  if (values.length === 0) return;
  await assertNotExternal(context, organizationId, values);
  await storeContents(context, organizationId, values);
  const ids = values.map(({ id }) => id);
  await context.em.query('delete from reference where organization_id = $1 and value_id = any($2::uuid[])', [
    organizationId,
    ids,
  ]);
  for (const value of values) context.record(valueChange('update', value.id, value.context));
}

const EXTERNAL_AMONG = `
select value.id from value
 where value.organization_id = $1 and value.source is not null and not ${IS_INTERNAL} and value.id = any($2::uuid[])`;

async function assertNotExternal(
  { em }: WriteContext,
  organizationId: OrganizationId,
  values: readonly ValueInContext[],
): Promise<void> {
  const replacedValues = values.filter(({ source }) => source === undefined);
  const rows = await em.query<{ id: ValueId }[]>(EXTERNAL_AMONG, [organizationId, replacedValues.map(({ id }) => id)]);
  const external = new Set(rows.map(({ id }) => id));
  const problems = replacedValues.flatMap(({ id, context: { parameter, environment } }) => {
    if (!external.has(id)) return [];
    const text = sentence`${{ name: parameter.name }} is external in ${{ environment: environment.name }}. Change that value with external as false first, or omit it.`;
    return [{ field: parameter.name, ...text }];
  });
  if (problems.length > 0) throw Failure.fields('external_with_text', problems);
}

/** Deletes values and records it. */
export async function removeValues(
  context: WriteContext,
  organizationId: OrganizationId,
  values: readonly Pick<ValueInContext, 'id' | 'context'>[],
): Promise<void> {
  await deleteValues(
    context.em,
    organizationId,
    values.map(({ id }) => id),
  );
  for (const value of values) context.record(valueChange('delete', value.id, value.context));
}

/** Stores new values. The caller records them. */
export async function storeNewValues(
  { em, revision, at }: WriteContext,
  organizationId: OrganizationId,
  values: readonly Omit<NewValue, 'ledgerId'>[],
): Promise<void> {
  if (values.length === 0) return;
  const rows = values.map((value) => ({ ...value, ledgerId: randomUUID(), revision, at }));
  await readRows(em, insertValues(organizationId, rows));
}

/** Stores other contents of values. The caller records them. */
export async function storeContents(
  { em, revision, at }: WriteContext,
  organizationId: OrganizationId,
  values: readonly Omit<ChangedValue, 'ledgerId'>[],
): Promise<void> {
  if (values.length === 0) return;
  const rows = values.map((value) => ({ ...value, ledgerId: randomUUID(), revision, at }));
  await readRows(em, updateValues(organizationId, rows));
}

/** Deletes values. The caller records it. */
export async function deleteValues(
  em: WriteContext['em'],
  organizationId: OrganizationId,
  ids: readonly ValueId[],
): Promise<void> {
  if (ids.length === 0) return;
  await em.query('delete from value where organization_id = $1 and id = any($2::uuid[])', [organizationId, ids]);
}

const storedSource = ({ source, ledgerId }: ChangedValue): string | null =>
  source ? JSON.stringify({ ...source, ledger_id: ledgerId }) : null;

const column = <Row, T>(rows: readonly Row[], pick: (row: Row) => T): T[] => rows.map(pick);

/** Returns the statement that inserts values, each at its own revision. */
export function insertValues(organizationId: OrganizationId, values: readonly (NewValue & Stamp)[]): Statement {
  return {
    text: `
insert into value (organization_id, id, ledger_id, parameter_id, environment_id, text, sealed, interpolated, source, revision, created_at, modified_at)
select $1, input.*, input.at
  from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::bytea[], $8::boolean[], $9::jsonb[], $10::bigint[], $11::timestamptz[])
         as input(id, ledger_id, parameter_id, environment_id, text, sealed, interpolated, source, revision, at)`,
    values: [
      organizationId,
      column(values, ({ id }) => id),
      column(values, ({ ledgerId }) => ledgerId),
      column(values, ({ parameterId }) => parameterId),
      column(values, ({ environmentId }) => environmentId),
      column(values, ({ text }) => text),
      column(values, ({ sealed, revision }) => sealed?.stored(revision) ?? null),
      column(values, ({ interpolated }) => interpolated),
      column(values, storedSource),
      column(values, ({ revision }) => revision),
      column(values, ({ at }) => at),
    ],
  };
}

const UPDATE_ONE = `
update value set ledger_id = $3, text = $4, sealed = $5, interpolated = $6, source = $7, revision = $8, modified_at = $9
 where organization_id = $1 and id = $2`;

const UPDATE_MANY = `
update value
   set ledger_id = input.ledger_id, text = input.text, sealed = input.sealed, interpolated = input.interpolated,
       source = input.source, revision = input.revision, modified_at = input.at
  from unnest($2::uuid[], $3::uuid[], $4::text[], $5::bytea[], $6::boolean[], $7::jsonb[], $8::bigint[], $9::timestamptz[])
       as input(id, ledger_id, text, sealed, interpolated, source, revision, at)
 where value.organization_id = $1 and value.id = input.id`;

/** Returns the statement that updates values, each at its own revision. Each value may occur only once. */
export function updateValues(organizationId: OrganizationId, values: readonly (ChangedValue & Stamp)[]): Statement {
  const columns = [
    column(values, ({ id }) => id),
    column(values, ({ ledgerId }) => ledgerId),
    column(values, ({ text }) => text),
    column(values, ({ sealed, revision }) => sealed?.stored(revision) ?? null),
    column(values, ({ interpolated }) => interpolated),
    column(values, storedSource),
    column(values, ({ revision }) => revision),
    column(values, ({ at }) => at),
  ];
  // For one row, PostgreSQL needs half the time if the row is found by its key.
  return values.length === 1
    ? { text: UPDATE_ONE, values: [organizationId, ...columns.map(([first]) => first)] }
    : { text: UPDATE_MANY, values: [organizationId, ...columns] };
}

/** Returns the change of a value under the name of its parameter. */
export function valueChange(action: 'create' | 'update' | 'delete', id: ValueId, context: ValueContext): Change {
  return objectChange(action, 'Value', { id, name: context.parameter.name }, context);
}
