import type { Named, OrganizationId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Change, WriteContext } from '../../platform/database/work.ts';

/** Where a value is, as history tells it. */
export interface ValuePlace {
  readonly parameter: Named;
  readonly project: Named;
  readonly environment: Named;
}

/** A value as it will be stored. A sealed text is bound to its row, so it cannot be another row's. */
export interface ValueRow {
  readonly id: string;
  readonly place: ValuePlace;
  readonly text: string | null;
  readonly sealed: Buffer | null;
  readonly interpolated: boolean;
}

/** Adds values: one statement, whatever their number. What dynamic ones refer to is its caller's business. */
export async function addValues(
  { em, record }: WriteContext,
  organizationId: OrganizationId,
  values: readonly ValueRow[],
): Promise<void> {
  if (values.length === 0) return;
  await em.query(
    `insert into value (organization_id, id, parameter_id, environment_id, text, sealed, interpolated)
     select $1, * from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::bytea[], $7::boolean[])`,
    [
      organizationId,
      values.map(({ id }) => id),
      values.map(({ place }) => place.parameter.id),
      values.map(({ place }) => place.environment.id),
      values.map(({ text }) => text),
      values.map(({ sealed }) => sealed),
      values.map(({ interpolated }) => interpolated),
    ],
  );
  for (const value of values) record(changeOf('create', value));
}

/** Gives values literal texts: two statements, whatever their number. What dynamic ones referred to is forgotten. */
export async function replaceTexts(
  { em, record }: Pick<WriteContext, 'record'> & { readonly em: EntityManager },
  organizationId: OrganizationId,
  values: readonly ValueRow[],
): Promise<void> {
  if (values.length === 0) return;
  const ids = values.map(({ id }) => id);
  await em.query(
    `update value v set text = u.text, sealed = u.sealed, interpolated = false
       from unnest($2::uuid[], $3::text[], $4::bytea[]) as u(id, text, sealed)
      where v.organization_id = $1 and v.id = u.id`,
    [organizationId, ids, values.map(({ text }) => text), values.map(({ sealed }) => sealed)],
  );
  await em.query('delete from reference where organization_id = $1 and value_id = any($2::uuid[])', [
    organizationId,
    ids,
  ]);
  for (const value of values) record(changeOf('update', value));
}

function changeOf(action: 'create' | 'update', { id, place }: ValueRow): Change {
  const object = { id, name: place.parameter.name };
  return { eventType: `value_${action}d`, action, objectType: 'Value', object, ...place };
}
