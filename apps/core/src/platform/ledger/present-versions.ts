import {
  type ChangeAction,
  canOnScope,
  isUuid,
  type OrganizationId,
  type PresentVersion,
  type Revision,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../caller.ts';
import { wireTime } from '../postgres/versioned-table.ts';

/** Objects that have a `ledger_id`. */
const VERSIONED = [
  'environment',
  'project',
  'parameter_type',
  'parameter_type_rule',
  'parameter',
  'parameter_rule',
  'value',
  'template',
];

/** Refusals that name more do not get more useful. */
const VERSIONS_MAX = 1_000;

interface ChangeRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly action: ChangeAction;
  readonly projectId: string | null;
  readonly environmentId: string | null;
  readonly revision: Revision;
  readonly at: string;
  readonly actorId: string;
  readonly actorName: string;
  readonly actorType: string;
}

const LATEST = `
select i.id, c.object_name as name, c.object_type as type, c.action, c.project_id as "projectId",
       c.environment_id as "environmentId", s.revision, ${wireTime('s.at')} as at,
       s.actor_id as "actorId", s.actor_name as "actorName", s.actor_type as "actorType"
  from unnest($2::text[]) i(id)
 cross join lateral (
   select * from change where organization_id = $1 and object_id = i.id and revision < $3
    order by revision desc, ordinal desc limit 1) c
  join changeset s on s.organization_id = $1 and s.revision = c.revision`;

/**
 * Of each object the version that it had before the write of `revision`, and who made it, as far as the caller may know of
 * such changes. Objects without a history of their own have no `ledger_id`.
 */
export async function presentVersions(
  em: EntityManager,
  caller: Caller,
  ids: readonly string[],
  revision: Revision = Number.MAX_SAFE_INTEGER,
): Promise<readonly PresentVersion[]> {
  const { organizationId } = caller;
  const wanted = [...new Set(ids)].slice(0, VERSIONS_MAX);
  const rows = await em.query<ChangeRow[]>(LATEST, [organizationId, wanted, revision]);
  const visible = rows.filter(({ projectId, environmentId }) =>
    [projectId, environmentId].every((scope) => scope === null || canOnScope(caller, 'read', scope)),
  );
  const ledgerIds = await ledgerIdsBefore(
    em,
    organizationId,
    visible.map(({ id }) => id),
    revision,
  );
  return visible.map(({ id, name, type, action, revision: of, at, actorId, actorName, actorType }) => ({
    object: { type, id, name },
    ledger_id: ledgerIds.get(id) ?? null,
    action,
    revision: of,
    at,
    actor: { id: actorId, name: actorName, type: actorType },
  }));
}

/** The `ledger_id` of each object that has one, as it was before the write of `revision`. */
export async function ledgerIdsBefore(
  em: EntityManager,
  organizationId: OrganizationId,
  ids: readonly string[],
  revision: Revision = Number.MAX_SAFE_INTEGER,
): Promise<ReadonlyMap<string, string>> {
  const wanted = ids.filter(isUuid);
  if (wanted.length === 0) return new Map();
  const each = VERSIONED.map(
    (table) => `
      select id::text, ledger_id::text from ${table} where organization_id = $1 and id = any(i.ids) and revision < $3
      union all
      select id::text, ledger_id::text from ${table}_history
       where organization_id = $1 and id = any(i.ids) and revision < $3 and revision_to = $3`,
  );
  const rows = await em.query<{ id: string; ledger_id: string }[]>(
    `select v.* from (select $2::uuid[] as ids) i cross join lateral (${each.join(' union all ')}) v`,
    [organizationId, wanted, revision],
  );
  return new Map(rows.map(({ id, ledger_id: ledgerId }) => [id, ledgerId]));
}
