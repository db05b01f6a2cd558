import {
  chainFrom,
  type EnvironmentId,
  type EnvironmentNode,
  listLineage,
  type OrganizationId,
  type ParameterId,
  type ParameterRow,
  type ProjectId,
  type ProjectLink,
  type Revision,
  type ScopeId,
  visibleParameters,
} from '@strata/domain';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { TextRecord } from './snapshot.ts';
import { selectStates, versionsSql } from './version-sql.ts';
import { listBoundaries, type Version, VersionIndex, VersionSweep } from './versions.ts';

export type EnvironmentVersion = EnvironmentNode & Version;
export type ProjectVersion = ProjectLink & Version;
export type ParameterVersion = ParameterRow & { readonly secret: boolean } & Version;
/** A version of a value. Encrypted texts are never read. */
export type ValueVersion = Omit<TextRecord, 'sealed'> &
  Version & {
    readonly isNull: boolean;
    /** Whether the text is secret or in a controlled scope. Such a text was not read and must not be compared. */
    readonly isHidden: boolean;
  };

export interface ConfigurationVersions {
  readonly environments: readonly EnvironmentVersion[];
  readonly projects: readonly ProjectVersion[];
  readonly parameters: readonly ParameterVersion[];
  readonly values: readonly ValueVersion[];
}

/** The part of the history to read. */
export interface HistorySpan {
  readonly organizationId: OrganizationId;
  /** The projects in which the names are resolved. */
  readonly projectIds: readonly ProjectId[];
  /** The names to read; null reads all names. */
  readonly names: readonly string[] | null;
  /** Versions that ended at or before this revision are left out. */
  readonly from: Revision;
  readonly to: Revision;
  /** The data of values to read: none, the cells only, or also the texts that may be compared. */
  readonly values: 'none' | 'places' | TextSpan;
}

export interface TextSpan {
  /** The maximum total size. Versions that ended first are cut first. Hidden texts do not count. */
  readonly bytesMax: number;
  /** Scopes whose texts are hidden. */
  readonly hiddenScopes: readonly ScopeId[];
}

const PROJECTS = versionsSql('project', 'id, depends_on_id as "dependsOnId"');
const PARAMETERS = versionsSql('parameter', 'id, project_id as "projectId", name, secret');
const TEXTS = versionsSql(
  'value',
  'id, parameter_id as "parameterId", environment_id as "environmentId", interpolated, text, text is null and sealed is null as "isNull"',
);
/** SQL for all projects that the projects $4 depended on at any time in the span. */
const REACH = `with recursive reach as (
  select unnest($4::uuid[]) as id
  union
  select project."dependsOnId" from reach join ${PROJECTS} project on project.id = reach.id where project."dependsOnId" is not null)`;
const OWNERS = `($5::text[] is null or parameter.name = any($5::text[])) and parameter."projectId" = any(array(select id from reach))`;

const OF_OWNERS = `value."parameterId" = any(array(select distinct parameter.id from ${PARAMETERS} parameter where ${OWNERS}))`;

/** The size of a version without its text. It limits the number of versions. */
const VERSION_BYTES = 1_024;
const STRUCTURE: Omit<{ readonly [Name in keyof ConfigurationVersions]: string }, 'values'> = {
  environments: `select * from ${selectStates('environment', { id: 'id', name: 'name', parentId: 'parent_id' })} environment`,
  projects: `${REACH} select * from ${selectStates('project', { id: 'id', name: 'name', dependsOnId: 'depends_on_id' })} project
    where project.id = any(array(select id from reach))`,
  parameters: `${REACH}
    select * from ${selectStates('parameter', { id: 'id', projectId: 'project_id', name: 'name', secret: 'secret' })} parameter where ${OWNERS}`,
};

const VALUE_PLACES = selectStates('value', {
  id: 'id',
  parameterId: 'parameter_id',
  environmentId: 'environment_id',
  interpolated: 'interpolated',
  text: 'null::text',
  isNull: 'text is null and sealed is null',
  isHidden: 'true',
});
const QUERIES = {
  none: { ...STRUCTURE, values: 'select where false' },
  places: { ...STRUCTURE, values: `${REACH} select * from ${VALUE_PLACES} value where ${OF_OWNERS}` },
};

