import { REVERT_LIMITS, type RevertScopeKind } from '@strata/contract';
import {
  canOnScope,
  Failure,
  forbiddenScopes,
  isRevertible,
  jsonPointer,
  type OrganizationId,
  type Permissions,
  REVERTIBLE_TYPES,
  type RevertibleType,
  type Revision,
  sentence,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { lastSegment } from '../../platform/http/links.ts';
import { columnsOf, rowsAt, type VersionedTable } from '../../platform/postgres/versioned-table.ts';
import type { ChangeRow } from '../changesets/changesets.presenter.ts';
import { type IdsByType, TABLE_OF } from './reverted-rows.ts';

/** The objects to revert, and the state to restore. */
export interface RevertSource {
  readonly ids: IdsByType;
  /** The revision whose state is restored. */
  readonly before: Revision;
  /** The revision after which any change of an object is a conflict; null if changes are not conflicts. */
  readonly after: Revision | null;
  /** Objects that both reverted operations and other operations of the changeset wrote. */
  readonly shared: ReadonlySet<string>;
  /**
   * Objects without a revert of their own, such as tags. They are deleted together with the container that they were
   * created with.
   */
  readonly alongside: ReadonlySet<string>;
  /** Objects that only other operations wrote. They are not reverted. */
  readonly leftOut: ReadonlySet<string>;
  /**
   * Whether the changeset consists of forbidden objects only. If it also has other objects, the forbidden ones are left
   * out, as if they did not exist.
   */
  readonly isForbidden: boolean;
  readonly notRevertible: readonly ChangeRow[];
}

interface Recorded extends ChangeRow {
  readonly operations: readonly number[] | null;
}

/**
 * Returns the objects that a changeset, or some of its operations, changed. Leaves out changes that the caller may not
 * read.
 */
export async function sourceOfChangeset(
  em: EntityManager,
  caller: Permissions & { readonly organizationId: OrganizationId },
  revision: Revision,
  operations: readonly number[] | null,
): Promise<RevertSource> {
  const forbiddenScopeIds = forbiddenScopes(caller);
  const rows = await em.query<Recorded[]>(
    `select action, object_type, object_id, object_name, project_id, project_name, environment_id, environment_name,
            parameter_id, parameter_name, operations
       from change where organization_id = $1 and revision = $2
        and (project_id is null or project_id <> all($4::uuid[]))
        and (environment_id is null or environment_id <> all($4::uuid[]))
      order by ordinal limit $3`,
    [caller.organizationId, revision, REVERT_LIMITS.rows + 1, forbiddenScopeIds],
  );
  assertSize(rows.length);
  const isForbidden = forbiddenScopeIds.length > 0 && rows.length === 0;
  const visibleOperations = isForbidden ? [] : selected(rows, operations);
  const chosenOperations = new Set(operations);
  const isShared = (row: Recorded) => row.operations?.some((operation) => !chosenOperations.has(operation)) ?? false;
  const seenRows = new Set(visibleOperations);
  return {
    ids: byType(
      visibleOperations.flatMap(({ object_type: type, object_id: id }) => (isRevertible(type) ? [{ type, id }] : [])),
    ),
    before: revision - 1,
    after: revision,
    shared: new Set(operations === null ? [] : visibleOperations.filter(isShared).map(({ object_id: id }) => id)),
    alongside: await unchangedSince(em, caller.organizationId, revision, createdAmong(visibleOperations)),
    leftOut: new Set(rows.flatMap((row) => (seenRows.has(row) ? [] : row.object_id))),
    isForbidden,
    notRevertible: visibleOperations.filter(({ object_type: type }) => !isRevertible(type)),
  };
}

/** Returns the created objects that cannot be reverted on their own. */
function createdAmong(rows: readonly Recorded[]): readonly string[] {
  return rows.flatMap(({ action, object_type: type, object_id: id }) =>
    action === 'create' && !isRevertible(type) ? [id] : [],
  );
}

/** Returns the objects that have not changed after the revision. */
async function unchangedSince(
  em: EntityManager,
  organizationId: OrganizationId,
  revision: Revision,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await em.query<{ id: string }[]>(
    `select requested.id from unnest($3::text[]) requested(id)
      where not exists (select from change where change.organization_id = $1 and change.object_id = requested.id and change.revision > $2)`,
    [organizationId, revision, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

function selected(rows: readonly Recorded[], requestedOperations: readonly number[] | null): readonly Recorded[] {
  if (requestedOperations === null) return rows;
  if (rows.some(({ operations }) => operations === null)) {
    throw Failure.field(
      'unknown_operation',
      'operations',
      'This changeset has no record of its operations. Omit operations to revert the whole changeset.',
    );
  }
  const recordedOperations = new Set(rows.flatMap(({ operations }) => operations ?? []));
  const unknownOperation = requestedOperations.find((operation) => !recordedOperations.has(operation));
  if (unknownOperation !== undefined) {
    throw Failure.field(
      'unknown_operation',
      'operations',
      sentence`No change of this changeset that you can access belongs to operation ${{ operation: unknownOperation }}.`,
    );
  }
  return rows.filter(({ operations }) => operations?.some((operation) => requestedOperations.includes(operation)));
}

export interface FoundScope {
  readonly kind: RevertScopeKind;
  readonly id: string;
  readonly name: string;
}

/**
 * SQL conditions for the rows of the scope with the id $3. The conditions of `project` and `parameter` include deleted
 * parameters.
 */
const WITHIN: Readonly<Record<RevertScopeKind, Partial<Record<RevertibleType, string>>>> = {
  project: {
    Project: 'object.id = $3',
    Parameter: 'object.project_id = $3',
    Template: 'object.project_id = $3',
    ParameterRule: 'object.parameter_id = any(array(select id from owned))',
    Value: 'object.parameter_id = any(array(select id from owned))',
  },
  environment: { Environment: 'object.id = $3', Value: 'object.environment_id = $3' },
  parameter: {
    Parameter: 'object.id = $3',
    ParameterRule: 'object.parameter_id = $3',
    Value: 'object.parameter_id = $3',
  },
  value: { Value: 'object.id = $3' },
};

const OWNED = `with owned as (
  select id from parameter where organization_id = $1 and project_id = $3
  union select id from parameter_history where organization_id = $1 and project_id = $3)`;

/**
 * SQL condition that excludes values in forbidden projects and environments ($4), so that the response reveals nothing
 * about them.
 */
const READABLE_VALUE = `object.environment_id <> all($4::uuid[])
  and object.parameter_id <> all(array(
    select id from parameter where organization_id = $1 and project_id = any($4::uuid[])
    union select id from parameter_history where organization_id = $1 and project_id = any($4::uuid[])))`;

/** Returns the objects of a scope whose state differs from that at a revision. */
export async function readScopeSource(
  em: EntityManager,
  caller: Permissions & { readonly organizationId: OrganizationId },
  { kind, id }: FoundScope,
  at: Revision,
): Promise<RevertSource> {
  const changedObjects: { readonly type: RevertibleType; readonly id: string }[] = [];
  for (const type of REVERTIBLE_TYPES) {
    const condition = WITHIN[kind][type];
    if (condition === undefined) continue;
    const [open, readableParameters] =
      type === 'Value' ? [`${condition} and ${READABLE_VALUE}`, [forbiddenScopes(caller)]] : [condition, []];
    const rows = await em.query<{ id: string }[]>(differing(TABLE_OF[type], open), [
      caller.organizationId,
      at,
      id,
      ...readableParameters,
    ]);
    changedObjects.push(...rows.map((row) => ({ type, id: row.id })));
    assertSize(changedObjects.length);
  }
  return {
    ids: byType(changedObjects),
    before: at,
    after: null,
    shared: new Set(),
    alongside: kind === 'environment' ? await selectTags(em, caller.organizationId, id) : new Set(),
    leftOut: new Set(),
    isForbidden: false,
    notRevertible: [],
  };
}

/** Returns the tags of an environment. If the revert deletes the environment, these are deleted with it. */
async function selectTags(em: EntityManager, organizationId: OrganizationId, environmentId: string) {
  const rows = await em.query<{ id: string }[]>(
    'select id from tag where organization_id = $1 and environment_id = $2',
    [organizationId, environmentId],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns SQL that selects the rows that were added, deleted or changed since revision $2, in a fixed order. */
function differing(table: VersionedTable, condition: string): string {
  const columns = Object.keys(columnsOf(table)).join(', ');
  const side = (at: 'now' | Revision) =>
    `select object.id, object.ledger_id, row(${columns.replaceAll(/\w+/g, 'object.$&')})::text as written from ${rowsAt(table, at)} object where ${condition}`;
  return `${OWNED} select coalesce(earlier.id, latest.id) as id
    from (${side(0)}) earlier full join (${side('now')}) latest on latest.id = earlier.id
   where earlier.id is null or latest.id is null or (earlier.ledger_id <> latest.ledger_id and earlier.written <> latest.written)
   order by id limit ${REVERT_LIMITS.rows + 1}`;
}

/**
 * Finds a scope by name, id or link, in the current state or at the other point in time. Throws 403 if it is forbidden.
 */
export async function findScope(
  em: EntityManager,
  caller: Permissions & { readonly organizationId: OrganizationId },
  kind: RevertScopeKind,
  nameIdOrLink: string,
  at: Revision,
): Promise<FoundScope> {
  const pointer = jsonPointer(['scope', kind]);
  const id = nameIdOrLink.includes('/') ? lastSegment(nameIdOrLink) : nameIdOrLink;
  const isNamed = kind === 'project' || kind === 'environment';
  const name = kind === 'value' ? "''" : 'object.name';
  const matches = isNamed
    ? '(object.id::text = lower($3) or object.name = $4)'
    : '(object.id::text = lower($3) and $4::text is not null)';
  const scopeColumns = {
    project: 'object.id as project_id, null::uuid as environment_id',
    environment: 'null::uuid as project_id, object.id as environment_id',
    parameter: 'object.project_id, null::uuid as environment_id',
    value: `coalesce((select project_id from parameter where parameter.organization_id = $1 and parameter.id = object.parameter_id),
      (select project_id from parameter_history where parameter_history.organization_id = $1 and parameter_history.id = object.parameter_id limit 1)) as project_id,
      object.environment_id`,
  };
  const side = (when: 'now' | Revision, order: number) =>
    `select object.id, ${name} as name, ${scopeColumns[kind]}, (object.id::text = lower($3)) as is_id, ${order} as place
       from ${rowsAt(kind, when)} object where ${matches}`;
  const [scope] = await em.query<(FoundScope & { project_id: string | null; environment_id: string | null })[]>(
    `select * from (${side('now', 0)} union all ${side(0, 1)}) scope order by is_id desc, place limit 1`,
    [caller.organizationId, at, id, nameIdOrLink],
  );
  if (!scope)
    throw Failure.notFound(
      { project: 'Project', environment: 'Environment', parameter: 'Parameter', value: 'Value' }[kind],
    ).at(pointer);
  const { project_id: project, environment_id: environment } = scope;
  for (const scope of [project, environment]) {
    if (scope !== null && !canOnScope(caller, 'read', scope)) throw Failure.forbidden().at(pointer);
  }
  return { kind, id: scope.id, name: scope.name };
}

function byType(objects: readonly { readonly type: RevertibleType; readonly id: string }[]): IdsByType {
  const groups = Map.groupBy(objects, ({ type }) => type);
  return new Map([...groups].map(([type, typeObjects]) => [type, typeObjects.map(({ id }) => id)]));
}

function assertSize(rows: number): void {
  if (rows <= REVERT_LIMITS.rows) return;
  throw new Failure({
    kind: 'unprocessable',
    code: 'too_much_to_revert',
    message: sentence`This would revert more than ${{ limit: REVERT_LIMITS.rows }} objects. Revert it in parts, by operations or by project.`,
  });
}
