import { Injectable } from '@nestjs/common';
import {
  type EnvironmentId,
  type OrganizationId,
  type ProjectId,
  type ScopeId,
  TYPES_READ_BY_PROGRAMS,
} from '@strata/domain';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { wireTimeSql } from '../postgres/versioned-table.ts';
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

const READ = `${wireTimeSql('last_read.read_at')} as at, json_build_object('id', person.id, 'name', coalesce(person.name, person.email, person.id)) as by`;

/** The last read of a project in an environment: of everything (an empty name), and of the named parameter. */
const OF_NAME = `
select distinct on (last_read.name) last_read.name, ${READ}
  from last_read join person on person.id = last_read.account_id
 where last_read.organization_id = $1 and last_read.project_id = $2 and last_read.environment_id = $3 and last_read.name = any(array['', $4::text])
 order by last_read.name, last_read.read_at desc, last_read.account_id`;

/** The last read of each project in each environment. */
const OF_PROJECTS = `
select distinct on (last_read.project_id, last_read.environment_id) last_read.project_id as project, last_read.environment_id as environment, ${READ}
  from last_read join person on person.id = last_read.account_id
 where last_read.organization_id = $1 and last_read.project_id = any($2::uuid[]) and last_read.name = ''
 order by last_read.project_id, last_read.environment_id, last_read.read_at desc, last_read.account_id`;

/**
 * The last read that each deletion affects. A parameter and a value are read by reads of their project and of the
 * projects that depend on it; a value, by reads in its environment and the environments below. $2 are the deletions, $3
 * the scopes whose reads do not count, $4 the minutes since the read, or null for any read.
 */
const AFFECTED = `
with recursive
  deletion as (select * from json_to_recordset($2::json) input(ordinal int, type text, project uuid, environment uuid)),
  project_below (root, id) as (
    select distinct project, project from deletion where project is not null
    union select project_below.root, project.id from project_below join project on project.organization_id = $1 and project.depends_on_id = project_below.id),
  environment_below (root, id) as (
    select distinct environment, environment from deletion where type = 'Value'
    union select environment_below.root, environment.id from environment_below join environment on environment.organization_id = $1 and environment.parent_id = environment_below.id)
select deletion.ordinal, last_read.project_id as project, last_read.environment_id as environment, ${READ}
  from deletion
 cross join lateral (
   select * from last_read
    where last_read.organization_id = $1 and last_read.name = ''
      and last_read.project_id <> all($3::uuid[]) and last_read.environment_id <> all($3::uuid[])
      and ($4::int is null or last_read.read_at >= date_trunc('minute', clock_timestamp()) - $4::int * interval '1 minute')
      and case deletion.type
            when 'Environment' then last_read.environment_id = deletion.environment
            when 'Project' then last_read.project_id = deletion.project
            when 'Parameter' then last_read.project_id in (select project_below.id from project_below where project_below.root = deletion.project)
            else last_read.project_id in (select project_below.id from project_below where project_below.root = deletion.project)
             and last_read.environment_id in (select environment_below.id from environment_below where environment_below.root = deletion.environment) end
    order by last_read.read_at desc, last_read.account_id limit 1) last_read
  join person on person.id = last_read.account_id`;

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
  constructor(private readonly snapshotReader: SnapshotReader) {}

  /** Returns the last read of a project in an environment, and the last one that named the parameter. */
  async ofName(
    organizationId: OrganizationId,
    cell: { readonly project: ProjectId; readonly environment: EnvironmentId; readonly name: string },
  ): Promise<{ readonly any: LastRead | null; readonly named: LastRead | null }> {
    const { project, environment, name } = cell;
    const values = [organizationId, project, environment, name];
    const rows = await this.snapshotReader.query<LastRead & { name: string }>(OF_NAME, values);
    const findRead = (key: string) => rows.find((row) => row.name === key) ?? null;
    return { any: findRead(''), named: findRead(name) };
  }

  /** Returns the last read of each project in each environment. */
  async ofProjects(organizationId: OrganizationId, projects: readonly ProjectId[]): Promise<readonly AffectedRead[]> {
    return projects.length === 0
      ? []
      : this.snapshotReader.query<AffectedRead>(OF_PROJECTS, [organizationId, projects]);
  }
}

/** Returns the last read that each deletion among the changes affects, by the change. Runs one statement. */
export async function findReadsAffectedBy(
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
