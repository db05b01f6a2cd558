import { Injectable } from '@nestjs/common';
import {
  type EnvironmentId,
  type OrganizationId,
  type ProjectId,
  type ScopeId,
  TYPES_READ_BY_PROGRAMS,
} from '@strata/domain';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { wireTime } from '../postgres/versioned-table.ts';
import type { Change } from './change.ts';

/** The last read by a service account. */
export interface LastRead {
  readonly at: string;
  readonly by: { readonly id: string; readonly name: string };
}

/** Members of a response that say when something was last read. */
export interface LastReadMembers {
  readonly last_read_at: string | null;
  readonly last_read_by: LastRead['by'] | null;
}

export function lastReadMembers(read: LastRead | null | undefined): LastReadMembers {
  return { last_read_at: read?.at ?? null, last_read_by: read?.by ?? null };
}

/** The last read that a deletion affects. */
export interface AffectedRead extends LastRead {
  /** The project and the environment that were read. */
  readonly project: ProjectId;
  readonly environment: EnvironmentId;
}

const READ = `${wireTime('r.read_at')} as at, json_build_object('id', p.id, 'name', coalesce(p.name, p.email, p.id)) as by`;

/** The last read of a project in an environment: of everything (an empty name), and of the named parameter. */
const OF_NAME = `
select distinct on (r.name) r.name, ${READ}
  from last_read r join person p on p.id = r.account_id
 where r.organization_id = $1 and r.project_id = $2 and r.environment_id = $3 and r.name = any(array['', $4::text])
 order by r.name, r.read_at desc, r.account_id`;

/** The last read of each project in each environment. */
const OF_PROJECTS = `
select distinct on (r.project_id, r.environment_id) r.project_id as project, r.environment_id as environment, ${READ}
  from last_read r join person p on p.id = r.account_id
 where r.organization_id = $1 and r.project_id = any($2::uuid[]) and r.name = ''
 order by r.project_id, r.environment_id, r.read_at desc, r.account_id`;

/**
 * The last read that each deletion affects. A parameter and a value are read by reads of their project and of the
 * projects that depend on it; a value, by reads in its environment and the environments below. $2 are the deletions, $3
 * the scopes whose reads do not count, $4 the minutes since the read, or null for any read.
 */
const AFFECTED = `
with recursive
  deletion as (select * from json_to_recordset($2::json) d(ordinal int, type text, project uuid, environment uuid)),
  project_below (root, id) as (
    select distinct project, project from deletion where project is not null
    union select b.root, q.id from project_below b join project q on q.organization_id = $1 and q.depends_on_id = b.id),
  environment_below (root, id) as (
    select distinct environment, environment from deletion where type = 'Value'
    union select b.root, e.id from environment_below b join environment e on e.organization_id = $1 and e.parent_id = b.id)
select d.ordinal, r.project_id as project, r.environment_id as environment, ${READ}
  from deletion d
 cross join lateral (
   select * from last_read r
    where r.organization_id = $1 and r.name = ''
      and r.project_id <> all($3::uuid[]) and r.environment_id <> all($3::uuid[])
      and ($4::int is null or r.read_at >= date_trunc('minute', clock_timestamp()) - $4::int * interval '1 minute')
      and case d.type
            when 'Environment' then r.environment_id = d.environment
            when 'Project' then r.project_id = d.project
            when 'Parameter' then r.project_id in (select b.id from project_below b where b.root = d.project)
            else r.project_id in (select b.id from project_below b where b.root = d.project)
             and r.environment_id in (select b.id from environment_below b where b.root = d.environment) end
    order by r.read_at desc, r.account_id limit 1) r
  join person p on p.id = r.account_id`;

export function isProtectedDeletion({ action, objectType }: Change): boolean {
  return action === 'delete' && TYPES_READ_BY_PROGRAMS.has(objectType);
}

interface AffectedOptions {
  /** Reads of these scopes do not count. */
  readonly forbidden?: readonly ScopeId[];
  /** Only reads of the last minutes count. */
  readonly withinMinutes?: number;
}

/** Finds out when service accounts last read configuration (ADR 0062). `Reads` stores it. */
@Injectable()
export class LastReads {
  constructor(private readonly committed: SnapshotReader) {}

  /** Returns the last read of a project in an environment, and the last one that named the parameter. */
  async ofName(
    organizationId: OrganizationId,
    cell: { readonly project: ProjectId; readonly environment: EnvironmentId; readonly name: string },
  ): Promise<{ readonly any: LastRead | null; readonly named: LastRead | null }> {
    const { project, environment, name } = cell;
    const values = [organizationId, project, environment, name];
    const rows = await this.committed.query<LastRead & { name: string }>(OF_NAME, values);
    const of = (key: string) => rows.find((row) => row.name === key) ?? null;
    return { any: of(''), named: of(name) };
  }

  /** Returns the last read of each project in each environment. */
  async ofProjects(organizationId: OrganizationId, projects: readonly ProjectId[]): Promise<readonly AffectedRead[]> {
    return projects.length === 0 ? [] : this.committed.query<AffectedRead>(OF_PROJECTS, [organizationId, projects]);
  }
}

/** Returns the last read that each deletion among the changes affects, by the change. Runs one statement. */
export async function readsAffectedBy(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  changes: readonly Change[],
  { forbidden = [], withinMinutes }: AffectedOptions = {},
): Promise<ReadonlyMap<Change, AffectedRead>> {
  const deletions = changes.filter(isProtectedDeletion);
  if (deletions.length === 0) return new Map();
  const rows = distinctLocations(deletions);
  const affectedReads = await reader.query<AffectedRead & { ordinal: number }>(AFFECTED, [
    organizationId,
    JSON.stringify([...rows.values()]),
    forbidden,
    withinMinutes ?? null,
  ]);
  const reads = new Map(affectedReads.map((read) => [read.ordinal, read]));
  return new Map(
    deletions.flatMap((change) => {
      const read = reads.get(rows.get(locationKey(change))?.ordinal ?? -1);
      return read ? [[change, read] as const] : [];
    }),
  );
}

/** Returns each location once, because all values of a project in an environment have the same last read. */
function distinctLocations(deletions: readonly Change[]) {
  const rows = new Map<string, { ordinal: number; type: string; project: string | null; environment: string | null }>();
  for (const change of deletions) {
    const { objectType: type, project, environment } = change;
    const row = { ordinal: rows.size, type, project: project?.id ?? null, environment: environment?.id ?? null };
    if (!rows.has(locationKey(change))) rows.set(locationKey(change), row);
  }
  return rows;
}

function locationKey({ objectType, project, environment }: Change): string {
  return JSON.stringify([objectType, project?.id, environment?.id]);
}