interface CutVersions extends ConfigurationVersions {
  /** The values; `bytes` is the total size up to and including the value. */
  readonly values: readonly (ValueVersion & { readonly bytes: number })[];
  readonly counts: readonly { readonly values: number }[];
}

/** SQL condition for hidden values. $7 contains the hidden scopes. */
const IS_HIDDEN = `(value."environmentId" = any($7::uuid[]) or value."parameterId" in (
  select parameter.id from ${PARAMETERS} parameter where ${OWNERS} and (parameter.secret or parameter."projectId" = any($7::uuid[]))))`;

/** Statements with texts. $6 is the maximum size. Current versions are sorted first, so that they are cut last. */
const QUERIES_WITH_TEXTS: { readonly [Name in keyof CutVersions]: string } = {
  ...STRUCTURE,
  counts: `${REACH} select count(*)::int as values from ${TEXTS} value where ${OF_OWNERS}`,
  values: `${REACH}
    select * from (
      select value.*,
             sum(${VERSION_BYTES} + coalesce(octet_length(value.text), 0))
               over (order by value."revisionTo" desc nulls first, value.revision desc, value.id rows unbounded preceding) as bytes
        from (select value.id, value."parameterId", value."environmentId", value.interpolated, value.revision, value."revisionTo", value."isNull",
                     hidden."isHidden", case when not hidden."isHidden" then value.text end as text
                from ${TEXTS} value cross join lateral (select ${IS_HIDDEN} as "isHidden") hidden where ${OF_OWNERS}) value) value
     where value.bytes <= $6::bigint
     order by value."revisionTo" desc nulls first, value.revision desc, value.id`,
};

/**
 * The history of all inputs of some names, for every revision of a span. It is read with one statement, however long
 * the span is.
 */
export class ConfigurationHistory {
  private readonly environments: VersionIndex<EnvironmentVersion>;
  private readonly allEnvironments: VersionSweep<EnvironmentVersion>;
  private readonly projects: VersionIndex<ProjectVersion>;
  /** Indexed by project and name. */
  private readonly parameters: VersionIndex<ParameterVersion>;
  /** Indexed by parameter and environment. */
  private readonly values: VersionIndex<ValueVersion>;
  private readonly valuesOf: ReadonlyMap<ParameterId, readonly ValueVersion[]>;
  private readonly parametersOf: ReadonlyMap<string, readonly ParameterVersion[]>;

  private constructor(
    readonly versions: ConfigurationVersions,
    /** The first revision of the available history; 0 if the history is complete. */
    readonly knownFrom: Revision,
    /** The total size of the values that were read with texts. */
    readonly bytes: number,
  ) {
    const { environments, projects, parameters, values } = versions;
    this.environments = new VersionIndex(environments, ({ id }) => id);
    this.allEnvironments = new VersionSweep(environments);
    this.projects = new VersionIndex(projects, ({ id }) => id);
    this.parameters = new VersionIndex(parameters, ({ projectId, name }) => `${projectId} ${name}`);
    this.values = new VersionIndex(values, ({ parameterId, environmentId }) => `${parameterId} ${environmentId}`);
    this.valuesOf = Map.groupBy(values, ({ parameterId }) => parameterId);
    this.parametersOf = Map.groupBy(parameters, ({ name }) => name);
  }

  static async of(reader: SnapshotReader, span: HistorySpan): Promise<ConfigurationHistory> {
    const { organizationId, projectIds, names, from, to, values } = span;
    const parameters = [from, projectIds, names && [...new Set(names)]];
    const readOptions = { organizationId, at: to };
    if (typeof values === 'string') {
      const versions = await reader.sets<ConfigurationVersions>(readOptions, QUERIES[values], parameters);
      return new ConfigurationHistory(versions, from, 0);
    }
    const withTexts = [...parameters, values.bytesMax, values.hiddenScopes];
    const versions = await reader.sets<CutVersions>(readOptions, QUERIES_WITH_TEXTS, withTexts);
    const lastVersion = versions.values.at(-1);
    const isCut = versions.counts.some((count) => count.values > versions.values.length);
    return new ConfigurationHistory(versions, isCut ? (lastVersion?.revisionTo ?? to) : from, lastVersion?.bytes ?? 0);
  }

