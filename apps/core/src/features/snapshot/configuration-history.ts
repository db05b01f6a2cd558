import {
  byId,
  type EnvironmentId,
  type EnvironmentNode,
  lineage,
  type OrganizationId,
  type ParameterId,
  type ParameterRow,
  type ProjectId,
  type ProjectLink,
  projectChain,
  type Revision,
  type ScopeId,
} from '@strata/domain';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { TextRecord } from './snapshot.ts';

/** A row as it was from one revision on until before another; null: until now. */
export interface Version {
  readonly revision: Revision;
  readonly revisionTo: Revision | null;
}

export type EnvironmentVersion = EnvironmentNode & Version;
export type ProjectVersion = ProjectLink & Version;
export type ParameterVersion = ParameterRow & { readonly secret: boolean } & Version;
/** Sealed texts are never read. */
export type ValueVersion = Omit<TextRecord, 'sealed'> &
  Version & {
    readonly isNull: boolean;
    /** Its text is not for comparing, since it is secret or lies in a controlled scope, and was not read. */
    readonly isHidden: boolean;
  };

export interface ConfigurationVersions {
  readonly environments: readonly EnvironmentVersion[];
  readonly projects: readonly ProjectVersion[];
  readonly parameters: readonly ParameterVersion[];
  readonly values: readonly ValueVersion[];
}

/** Which part of history is read. */
export interface HistorySpan {
  readonly organizationId: OrganizationId;
  /** Those whose names are asked about. */
  readonly projectIds: readonly ProjectId[];
  /** Null: all names. */
  readonly names: readonly string[] | null;
  /** Versions that ended at or before this revision are left out. */
  readonly from: Revision;
  readonly to: Revision;
  /** Which texts of values are read; none when it is left out. */
  readonly texts?: TextSpan;
}

export interface TextSpan {
  /** At most so many bytes: those of the versions that ended last. How long hidden texts are does not count. */
  readonly bytesMax: number;
  /** The scopes whose texts stay hidden. */
  readonly hiddenScopes: readonly ScopeId[];
}

/** Versions of a table between the revisions $3 and $2. */
export const versionsOf = (table: string, columns: string): string => `(
  select ${columns}, revision, null::bigint as "revisionTo" from ${table} where organization_id = $1 and revision <= $2
  union all
  select ${columns}, revision, revision_to from ${table}_history
   where organization_id = $1 and revision <= $2 and revision_to > $3)`;

const PROJECTS = versionsOf('project', 'id, name, depends_on_id as "dependsOnId"');
const PARAMETERS = versionsOf('parameter', 'id, project_id as "projectId", name, secret');
const VALUE = 'id, parameter_id as "parameterId", environment_id as "environmentId", interpolated';
const IS_NULL = 'text is null and sealed is null as "isNull"';
const VALUES = versionsOf('value', `${VALUE}, null::text as text, ${IS_NULL}, true as "isHidden"`);
const TEXTS = versionsOf('value', `${VALUE}, text, ${IS_NULL}`);
/** Whatever the projects $4 depended on at any time in between. */
const REACH = `with recursive reach as (
  select unnest($4::uuid[]) as id
  union
  select v."dependsOnId" from reach r join ${PROJECTS} v on v.id = r.id where v."dependsOnId" is not null)`;
const OWNERS = `($5::text[] is null or x.name = any($5::text[])) and x."projectId" = any(array(select id from reach))`;

const OF_OWNERS = `v."parameterId" = any(array(select x.id from ${PARAMETERS} x where ${OWNERS}))`;

/** What a version of a value takes beside its text. */
const VERSION_BYTES = 256;
const QUERIES: { readonly [Name in keyof ConfigurationVersions]: string } = {
  environments: `select * from ${versionsOf('environment', 'id, name, parent_id as "parentId"')} v`,
  projects: `${REACH} select * from ${PROJECTS} v where v.id = any(array(select id from reach))`,
  parameters: `${REACH} select * from ${PARAMETERS} x where ${OWNERS}`,
  values: `${REACH} select * from ${VALUES} v where ${OF_OWNERS}`,
};

interface CutVersions extends ConfigurationVersions {
  /** Each with the bytes of it and of those before it. */
  readonly values: readonly (ValueVersion & { readonly bytes: number })[];
  readonly counts: readonly { readonly values: number }[];
}

/** $7 scopes. */
const IS_HIDDEN = `(v."environmentId" = any($7::uuid[]) or v."parameterId" = any(array(
  select x.id from ${PARAMETERS} x where ${OWNERS} and (x.secret or x."projectId" = any($7::uuid[])))))`;

