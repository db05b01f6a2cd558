import { Injectable } from '@nestjs/common';
import type { TemplateTimeline, TemplateTimelineEntry, TimelineQuery } from '@strata/contract';
import { assertAbilityOnScope, type EnvironmentId, type ProjectId, type Revision, type Uuid } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { notFoundAtError, PointsInTime } from '../../platform/http/points-in-time.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type PointInTime, rowsAt } from '../../platform/postgres/versioned-table.ts';
import { createTimeline, describeActor, type EntryRow, entryQueries, historyType } from './timeline-entries.ts';

/** A project, and either one of its templates or all of them. */
export interface TemplateSubject {
  readonly projectId: ProjectId;
  readonly templateId: Uuid | null;
}

/** A version of a template. Its last revision is null if it is the current version. */
interface Version {
  readonly id: Uuid;
  readonly ledger_id: Uuid;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly revision: Revision;
  readonly revision_to: Revision | null;
}

interface Sets {
  readonly environments: readonly { readonly id: EnvironmentId }[];
  readonly projects: readonly object[];
  readonly templates: readonly object[];
  readonly versions: readonly Version[];
  readonly entries: readonly EntryRow[];
  readonly older: readonly { readonly at: string }[];
}

/** $3 is the project, $4 the template, $5 the page size, and $6 the environment. */
function queries(at: PointInTime, { templateId }: TemplateSubject): { readonly [Name in keyof Sets]: string } {
  const isOurs = templateId === null ? '' : 'and change.object_id = $4::uuid::text';
  const { page, entries, older } = entryQueries(
    `change.object_type = 'Template' and change.project_id = $3::uuid ${isOurs}`,
    '$5',
  );
  const columns = 'id, ledger_id, name, description, body, revision';
  return {
    entries,
    older,
    // Selects current environments, because tags are also looked up in the current ones.
    environments: `
      select environment.id from environment
       where environment.organization_id = $1 and (environment.id::text = lower($6::text) or environment.name = $6)
       order by (environment.id::text = lower($6)) desc limit 1`,
    projects: `select 1 as found from ${rowsAt('project', at)} project where project.id = $3::uuid`,
    templates: `select 1 as found from ${rowsAt('template', at)} template where template.id = $4::uuid and template.project_id = $3::uuid`,
    versions: `
      select version.* from (
        select ${columns}, null::bigint as revision_to from template where organization_id = $1 and project_id = $3::uuid
        union all
        select ${columns}, revision_to from template_history where organization_id = $1 and project_id = $3::uuid) version
       where exists (select from (${page}) change where change.object_id = version.id::text and change.revision in (version.revision, version.revision_to))`,
  };
}

/** Reads the changes of templates from the ledger, each with the text after the change (behaviour.md §7.4). */
@Injectable()
export class TemplateTimelines {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly pointsInTime: PointsInTime,
  ) {}

  async of(
    caller: Caller,
    subject: TemplateSubject,
    query: TimelineQuery,
  ): Promise<{ readonly revision: number; readonly timeline: TemplateTimeline }> {
    const { projectId, templateId } = subject;
    const at = await this.pointsInTime.of(caller, query);
    const { environments, projects, templates, versions, entries, older, revision } = await this.reader.sets<Sets>(
      { organizationId: caller.organizationId, at },
      queries(at, subject),
      [projectId, templateId, query.page_size, query.environment ?? null],
    );
    if (projects.length === 0) throw notFoundAtError('Project', at);
    if (query.environment !== undefined) assertEnvironment(caller, environments, at);
    if (templateId !== null && templates.length === 0) throw notFoundAtError('Template', at);
    const versionsByStart = new Map(versions.map((version) => [`${version.id} ${version.revision}`, version]));
    const versionsByEnd = new Map(versions.map((version) => [`${version.id} ${version.revision_to}`, version]));
    const entriesShown = entries.map((entry) => {
      const key = `${entry.object_id} ${entry.revision}`;
      return presentEntry(entry, entry.action === 'delete' ? versionsByEnd.get(key) : versionsByStart.get(key));
    });
    return { revision, timeline: createTimeline(entriesShown, older) };
  }
}

/** Rejects an unknown environment, although the environment only affects how a tag is resolved. */
function assertEnvironment(caller: Caller, [environment]: Sets['environments'], at: PointInTime): void {
  if (!environment) throw notFoundAtError('Environment', at);
  assertAbilityOnScope(caller, 'read', environment.id, '/environment');
}

/** Presents a change. If a template was created and deleted within one revision, only its name is stored. */
function presentEntry(entry: EntryRow, version: Version | undefined): TemplateTimelineEntry {
  return {
    history_type: historyType(entry),
    modified_at: entry.at,
    modified_by: describeActor(entry),
    history_template: {
      id: entry.object_id,
      ledger_id: version?.ledger_id ?? entry.object_id,
      name: version?.name ?? entry.object_name,
      description: version?.description ?? '',
      body: version?.body ?? '',
    },
  };
}
