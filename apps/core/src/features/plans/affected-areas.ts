import {
  type AffectedScopes,
  type EnvironmentId,
  type EnvironmentNode,
  indexById,
  listSubtree,
  type OrganizationId,
  type ProjectId,
} from '@strata/domain';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type PointInTime, rowsAt, versionParameters } from '../../platform/postgres/versioned-table.ts';
import { jsonList } from '../snapshot/sql-parts.ts';
import { dependentsSql, lateralJoin } from '../templating/dependency-sql.ts';
import { findAffectedCells } from './affecting-changes.ts';

/** A name that resolves in a project. */
interface NamedIn {
  readonly projectId: ProjectId;
  readonly name: string;
}

/** Names of projects and environments in which effective values may change. */
export interface AffectedArea {
  /** The names by project; null stands for all names of all projects. */
  readonly names: ReadonlyMap<ProjectId, ReadonlySet<string>> | null;
  /** The environments; null stands for all environments. */
  readonly environments: ReadonlySet<EnvironmentId> | null;
}

/** A template whose evaluated text may change. */
export interface AffectedTemplate {
  readonly id: string;
  readonly name: string;
  readonly projectId: ProjectId;
  readonly project: string;
}

export interface AffectedByPlan {
  readonly areas: readonly AffectedArea[];
  /** Templates whose evaluated texts may change, from the state before the changes and the one after them. */
  readonly templates: readonly AffectedTemplate[];
  /** The projects that contain a change. */
  readonly projects: ReadonlySet<ProjectId>;
  /** The changed environments and their descendants. */
  readonly environments: ReadonlySet<EnvironmentId>;
}

/** The maximum number of affected names. A plan with more is rejected. */
export const AFFECTED_NAMES_MAX = 50_000;

interface Starts {
  readonly ofParameters: readonly NamedIn[];
  readonly ofProjects: readonly NamedIn[];
  readonly ofValues: readonly NamedIn[];
  readonly environments: readonly EnvironmentNode[];
}

const PLACE = 'parameter.project_id as "projectId", parameter.name';

/**
 * SQL that selects the names which are affected directly. $3 contains parameters, $4 projects, and $5 the parameters of
 * values.
 */
const startsAt = (at: PointInTime) => `
with recursive chain (root, id) as (
  select project.id, project.id from ${rowsAt('project', at)} project where project.id = any($4::uuid[])
  union
  select chain.root, project.depends_on_id from ${lateralJoin(
    'chain',
    `select project.depends_on_id from ${rowsAt('project', at)} project where project.id = chain.id`,
    'project',
  )} where project.depends_on_id is not null)
select
  ${jsonList(`select ${PLACE} from ${rowsAt('parameter', at)} parameter where parameter.id = any($3::uuid[])`)} as "ofParameters",
  ${jsonList(`select ${PLACE} from ${rowsAt('parameter', at)} parameter where parameter.id = any($5::uuid[])`)} as "ofValues",
  ${jsonList(
    `select distinct chain.root as "projectId", parameter.name from ${lateralJoin(
      'chain',
      `select parameter.name from ${rowsAt('parameter', at)} parameter where parameter.project_id = chain.id`,
      'parameter',
    )}`,
  )} as "ofProjects",
  ${jsonList(`select environment.id, environment.name, environment.parent_id as "parentId" from ${rowsAt('environment', at)} environment`)} as environments
  from organization_head head where head.organization_id = $1 and $2::bigint is not distinct from $2`;

interface Reached {
  readonly places: readonly NamedIn[];
  readonly templates: readonly AffectedTemplate[];
}

/**
 * SQL that selects the given names and templates, and all names and templates that may depend on them. $3 contains
 * names in projects, $4 templates.
 */
const reachedAt = (at: PointInTime) => `
with recursive
  ${dependentsSql(
    `(select null::uuid, seed.project_id, seed.name from jsonb_to_recordset($3::jsonb) seed(project_id uuid, name text)
      union all select id, null, null from unnest($4::uuid[]) id)`,
    at,
  )}
select
  ${jsonList(
    `select distinct project_id as "projectId", name from dependent where project_id is not null limit ${AFFECTED_NAMES_MAX + 1}`,
  )} as places,
  ${jsonList(
    `select template.id, template.name, template.project_id as "projectId", project.name as project
       from ${lateralJoin(
         '(select distinct text_id from dependent where text_id is not null) affected',
         `select template.* from ${rowsAt('template', at)} template where template.id = affected.text_id`,
         'template',
       )} join ${rowsAt('project', at)} project on project.id = template.project_id`,
  )} as templates
  from organization_head head where head.organization_id = $1 and $2::bigint is not distinct from $2`;

const NO_PLACES: Reached = { places: [], templates: [] };

/**
 * Returns everything that changes may affect: the names that they concern, and all names and templates that depend on
 * these directly or transitively, in the state before the changes or in the one after them. Returns null if there are
 * too many. Runs a few statements per state, however many changes there are.
 */
