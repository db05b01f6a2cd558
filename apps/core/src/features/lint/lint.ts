import { Injectable } from '@nestjs/common';
import { type LintFinding, type LintPage, LintQuery, parseQuery } from '@strata/contract';
import {
  canOnScope,
  compareNames,
  findRedundantValues,
  LINT_KINDS,
  type LintKind,
  type ListKey,
  listLeaves,
  mayBeUnreferenced,
  type ProjectLink,
  projectChain,
  type Redundancy,
  type ScopeId,
} from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import type { Links } from '../../platform/http/links.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import type { Call } from '../../platform/http/request.ts';
import type { QueryResult } from '../../platform/http/response-cache.ts';
import type { Head } from '../../platform/ledger/heads.ts';
import { type AffectedRead, LastReads, lastReadMembers } from '../../platform/ledger/last-reads.ts';
import { BoundedPage } from '../effective/bounded-page.ts';
import {
  compareListOrder,
  listLineages,
  ProjectWalks,
  readableEnvironments,
  readableProjects,
  type WalkedProject,
} from '../effective/project-walk.ts';
import { parsePositionAfter, presentProgress, projectsFrom, resolveWalkScope } from '../effective/walk-request.ts';
import { type Forest, Forests } from '../snapshot/forest.ts';
import type { ValueRecord } from '../snapshot/snapshot.ts';
import { TextEvaluator } from '../templating/evaluation.ts';
import { evaluateInParts } from '../templating/split-evaluation.ts';
import { LintDependentsReader } from './lint-dependents.reader.ts';
import { type LintInputs, type LintRow, listFindings, orderOfReason } from './project-lint.ts';

/**
 * A cursor consists of the project's name and id, the parameter name, the kind, the reason, and the first environment.
 */
const KEY_PARTS = 6;
const NO_READS: readonly AffectedRead[] = [];
const NOTHING_USED: LintInputs['used'] = {
  isMentioned: () => false,
  isDefinedBelow: () => false,
  mentionsUnexportedNames: false,
};

type RedundanciesByName = ReadonlyMap<string, readonly Redundancy<ValueRecord>[]>;

interface FoundRow {
  readonly project: ProjectLink;
  readonly row: LintRow;
}

/** A request whose names are resolved. */
export interface LintRequest
  extends Pick<LintInputs, 'environments' | 'leaves' | 'lineageOf' | 'projectName' | 'environmentName'> {
  readonly query: LintQuery;
  readonly kinds: readonly LintKind[];
  readonly after: ListKey | null;
  readonly forest: Forest;
  readonly caller: Caller;
  readonly expiredBy: string;
}

/** Finds possible mistakes in the configuration, project by project, until a page is full or the time is up. */
@Injectable()
export class Lint {
  constructor(
    private readonly pointsInTime: PointsInTime,
    private readonly forests: Forests,
    private readonly walks: ProjectWalks,
    private readonly usage: LintDependentsReader,
    private readonly evaluations: TextEvaluator,
    private readonly reads: LastReads,
  ) {}

  /** Returns a page of findings. Throws 404 if a project or environment does not exist, and 403 if it is forbidden. */
  async find({ caller, query: input, url }: Call, headNow: () => Promise<Head>): Promise<QueryResult> {
    const query = parseQuery(LintQuery, input);
    const after = parsePositionAfter({ url }, query, KEY_PARTS);
    const { at, environments: requestedEnvironments } = await resolveWalkScope(this.pointsInTime, caller, query);
    const head = at === 'now' ? await headNow() : null;
    const forest = await this.forests.of({ organizationId: caller.organizationId, at });
    const environments = readableEnvironments(forest, caller, requestedEnvironments);
    const projects = projectsFrom(readableProjects(forest, caller, query.project), after);
    const request = createRequest(forest, caller, { query, after, environments });
    const page = new BoundedPage<FoundRow>(query.page_size, performance.now() + query.within_ms);
    let hasClock = false;
    for await (const walkedProject of this.walks.of(forest, projects, {
      namesOf: query.name === undefined ? undefined : () => [query.name ?? ''],
    })) {
      hasClock ||= walkedProject.visible.some(({ parameter }) => parameter.expires !== null);
      await this.addFindings(page, walkedProject, request);
      if (page.isOver) break;
    }
    // Values can expire without a write, so a response that depends on the current time cannot be cached.
    // The same holds for reads, which are remembered only for the present.
    const reads = query.include === undefined || at !== 'now' ? NO_READS : await this.loadReads(caller, page.rows);
    const isRepeatable =
      head?.revision === forest.revision && !page.isIncomplete && !hasClock && query.include === undefined;
    return {
      revision: forest.revision,
      currentVersion: head && isRepeatable ? { head, contentVersion: null } : null,
      write: async (links) => {
        const results = page.rows.map((row) => presentFinding(row, reads, links));
        const body: LintPage = { revision: forest.revision, ...presentProgress({ url }, links, page), results };
        return { body, hasClearSecret: () => false };
      },
    };
  }

