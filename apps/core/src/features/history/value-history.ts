import type {
  EnvironmentId,
  EnvironmentNode,
  OrganizationId,
  ParameterId,
  ProjectId,
  ReachInputs,
  Revision,
} from '@strata/domain';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';

/** A row as it was from one revision on until before another; null: until now. */
interface Version {
  readonly revision: Revision;
  readonly revisionTo: Revision | null;
}

type Environment = EnvironmentNode & Version;
type Project = { readonly id: ProjectId; readonly dependsOnId: ProjectId | null } & Version;
type Parameter = { readonly id: ParameterId; readonly projectId: ProjectId; readonly name: string } & Version;
type Value = { readonly parameterId: ParameterId; readonly environmentId: EnvironmentId } & Version;

interface Versions {
  readonly environments: readonly Environment[];
  readonly projects: readonly Project[];
  readonly parameters: readonly Parameter[];
  readonly values: readonly Value[];
}

export interface Span {
  readonly organizationId: OrganizationId;
  readonly projectId: ProjectId;
  readonly names: readonly string[];
  readonly from: Revision;
  readonly to: Revision;
}

/** Versions of a table between the revisions $3 and $2. */
const versions = (table: string, columns: string) => `(
  select ${columns}, revision, null::bigint as "revisionTo" from ${table} where organization_id = $1 and revision <= $2
  union all
  select ${columns}, revision, revision_to from ${table}_history
   where organization_id = $1 and revision <= $2 and revision_to > $3)`;

const PROJECTS = versions('project', 'id, depends_on_id as "dependsOnId"');
const PARAMETERS = versions('parameter', 'id, project_id as "projectId", name');
/** Whatever the project $4 depended on at any time in between. */
const REACH = `with recursive reach as (
  select $4::uuid as id
  union
  select v."dependsOnId" from reach r join ${PROJECTS} v on v.id = r.id where v."dependsOnId" is not null)`;
const OWNERS = `x.name = any($5::text[]) and x."projectId" = any(array(select id from reach))`;

const QUERIES: { readonly [Name in keyof Versions]: string } = {
  environments: `select * from ${versions('environment', 'id, name, parent_id as "parentId"')} v`,
  projects: `${REACH} select * from ${PROJECTS} v where v.id = any(array(select id from reach))`,
  parameters: `${REACH} select * from ${PARAMETERS} x where ${OWNERS}`,
  values: `${REACH} select * from ${versions('value', 'parameter_id as "parameterId", environment_id as "environmentId"')} v
            where v."parameterId" = any(array(select x.id from ${PARAMETERS} x where ${OWNERS}))`,
};

/** What decided about some names of a project, at every revision of a span. One statement, however long it is. */
export class ValueHistory {
  private readonly environments = new Map<Revision, readonly Environment[]>();

  private constructor(
    private readonly projectId: ProjectId,
    private readonly known: Versions,
    private readonly valuesOf: ReadonlyMap<ParameterId, readonly Value[]>,
  ) {}

  static async of(reader: SnapshotReader, { organizationId, projectId, names, from, to }: Span): Promise<ValueHistory> {
    const values = [from, projectId, [...new Set(names)]];
    const known = await reader.sets<Versions>({ organizationId, at: to }, QUERIES, values);
    return new ValueHistory(
      projectId,
      known,
      Map.groupBy(known.values, ({ parameterId }) => parameterId),
    );
  }

  at(revision: Revision, name: string): ReachInputs<EnvironmentNode> {
    const owners = this.ownersAt(revision, name);
    return {
      environments: this.environmentsAt(revision),
      owners,
      values: owners.flatMap((owner) => (this.valuesOf.get(owner) ?? []).filter(validAt(revision))),
    };
  }

  private environmentsAt(revision: Revision): readonly Environment[] {
    const known = this.environments.get(revision) ?? this.known.environments.filter(validAt(revision));
    this.environments.set(revision, known);
    return known;
  }

  private ownersAt(revision: Revision, name: string): ParameterId[] {
    const projects = new Map(this.known.projects.filter(validAt(revision)).map((project) => [project.id, project]));
    const candidates = this.known.parameters.filter(
      (parameter) => parameter.name === name && validAt(revision)(parameter),
    );
    const owners: ParameterId[] = [];
    const seen = new Set<ProjectId>();
    for (let id: ProjectId | null = this.projectId; id !== null && !seen.has(id); ) {
      seen.add(id);
      for (const candidate of candidates) if (candidate.projectId === id) owners.push(candidate.id);
      id = projects.get(id)?.dependsOnId ?? null;
    }
    return owners;
  }
}

function validAt(revision: Revision) {
  return (version: Version) =>
    version.revision <= revision && (version.revisionTo === null || version.revisionTo > revision);
}
