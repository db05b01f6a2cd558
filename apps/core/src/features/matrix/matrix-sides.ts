import { Injectable } from '@nestjs/common';
import {
  buildMatrix,
  canOnScope,
  type EnvironmentId,
  type EnvironmentNode,
  Failure,
  forbiddenScopes,
  inTreeOrder,
  type NameMatrix,
  type OrganizationId,
  type Permissions,
  type ProjectLink,
} from '@strata/domain';
import { notFoundAtError } from '../../platform/http/points-in-time.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import { byIdOrName, canReadChain, findByName, findProjectChain } from '../snapshot/lookup.ts';
import type { ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';
import { filterPossibleIds, SnapshotTooLargeError } from '../snapshot/snapshot-loader.ts';
import { Snapshots, type VersionedSnapshot } from '../snapshot/snapshots.ts';
import { type EvaluationResults, TextEvaluator } from '../templating/evaluation.ts';

/** One project at one point in time, with all of its names in all environments. */
export interface MatrixSide {
  readonly snapshot: VersionedSnapshot;
  readonly permissions: Permissions;
  readonly project: ProjectLink;
  readonly projectChain: readonly ProjectLink[];
  readonly names: NameMatrix<ParameterRecord, ValueRecord>;
}

/** The rows to read for a matrix. */
export interface SidesQuery {
  readonly organizationId: OrganizationId;
  readonly at: PointInTime;
  /** Names or ids of projects. */
  readonly projects: readonly string[];
  /** Only the parameters with exactly these names are read. */
  readonly names?: readonly string[] | undefined;
}

/**
 * The memory, in bytes, up to which a matrix is read with one statement. It is about as much as the cache of snapshots
 * can contain.
 */
const WHOLE_BYTES_MAX = 32 * 1_048_576;

export interface MatrixCaller extends Permissions {
  readonly organizationId: OrganizationId;
}

/** Reads the inputs of matrices. Never decrypts a secret. */
@Injectable()
export class MatrixSides {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly evaluations: TextEvaluator,
  ) {}

  /**
   * Loads the rows with at most two statements, however many names, environments and projects there are. Runs no
   * statement if the snapshot is cached.
   */
  async load(query: SidesQuery): Promise<VersionedSnapshot> {
    const whole = { ...selectRows(query), parameters: 'complete', values: 'complete' } as const;
    // The cache then contains one snapshot of a project for all requests.
    return (await this.loadSmall(query)) ?? this.snapshots.of(whole);
  }

  /** Loads the rows like `load`, but returns null if there are too many to read them again for each request. */
  async loadSmall(query: SidesQuery): Promise<VersionedSnapshot | null> {
    const rows = {
      ...selectRows(query),
      parameters: 'complete',
      values: 'complete',
      memoryMax: WHOLE_BYTES_MAX,
    } as const;
    try {
      return await this.snapshots.of(rows);
    } catch (error) {
      if (error instanceof SnapshotTooLargeError) return null;
      throw error;
    }
  }

  /** Loads the parameters without their values. */
  loadNames(query: SidesQuery): Promise<VersionedSnapshot> {
    return this.snapshots.of({ ...selectRows(query), parameters: 'complete', values: 'none' });
  }

  /** Evaluates the dynamic values of the given names in the given environments and in their parents. */
  evaluated(
    side: MatrixSide,
    names: readonly number[],
    environments: readonly EnvironmentNode[],
  ): Promise<EvaluationResults> {
    const { snapshot, permissions } = side;
    const { role, scopes } = permissions;
    const { organizationId, at, head, values } = snapshot;
    const cells = cellsShown(side, environments);
    const listShown = function* () {
      for (const name of names) for (const id of cells) yield [side.names.at(name, id), id] as const;
    };
    return this.evaluations.ofSnapshot(
      { organizationId, revision: head.revision, permissions: { role, scopes }, at, values },
      listShown,
      { evaluate: true, mode: 'open' },
    );
  }
}

function selectRows({ organizationId, at, projects, names }: SidesQuery) {
  const ids = filterPossibleIds(projects);
  const projectNames = projects.filter((nameOrId) => !ids.includes(nameOrId.toLowerCase()));
  return {
    organizationId,
    at,
    projectIds: [...ids].sort(),
    ...(projectNames.length > 0 && { projectNames: [...projectNames].sort() }),
    names,
  };
}

/**
 * Returns the side of one project. Throws 404 if it does not exist, and 403 if the caller has no access. `pointer` leads
 * to the input that names the project, if that is not the path.
 */
export function createSide(
  snapshot: VersionedSnapshot,
  nameOrId: string,
  permissions: Permissions,
  pointer?: string,
): MatrixSide {
  const project = byIdOrName(snapshot.projects, nameOrId);
  if (!project) throw notFoundAtError('Project', snapshot.at).at(pointer);
  if (!canReadChain(snapshot, project.id, permissions)) throw Failure.forbidden(undefined, project.id).at(pointer);
  const projectChain = findProjectChain(snapshot, project.id);
  const forbidden = new Set<string>(forbiddenScopes(permissions));
  const { environments, parameters, values } = snapshot;
  const names = buildMatrix({ environments, projectChain, parameters, values }, (scope) => forbidden.has(scope));
  return { snapshot, permissions, project, projectChain, names };
}

export function canSee({ permissions }: Pick<MatrixSide, 'permissions'>, environmentId: EnvironmentId): boolean {
  return canOnScope(permissions, 'read', environmentId);
}

/**
 * Returns the named environments in the order of the request without duplicates, or all environments in tree order if
 * none is named. Throws 404 if one does not exist.
 */
export function pickEnvironments(
  { environments, at }: VersionedSnapshot,
  requested: readonly string[] | undefined,
  pointer?: string,
): readonly EnvironmentNode[] {
  if (requested === undefined) return inTreeOrder(environments);
  const options = { type: 'Environment', at, requested, pointer } as const;
  return [...new Set(requested.map((nameOrId) => findByName(environments, nameOrId, options)))];
}

/** Returns the readable environments among these, and their readable parents, which cells are compared with. */
function cellsShown(side: MatrixSide, environments: readonly EnvironmentNode[]): ReadonlySet<EnvironmentId> {
  const open = environments.filter(({ id }) => canSee(side, id));
  const parents = open.flatMap(({ parentId }) => parentId ?? []).filter((id) => canSee(side, id));
  return new Set([...open.map(({ id }) => id), ...parents]);
}