  private async loadReads(caller: Caller, rows: readonly FoundRow[]): Promise<readonly AffectedRead[]> {
    const projects = [...new Set(rows.map(({ project }) => project.id))];
    const reads = await this.reads.ofProjects(caller.organizationId, projects);
    return reads.filter(({ environment }) => canOnScope(caller, 'read', environment));
  }

  private async addFindings(
    page: BoundedPage<FoundRow>,
    walkedProject: WalkedProject,
    request: LintRequest,
  ): Promise<void> {
    const { project, visible } = walkedProject;
    const inputs = await this.loadInputs(walkedProject, request);
    const yielder = new EventLoopYielder();
    for (const name of visible) {
      for (const row of listFindings(name, inputs, request.kinds)) {
        const key = listKey(project, row);
        if (isBehind(key, request.after)) page.add(key, { project, row });
      }
      if (yielder.isDue) await yielder.yield();
    }
    page.pass([project.name, project.id, null, null, null, null]);
  }

  /** Reads the other inputs for the findings of a project, only for the names that need them. */
  async loadInputs(walkedProject: WalkedProject, request: LintRequest): Promise<LintInputs> {
    const { forest, caller, kinds } = request;
    const { project, visible, index } = walkedProject;
    const ownNames = visible.filter(({ parameter }) => parameter.projectId === project.id);
    const redundantOverrides = kinds.includes('redundant_override')
      ? await this.withoutSecrets(redundantIn(walkedProject, ownNames, request), request)
      : new Map();
    const checkedNames = kinds.includes('unreferenced_parameter')
      ? ownNames.flatMap(({ parameter: { id, name } }) =>
          mayBeUnreferenced({ name, isSet: (index.get(id)?.size ?? 0) > 0 }) ? [name] : [],
        )
      : [];
    return {
      ...request,
      walked: walkedProject,
      redundant: redundantOverrides,
      dependents: await this.usage.dependents(forest, caller, project.id, [...redundantOverrides.keys()]),
      used: checkedNames.length === 0 ? NOTHING_USED : await this.usage.ofNames(forest, project.id, checkedNames),
    };
  }

  /**
   * Removes redundancies of secret values. A dynamic value is secret if it refers to a secret parameter, and secret
   * values are never reported as redundant (behaviour.md §7.6).
   */
  private async withoutSecrets(
    candidates: RedundanciesByName,
    { forest, caller }: LintRequest,
  ): Promise<RedundanciesByName> {
    const toTextInEnvironment = ({ value }: Redundancy<ValueRecord>) => ({
      sourceId: value.id,
      environmentId: value.environmentId,
    });
    const isDynamic = ({ value }: Redundancy<ValueRecord>) => value.interpolated && value.text !== null;
    const dynamic = [...candidates.values()].flat().filter(isDynamic).map(toTextInEnvironment);
    if (dynamic.length === 0) return candidates;
    const { organizationId, revision, at } = forest;
    const request = { organizationId, permissions: caller, revision, isPresent: at === 'now', evaluate: false };
    const evaluationResults = await evaluateInParts(dynamic, (requestedTexts) =>
      this.evaluations.of({ ...request, requested: requestedTexts }),
    );
    const isOpen = (redundancy: Redundancy<ValueRecord>) => {
      const evaluatedText = evaluationResults.seen(toTextInEnvironment(redundancy));
      return evaluatedText === null || (evaluatedText !== 'failed' && !evaluatedText.secret);
    };
    const open = [...candidates].map(([name, redundancies]) => [name, redundancies.filter(isOpen)] as const);
    return new Map(open.filter(([, redundancies]) => redundancies.length > 0));
  }
}