/** $6 bytes. What is there by now comes first, so that it is cut last. */
const QUERIES_WITH_TEXTS: { readonly [Name in keyof CutVersions]: string } = {
  ...QUERIES,
  counts: `${REACH} select count(*)::int as values from ${VALUES} v where ${OF_OWNERS}`,
  values: `${REACH}
    select * from (
      select v.*,
             sum(${VERSION_BYTES} + coalesce(octet_length(v.text), 0))
               over (order by v."revisionTo" desc nulls first, v.revision desc, v.id rows unbounded preceding) as bytes
        from (select v.id, v."parameterId", v."environmentId", v.interpolated, v.revision, v."revisionTo", v."isNull",
                     h."isHidden", case when not h."isHidden" then v.text end as text
                from ${TEXTS} v cross join lateral (select ${IS_HIDDEN} as "isHidden") h where ${OF_OWNERS}) v) v
     where v.bytes <= $6::bigint
     order by v."revisionTo" desc nulls first, v.revision desc, v.id`,
};

/** What decided about some names, at every revision of a span. One statement, however long it is. */
export class ConfigurationHistory {
  private readonly environments = new Map<Revision, readonly EnvironmentVersion[]>();
  private readonly lineages = new Map<string, readonly EnvironmentId[] | null>();
  private readonly chains = new Map<string, readonly ProjectId[]>();
  private readonly valuesOf: ReadonlyMap<ParameterId, readonly ValueVersion[]>;
  private readonly parametersOf: ReadonlyMap<string, readonly ParameterVersion[]>;

  private constructor(
    readonly versions: ConfigurationVersions,
    /** Nothing is known of what was before this revision; 0 when everything is. */
    readonly knownFrom: Revision,
    /** Nor of what came after this one. */
    readonly knownTo: Revision,
    /** How much was read of values, if their texts were. */
    readonly bytes: number,
  ) {
    this.valuesOf = Map.groupBy(versions.values, ({ parameterId }) => parameterId);
    this.parametersOf = Map.groupBy(versions.parameters, ({ name }) => name);
  }

  static async of(reader: SnapshotReader, span: HistorySpan): Promise<ConfigurationHistory> {
    const { organizationId, projectIds, names, from, to, texts } = span;
    const parameters = [from, projectIds, names && [...new Set(names)]];
    const reading = { organizationId, at: to };
    if (texts === undefined) {
      const versions = await reader.sets<ConfigurationVersions>(reading, QUERIES, parameters);
      return new ConfigurationHistory(versions, from, to, 0);
    }
    const withTexts = [...parameters, texts.bytesMax, texts.hiddenScopes];
    const versions = await reader.sets<CutVersions>(reading, QUERIES_WITH_TEXTS, withTexts);
    const last = versions.values.at(-1);
    const isCut = versions.counts.some(({ values }) => values > versions.values.length);
    return new ConfigurationHistory(versions, isCut ? (last?.revisionTo ?? to) : from, to, last?.bytes ?? 0);
  }

  environmentsAt(revision: Revision): readonly EnvironmentVersion[] {
    const known = this.environments.get(revision) ?? this.versions.environments.filter(validAt(revision));
    this.environments.set(revision, known);
    return known;
  }

  /** The environment, its parent, and so on to the root; null when it was not there. */
  lineageAt(revision: Revision, environmentId: EnvironmentId): readonly EnvironmentId[] | null {
    const key = `${revision} ${environmentId}`;
    const known = this.lineages.get(key);
    if (known !== undefined) return known;
    const nodes = byId(this.environmentsAt(revision));
    const found = nodes.has(environmentId) ? lineage(nodes, environmentId) : null;
    this.lineages.set(key, found);
    return found;
  }

  /** The project, then the one it depended on, and so on to the top; empty when it was not there. */
  chainAt(revision: Revision, projectId: ProjectId): readonly ProjectId[] {
    const key = `${revision} ${projectId}`;
    const known = this.chains.get(key);
    if (known !== undefined) return known;
    const projects = this.versions.projects.filter(validAt(revision));
    const isThere = projects.some(({ id }) => id === projectId);
    const found = isThere ? projectChain(projects, projectId) : [];
    this.chains.set(key, found);
    return found;
  }

  /** Every version of a parameter of this name, of any of the projects. */
  named(name: string): readonly ParameterVersion[] {
    return this.parametersOf.get(name) ?? [];
  }

  /** The parameters of this name that there were. */
  parametersAt(revision: Revision, name: string): readonly ParameterVersion[] {
    return this.named(name).filter(validAt(revision));
  }

  /** Every version of the values of a parameter. */
  valuesOfParameter(id: ParameterId): readonly ValueVersion[] {
    return this.valuesOf.get(id) ?? [];
  }

  valuesAt(revision: Revision, owners: readonly { readonly id: ParameterId }[]): readonly ValueVersion[] {
    return owners.flatMap(({ id }) => this.valuesOfParameter(id).filter(validAt(revision)));
  }
}

export function validAt(revision: Revision) {
  return (version: Version): boolean =>
    version.revision <= revision && (version.revisionTo === null || version.revisionTo > revision);
}

/** The revisions at which versions began or ended. */
export function boundariesOf(versions: Iterable<Version>): Set<Revision> {
  const boundaries = new Set<Revision>();
  for (const { revision, revisionTo } of versions) {
    boundaries.add(revision);
    if (revisionTo !== null) boundaries.add(revisionTo);
  }
  return boundaries;
}