export async function findAffectedAreas(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  changedScopes: AffectedScopes,
  states: readonly [before: PointInTime, after: PointInTime],
): Promise<AffectedByPlan | null> {
  const affectedCells = await findAffectedCells(reader, organizationId, changedScopes, states);
  const areaStarts: Starts[] = [];
  for (const at of states) areaStarts.push(await starts(reader, organizationId, at, affectedCells));
  const isOfEnvironments = affectedCells.environments.size + affectedCells.renamedEnvironments.size > 0;
  if (isOfEnvironments && (await hasMoreParameters(reader, organizationId))) return null;
  const everywhere = await reached(
    reader,
    organizationId,
    states,
    areaStarts.flatMap(({ ofParameters, ofProjects }) => [...ofParameters, ...ofProjects]),
    [...affectedCells.templates],
  );
  const inValues = await reached(
    reader,
    organizationId,
    states,
    areaStarts.flatMap(({ ofValues }) => ofValues),
    [],
  );
  if (everywhere.places.length > AFFECTED_NAMES_MAX || inValues.places.length > AFFECTED_NAMES_MAX) return null;
  const listDescendants = (roots: Iterable<EnvironmentId>) =>
    new Set(areaStarts.flatMap(({ environments }) => belowRoots(environments, roots)));
  const all = new Set([...listDescendants(affectedCells.environments), ...affectedCells.renamedEnvironments]);
  const ofValues = listDescendants(affectedCells.values.map(({ environmentId }) => environmentId));
  const areas: AffectedArea[] = [];
  if (isOfEnvironments) areas.push({ names: null, environments: all });
  if (everywhere.places.length > 0) areas.push({ names: byProject(everywhere.places), environments: null });
  if (inValues.places.length > 0) areas.push({ names: byProject(inValues.places), environments: ofValues });
  const templates = new Map(
    [...everywhere.templates, ...inValues.templates].map((template) => [template.id, template]),
  );
  const startNames = areaStarts.flatMap((start) => [...start.ofParameters, ...start.ofProjects, ...start.ofValues]);
  return {
    areas,
    templates: [...templates.values()],
    projects: new Set([...affectedCells.projects, ...startNames.map(({ projectId }) => projectId)]),
    environments: new Set([...all, ...ofValues]),
  };
}

/** Returns whether there are too many parameters to read. A changed environment affects all of them. */
async function hasMoreParameters(reader: SnapshotReader, organizationId: OrganizationId): Promise<boolean> {
  const [row] = await reader.query<{ count: number }>(
    `select count(*)::int as count from (select from parameter where organization_id = $1 limit ${AFFECTED_NAMES_MAX + 1}) parameter`,
    [organizationId],
  );
  return (row?.count ?? 0) > AFFECTED_NAMES_MAX;
}

async function starts(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  at: PointInTime,
  { parameters, projects, values }: AffectedScopes,
): Promise<Starts> {
  const [row] = await reader.query<Starts>(startsAt(at), [
    ...versionParameters(organizationId, at),
    [...parameters],
    [...projects],
    [...new Set(values.map(({ parameterId }) => parameterId))],
  ]);
  if (!row) throw new Error(`Organization ${organizationId} has no head.`);
  return row;
}

async function reached(
  reader: SnapshotReader,
  organizationId: OrganizationId,
  states: readonly PointInTime[],
  names: readonly NamedIn[],
  templates: readonly string[],
): Promise<Reached> {
  if (names.length === 0 && templates.length === 0) return NO_PLACES;
  const seeds = JSON.stringify(names.map(({ projectId, name }) => ({ project_id: projectId, name })));
  const reachedAtStates: Reached[] = [];
  for (const at of states) {
    const values = [...versionParameters(organizationId, at), seeds, templates];
    const [row] = await reader.query<Reached>(reachedAt(at), values);
    if (row) reachedAtStates.push(row);
  }
  const uniqueCells = new Map(
    reachedAtStates.flatMap(({ places }) => places).map((cell) => [`${cell.projectId} ${cell.name}`, cell]),
  );
  return {
    places: [...uniqueCells.values()],
    templates: reachedAtStates.flatMap(({ templates: reachedTemplates }) => reachedTemplates),
  };
}

function belowRoots(
  environments: readonly EnvironmentNode[],
  roots: Iterable<EnvironmentId>,
): readonly EnvironmentId[] {
  const nodes = indexById(environments);
  return [...roots].flatMap((root) => (nodes.has(root) ? listSubtree(nodes, root) : []));
}

function byProject(names: readonly NamedIn[]): ReadonlyMap<ProjectId, ReadonlySet<string>> {
  const namesByProject = new Map<ProjectId, Set<string>>();
  for (const { projectId, name } of names)
    namesByProject.set(projectId, (namesByProject.get(projectId) ?? new Set()).add(name));
  return namesByProject;
}