  /** Returns all environments of the organization. Calls with descending revisions are the cheapest. */
  environmentsAt(revision: Revision): readonly EnvironmentVersion[] {
    return this.allEnvironments.at(revision);
  }

  /** Returns the environment and its ancestors up to the root, or null if it did not exist. */
  lineageAt(revision: Revision, environmentId: EnvironmentId): readonly EnvironmentId[] | null {
    const { environments } = this;
    if (!environments.at(environmentId, revision)) return null;
    return listLineage({ get: (id) => environments.at(id, revision), size: environments.size }, environmentId);
  }

  /**
   * Returns the project and all projects that it depended on, in order. Returns an empty list if the project did not
   * exist.
   */
  chainAt(revision: Revision, projectId: ProjectId): readonly ProjectId[] {
    if (!this.projects.at(projectId, revision)) return [];
    return chainFrom(projectId, (id) => this.projects.at(id, revision)?.dependsOnId);
  }

  /** Returns every version of every parameter with this name in any of the projects. */
  named(name: string): readonly ParameterVersion[] {
    return this.parametersOf.get(name) ?? [];
  }

  /** Returns the parameter that a project had under this name. */
  parameterAt(revision: Revision, projectId: ProjectId, name: string): ParameterVersion | undefined {
    return this.parameters.at(`${projectId} ${name}`, revision);
  }

  /** Returns the parameters with this name in the chain of a project, nearest first. */
  ownersAt(revision: Revision, projectId: ProjectId, name: string): readonly ParameterVersion[] {
    const chain = this.chainAt(revision, projectId);
    const [visibleParameter] = visibleParameters(
      chain.map((id) => ({ id })),
      chain.flatMap((id) => this.parameterAt(revision, id, name) ?? []),
    );
    return visibleParameter?.owners ?? [];
  }

  /** Returns every version of the values of a parameter. */
  valuesOfParameter(id: ParameterId): readonly ValueVersion[] {
    return this.valuesOf.get(id) ?? [];
  }

  /** Returns the values of these parameters in these environments. */
  valuesAt(
    revision: Revision,
    owners: readonly { readonly id: ParameterId }[],
    environmentIds: readonly EnvironmentId[],
  ): readonly ValueVersion[] {
    return owners.flatMap(({ id }) =>
      environmentIds.flatMap((environmentId) => this.values.at(`${id} ${environmentId}`, revision) ?? []),
    );
  }

  /** Returns the revisions at which one of the environments was moved, created or deleted. */
  environmentMoves(ids: Iterable<EnvironmentId>): Set<Revision> {
    return findMoves(this.environments, ids, ({ parentId }) => parentId);
  }

  /** Returns the revisions at which a project's `depends_on` changed, or a project was created or deleted. */
  projectMoves(): Set<Revision> {
    const ids = new Set(this.versions.projects.map(({ id }) => id));
    return findMoves(this.projects, ids, ({ dependsOnId }) => dependsOnId);
  }

  /** Returns the environment and everything that was its ancestor at any time. */
  everAbove(environmentId: EnvironmentId): ReadonlySet<EnvironmentId> {
    const ancestors = new Set([environmentId]);
    for (const id of ancestors) {
      for (const { parentId } of this.environments.of(id)) if (parentId !== null) ancestors.add(parentId);
    }
    return ancestors;
  }
}

/** Returns the revisions at which an object got another parent, was created, or was deleted. Renames do not count. */
function findMoves<V extends Version>(
  index: VersionIndex<V>,
  ids: Iterable<string>,
  linkOf: (version: V) => string | null,
): Set<Revision> {
  const moves = new Set<Revision>();
  for (const id of ids) {
    const linkAt = (revision: Revision) => {
      const version = index.at(id, revision);
      return version && linkOf(version);
    };
    for (const revision of listBoundaries(index.of(id))) {
      if (linkAt(revision) !== linkAt(revision - 1)) moves.add(revision);
    }
  }
  return moves;
}