export function createRequest(
  forest: Forest,
  caller: Caller,
  { query, after, environments }: Pick<LintRequest, 'query' | 'after' | 'environments'>,
): LintRequest {
  const leafIds = new Set(listLeaves(forest.environments).map(({ id }) => id));
  const projects = new Map(forest.projects.map(({ id, name }) => [id, name]));
  const names = new Map(forest.environments.map(({ id, name }) => [id, name]));
  // The finding does not belong to one environment. Only callers with access to every scope may learn whether the name
  // is set or used anywhere.
  const scopes = [...forest.projects, ...forest.environments];
  const isUsageOpen = query.environment === undefined && scopes.every(({ id }) => canOnScope(caller, 'read', id));
  const kinds = LINT_KINDS.filter(
    (kind) => (query.kind?.includes(kind) ?? true) && (isUsageOpen || kind !== 'unreferenced_parameter'),
  );
  return {
    query,
    kinds,
    after,
    forest,
    caller,
    environments,
    leaves: environments.filter(({ id }) => leafIds.has(id)),
    lineageOf: listLineages(forest),
    projectName: (id) => (canOnScope(caller, 'read', id) ? (projects.get(id) ?? null) : null),
    environmentName: (id) => names.get(id) ?? '',
    expiredBy: query.expired_by ?? expirationInstant(forest, query),
  };
}

/** Returns the instant at which expiration is evaluated: the requested one, but not later than now. */
function expirationInstant({ instant, at }: Forest, { as_of: asOf }: LintQuery): string {
  const now = new Date().toISOString();
  if (asOf !== undefined) return asOf < now ? asOf : now;
  return at === 'now' || instant === null ? now : instant;
}

/** Returns the redundant values of each name that the caller may read. */
function redundantIn(
  walkedProject: WalkedProject,
  ownNames: WalkedProject['visible'],
  { caller, environments, lineageOf, forest }: LintRequest,
): RedundanciesByName {
  const shownIds = new Set(environments.map(({ id }) => id));
  const chain = projectChain(forest.projects, walkedProject.project.id);
  const isForbidden = (scope: ScopeId) => !canOnScope(caller, 'read', scope);
  const redundanciesByName = new Map<string, readonly Redundancy<ValueRecord>[]>();
  for (const { parameter, owners } of ownNames) {
    const redundancies = findRedundantValues(
      { owners, index: walkedProject.index, projectChain: chain },
      lineageOf,
      isForbidden,
    ).filter(({ value }) => shownIds.has(value.environmentId));
    if (redundancies.length > 0) redundanciesByName.set(parameter.name, redundancies);
  }
  return redundanciesByName;
}

function listKey(project: ProjectLink, { parameter, kind, reason, environments: [first] }: LintRow): ListKey {
  const order = `${LINT_KINDS.indexOf(kind)}${String(orderOfReason(reason)).padStart(2, '0')}`;
  return [project.name, project.id, parameter.name, order, first?.name ?? null, first?.id ?? null];
}

/** Returns whether a finding comes after the cursor. */
function isBehind(key: ListKey, after: ListKey | null): boolean {
  if (after === null || key[0] !== after[0] || key[1] !== after[1]) return true;
  const [, , name = '', order = '', environment, id] = key;
  const [, , lastName, lastOrder, lastEnvironment, lastId] = after;
  if (lastName === null || lastName === undefined) return false;
  const byName = compareNames(name ?? '', lastName);
  if (byName !== 0) return byName > 0;
  if (order !== lastOrder) return (order ?? '') > (lastOrder ?? '');
  return compareListOrder([environment ?? '', id ?? ''], [lastEnvironment ?? '', lastId ?? '']) > 0;
}

/** Returns the last read of the finding's project, in the environments of the finding if it has some. */
function findLastRead(
  { project, row: { environments } }: FoundRow,
  reads: readonly AffectedRead[],
): AffectedRead | null {
  const ids = new Set<string>(environments.map(({ id }) => id));
  const findingReads = reads.filter(
    (read) => read.project === project.id && (ids.size === 0 || ids.has(read.environment)),
  );
  return findingReads.reduce<AffectedRead | null>(
    (lastRead, read) => (lastRead === null || read.at > lastRead.at ? read : lastRead),
    null,
  );
}

function presentFinding(finding: FoundRow, reads: readonly AffectedRead[], links: Links): LintFinding {
  const { project, row } = finding;
  const { kind, reason, detail, parameter, value, environments, fix } = row;
  return {
    kind,
    reason,
    detail,
    project_id: project.id,
    project_name: project.name,
    parameter: links.parameter(parameter.projectId, parameter.id),
    parameter_id: parameter.id,
    name: parameter.name,
    value_id: value?.id ?? null,
    environments: environments.map(({ id, name }) => ({ environment_id: id, environment_name: name })),
    operations: [...fix.operations],
    why_not: fix.whyNot,
    ...lastReadMembers(findLastRead(finding, reads)),
  };
}
