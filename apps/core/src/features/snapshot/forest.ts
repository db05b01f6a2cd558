import { Injectable } from '@nestjs/common';
import type { EnvironmentNode, OrganizationId, ProjectLink, Revision } from '@strata/domain';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type PointInTime, rowsAt, wireTimeSql } from '../../platform/postgres/versioned-table.ts';

const PROJECTS = 'select project.id, project.name, project.depends_on_id as "dependsOnId"';

/** All environments and projects of an organization at one point in time. The same for every caller. */
export interface Forest {
  readonly organizationId: OrganizationId;
  /** The requested point in time. */
  readonly at: PointInTime;
  /** The revision that was read. */
  readonly revision: Revision;
  /** The instant of that revision, or the current time if `at` is the present. Null before the first write. */
  readonly instant: string | null;
  readonly environments: readonly EnvironmentNode[];
  readonly projects: readonly ProjectLink[];
  /** The current dependencies of the projects; null if `at` is the present. */
  readonly projectsNow: readonly ProjectLink[] | null;
}

/** SQL for additional rows at the same revision. Its parameters start at $3 and have the `values`. */
export interface AdditionalRows {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Reads the environments and projects of an organization with one statement. */
@Injectable()
export class Forests {
  constructor(private readonly reader: SnapshotReader) {}

  async of<Row = never>(
    readOptions: Pick<Forest, 'organizationId' | 'at'>,
    additionalRows: AdditionalRows | null = null,
  ): Promise<Forest & { readonly further: readonly Row[] }> {
    const { at } = readOptions;
    const instant =
      at === 'now'
        ? `select ${wireTimeSql('clock_timestamp()')} as at`
        : `select ${wireTimeSql('changeset.at')} as at from changeset where changeset.organization_id = $1 and changeset.revision = $2`;
    const { instants, now, ...sets } = await this.reader.sets<{
      environments: EnvironmentNode[];
      projects: ProjectLink[];
      now: ProjectLink[];
      instants: { readonly at: string }[];
      further: Row[];
    }>(
      readOptions,
      {
        environments: `select environment.id, environment.name, environment.parent_id as "parentId" from ${rowsAt('environment', at)} environment`,
        projects: `${PROJECTS} from ${rowsAt('project', at)} project`,
        now: at === 'now' ? 'select where false' : `${PROJECTS} from ${rowsAt('project', 'now')} project`,
        instants: instant,
        further: additionalRows?.sql ?? 'select where false',
      },
      additionalRows?.values ?? [],
    );
    return { ...readOptions, ...sets, instant: instants[0]?.at ?? null, projectsNow: at === 'now' ? null : now };
  }
}
