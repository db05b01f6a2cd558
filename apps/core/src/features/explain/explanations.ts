import { Injectable } from '@nestjs/common';
import { EXPLAIN, EXPLANATION_LIMITS, type Explanation, ExplanationQuery } from '@strata/contract';
import {
  type Candidate,
  canOnScope,
  type EffectiveView,
  type EnvironmentNode,
  type ExplanationInputs,
  effectiveView,
  indexById,
  listCandidates,
  listLineage,
  nextValue,
  type ProjectId,
  visibleParameters,
} from '@strata/domain';
import { pageInMemory } from '../../platform/http/list-order.ts';
import { parseListQuery, presentListPage } from '../../platform/http/page.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import type { Call } from '../../platform/http/request.ts';
import type { QueryResult, WrittenBody } from '../../platform/http/response-cache.ts';
import { type LastReadMembers, LastReads, lastReadMembers } from '../../platform/ledger/last-reads.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { findEnvironment } from '../snapshot/lookup.ts';
import { matchesFilters } from '../snapshot/parameter-filter.ts';
import { type ProjectSnapshot, ProjectSnapshots } from '../snapshot/project-snapshot.ts';
import { toResultVersion } from '../snapshot/result-version.ts';
import type { ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';
import { listPushedKeys } from '../syncs/pushed-keys.ts';
import { Absences, explainUnset } from './absences.ts';
import { ExplanationPresenter } from './explanation-presenter.ts';
import { LastChangeReader } from './last-changes.ts';
import { type EvaluatedValues, TextReader } from './texts.ts';
import { VisibleReferencesReader } from './visible-references.ts';

interface Cell {
  readonly parameter: ParameterRecord;
  readonly inputs: ExplanationInputs<ParameterRecord, ValueRecord>;
  readonly winner: ValueRecord | null;
  readonly next: ReturnType<typeof nextValue<ParameterRecord, ValueRecord>>;
}

/** The data from which an explanation is built. */
interface ExplanationContext {
  readonly snapshot: ProjectSnapshot;
  readonly environment: EnvironmentNode;
  readonly view: EffectiveView<ParameterRecord, ValueRecord>;
  readonly query: ExplanationQuery;
}

/** Explains why names have their values in one environment. */
@Injectable()
export class Explanations {
  constructor(
    private readonly pointsInTime: PointsInTime,
    private readonly snapshots: ProjectSnapshots,
    private readonly texts: TextReader,
    private readonly absences: Absences,
    private readonly lastChanges: LastChangeReader,
    private readonly vault: Vault,
    private readonly reads: LastReads,
    private readonly snapshotReader: SnapshotReader,
  ) {}

  /**
   * Explains the requested names. Throws 404 if the project or environment does not exist, and 403 if the caller has no
   * access.
   */
  async find(call: Call, projectId: ProjectId): Promise<QueryResult> {
    const { caller } = call;
    const { at, query } = await this.pointsInTime.resolved(caller, parseListQuery(ExplanationQuery, call));
    const { environment: nameOrId = 'default', name } = query;
    const snapshot = await this.snapshots.of({
      organizationId: caller.organizationId,
      permissions: caller,
      projectId,
      at,
      environment: nameOrId,
      name,
      referrers: name !== undefined,
    });
    const environment = findEnvironment(snapshot, nameOrId);
    const { projectChain, parameters, values } = snapshot;
    const ancestors = listLineage(indexById(snapshot.environments), environment.id);
    const view = effectiveView({ lineage: ancestors, projectChain, parameters, values });
    const context = { snapshot, environment, view, query };
    const { revision, currentVersion } = toResultVersion(snapshot);
    return {
      revision,
      // The dependents and the history of a name may change while its rows stay the same, so equal content does not
      // mean an equal response. Reads of a name happen without a write, so its explanation cannot be stored.
      currentVersion: currentVersion && name === undefined ? { head: currentVersion.head, contentVersion: null } : null,
      write: async (links) => {
        const { rows, count, following, hasClearSecret } = await (name === undefined
          ? this.page(context)
          : this.presentName(context, name));
        const page = { ...query, page_size: choosePageSize(query) };
        const result = { revision, rows, count, ...(following !== undefined && { following }) };
        const listing = { url: call.url, reply: call.reply, links };
        const body = presentListPage(listing, page, result, (row) => row, EXPLAIN.sortedBy);
        return { body, hasClearSecret: () => hasClearSecret } satisfies WrittenBody;
      },
    };
  }

  /** Returns a page of names with short explanations. */
  private async page(context: ExplanationContext) {
    const { snapshot, view, query, environment } = context;
    const [project] = snapshot.projectChain;
    const requestedCells = view.visible.flatMap(({ parameter }, index) =>
      matchesFilters(parameter, query, project?.id ?? '') ? [{ parameter, at: index }] : [],
    );
    const { rows, ...counts } = pageInMemory(
      requestedCells,
      { ...query, page_size: choosePageSize(query) },
      ({ parameter }) => [parameter.name, parameter.id],
    );
    const cells = rows.map(({ at }) => cellAt(context, at));
    const writer = await this.writer(context, cells);
    const names = query.include === undefined ? [] : cells.map(({ parameter }) => parameter.name);
    const lastChanges = await this.lastChanges.of(snapshot, environment.id, names);
    const explainedCells = cells.map((cell) => ({
      ...SHORT,
      ...shortForm(context, cell, writer.writer),
      since: lastChanges.get(cell.parameter.name) ?? null,
    }));
    return { ...counts, rows: explainedCells, hasClearSecret: writer.writer.hasClearSecret };
  }

  /** Returns the full explanation of one name. If the name does not exist, explains why. */
  private async presentName(context: ExplanationContext, name: string) {
    const { snapshot, view, environment } = context;
    const at = view.visible.findIndex(({ parameter }) => parameter.name === name);
    if (at < 0) {
      const reason = await this.absences.of(snapshot, name, await this.visibleNames(snapshot));
      const reads = await this.loadReads(context, name);
      const row: Explanation = {
        ...SHORT,
        ...NO_PARAMETER,
        name,
        ...presentEnvironment(environment),
        reason,
        ...reads,
      };
      return { count: 1, following: undefined, rows: [row], hasClearSecret: false };
    }
    const cell = cellAt(context, at);
    const { writer, texts } = await this.writer(context, [cell]);
    const { candidates, count } = candidatesShown(cell);
    const readVisibleReferences = await this.readVisibleReferences(context, cell, texts, writer);
    const lastChanges = await this.lastChanges.of(snapshot, environment.id, [name]);
    const row: Explanation = {
      ...shortForm(context, cell, writer),
      candidates: candidates.map((candidate) => writer.candidate(candidate)),
      candidates_count: count,
      made_of: readVisibleReferences.shown,
      made_of_hidden: readVisibleReferences.hidden,
      needed_by: writer.dependents(cell.inputs.owners, cell.winner),
      needed_by_hidden: snapshot.hiddenReferrers,
      since: lastChanges.get(name) ?? null,
      ...(await this.loadPushes(context, cell)),
      ...(await this.loadReads(context, name)),
    };
    return { count: 1, following: undefined, rows: [row], hasClearSecret: writer.hasClearSecret };
  }

  /** Returns all names that the project shows, so that the response can suggest a name similar to an unknown one. */
  private async visibleNames({ organizationId, permissions, projectChain, at }: ProjectSnapshot) {
    const projectId = projectChain[0]?.id ?? '';
    const { parameters } = await this.snapshots.of({ organizationId, permissions, projectId, at, values: false });
    return visibleParameters(projectChain, parameters).map(({ parameter }) => parameter.name);
  }

  /** Returns when programs last read the cell. Reads of the past are not remembered. */
  private async loadReads({ snapshot, environment }: ExplanationContext, name: string): Promise<ReadMembers> {
    const { organizationId, projectChain, at } = snapshot;
    const project = projectChain[0]?.id;
    if (at !== 'now' || project === undefined) return NOT_READ;
    const { any, named } = await this.reads.ofName(organizationId, { project, environment: environment.id, name });
    const { last_read_at, last_read_by } = lastReadMembers(named);
    return { ...lastReadMembers(any), name_last_read_at: last_read_at, name_last_read_by: last_read_by };
  }

  /** Returns the keys that pushes write for the name. Their states are those of the latest runs. */
  private async loadPushes({ snapshot, environment }: ExplanationContext, { parameter }: Cell) {
    const { organizationId, permissions, projectChain, at } = snapshot;
    const project = projectChain[0]?.id;
    if (at !== 'now' || project === undefined) return {};
    const cell = { organizationId, projectId: project, environmentId: environment.id, name: parameter.name };
    const { rows, count } = await listPushedKeys(this.snapshotReader, permissions, cell, EXPLANATION_LIMITS.pushes);
    return { pushed_to: [...rows], pushed_to_count: count };
  }

  private async writer({ snapshot, environment, query }: ExplanationContext, cells: readonly Cell[]) {
    const values = cells.flatMap(({ winner, next }) => [winner, next?.value].filter((value) => value != null));
    const texts = await this.texts.of(snapshot, values, environment.id);
    return { texts, writer: new ExplanationPresenter(snapshot, texts, query.mask_secrets) };
  }

  private async readVisibleReferences(
    { snapshot, environment }: ExplanationContext,
    { winner }: Cell,
    texts: EvaluatedValues,
    writer: ExplanationPresenter,
  ) {
    const { inputs } = texts;
    if (!inputs || !winner?.interpolated) return { shown: [], hidden: 0 };
    const open = await this.vault.valueOpener(snapshot.organizationId, inputs.values);
    return new VisibleReferencesReader(snapshot, inputs, texts, writer, open).of(winner.id, environment.id);
  }
}

type ReadMembers = Pick<Explanation, keyof LastReadMembers | 'name_last_read_at' | 'name_last_read_by'>;

const NOT_READ: ReadMembers = {
  last_read_at: null,
  last_read_by: null,
  name_last_read_at: null,
  name_last_read_by: null,
};

const SHORT = {
  candidates: null,
  candidates_count: null,
  made_of: null,
  made_of_hidden: null,
  needed_by: null,
  needed_by_hidden: null,
  since: null,
  pushed_to: null,
  pushed_to_count: null,
  ...NOT_READ,
} as const;

const NO_PARAMETER = {
  parameter_id: null,
  description: null,
  type: null,
  secret: null,
  owner_id: null,
  owner_name: null,
  winner: null,
  next: null,
} as const;

/** Returns the page size. It is smaller if the request includes the latest changes, because finding them takes time. */
function choosePageSize({ include, page_size: size }: ExplanationQuery): number {
  return include === undefined ? size : Math.min(size, EXPLANATION_LIMITS.since);
}

function presentEnvironment({ id, name }: EnvironmentNode) {
  return { environment_id: id, environment_name: name };
}

function cellAt({ snapshot, view }: ExplanationContext, at: number): Cell {
  const { permissions, projectChain } = snapshot;
  const visibleParameter = view.visible[at];
  if (!visibleParameter) throw new Error(`Nothing is visible at ${at}.`);
  const inputs: Cell['inputs'] = {
    environments: view.lineage,
    projects: projectChain.map(({ id }) => id),
    owners: visibleParameter.owners,
    values: view.values,
    isNull: ({ text, sealed }) => text === null && sealed === null,
    isClosed: (projectId, environmentId) =>
      !canOnScope(permissions, 'read', projectId) || !canOnScope(permissions, 'read', environmentId),
  };
  return { parameter: visibleParameter.parameter, inputs, winner: view.effective[at] ?? null, next: nextValue(inputs) };
}

function candidatesShown({ inputs }: Cell) {
  const { candidates: candidatesMax } = EXPLANATION_LIMITS;
  const candidates: Candidate<ValueRecord>[] = [];
  for (const candidate of listCandidates(inputs)) if (candidates.push(candidate) === candidatesMax) break;
  return { candidates, count: inputs.environments.length * inputs.projects.length };
}

function shortForm(
  { snapshot, environment }: ExplanationContext,
  { parameter, winner, next }: Cell,
  writer: ExplanationPresenter,
): Explanation {
  return {
    ...SHORT,
    name: parameter.name,
    parameter_id: parameter.id,
    description: parameter.description,
    type: parameter.type,
    secret: parameter.secret,
    owner_id: parameter.projectId,
    owner_name: snapshot.projectChain.find(({ id }) => id === parameter.projectId)?.name ?? '',
    ...presentEnvironment(environment),
    winner: winner && writer.value(winner),
    reason: winner ? null : explainUnset(parameter.name, environment.name),
    next: next && writer.next(next),
  };
}
