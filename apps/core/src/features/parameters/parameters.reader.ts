import { Injectable } from '@nestjs/common';
import type { Parameter, ParameterListQuery, ParameterQuery } from '@strata/contract';
import {
  compareNames,
  createResolver,
  Failure,
  type OrganizationId,
  type ParameterId,
  type Permissions,
  type ProjectId,
  type Resolver,
  type VisibleParameter,
} from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import type { Links } from '../../platform/http/links.ts';
import { pageInMemory } from '../../platform/http/list-order.ts';
import { type PointerForField, PointsInTime } from '../../platform/http/points-in-time.ts';
import { currentLimits } from '../../platform/limits/request-limits.ts';
import { UNRESERVED_BYTES_MAX } from '../../platform/limits/response-limits.ts';
import type { PageResult, RowResult, SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import { findEnvironment } from '../snapshot/lookup.ts';
import { matchesFilters } from '../snapshot/parameter-filter.ts';
import { sortVisible } from '../snapshot/parameter-order.ts';
import { type ProjectSnapshot, ProjectSnapshots, parameterNotFoundError } from '../snapshot/project-snapshot.ts';
import type { ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';
import { TextEvaluator } from '../templating/evaluation.ts';
import { Presenter } from './parameters.presenter.ts';
import { assertResponseFits } from './response-estimate.ts';

export type VisibleRecord = VisibleParameter<ParameterRecord>;

/** The path of the requested parameter, and the caller's permissions. */
export interface ParameterKey {
  readonly organizationId: OrganizationId;
  readonly permissions: Permissions;
  readonly projectId: ProjectId;
  readonly id: ParameterId;
}

/** The path of a parameter, without a caller. */
export type ParameterLocation = Pick<ParameterKey, 'projectId' | 'id'>;

/** Returns the organization and permissions of the request as a caller. */
export function toRequester({ organizationId, permissions }: Pick<ParameterKey, 'organizationId' | 'permissions'>) {
  return { ...permissions, organizationId };
}

/** A result read from a snapshot, and a function that presents it with links of one kind. */
interface FoundIn<Answer> {
  readonly snapshot: ProjectSnapshot;
  write(links: Links): Promise<Answer>;
}

/** A page, and a function that presents each of its parameters. */
export interface ParameterPageResult extends PageResult<VisibleRecord> {
  readonly presentRecord: (visible: VisibleRecord) => Parameter;
  /** The approximate memory that the response needs, in bytes. */
  readonly memory: number;
}

/** Reads the visible parameters of a project, both its own and inherited ones, with their effective values. */
@Injectable()
export class ParametersReader {
  constructor(
    private readonly snapshots: ProjectSnapshots,
    private readonly pointsInTime: PointsInTime,
    private readonly evaluations: TextEvaluator,
  ) {}

  async page(
    caller: Pick<Caller, 'organizationId' | keyof Permissions>,
    projectId: ProjectId,
    query: ParameterListQuery,
    links: Links,
    locate?: PointerForField,
  ): Promise<PageResult<Parameter>> {
    const { write } = await this.findPage(caller, projectId, query, locate);
    const { presentRecord, memory, ...result } = await write(links);
    if (memory > UNRESERVED_BYTES_MAX) await currentLimits()?.reserveMemory(memory);
    return { ...result, rows: result.rows.map(presentRecord) };
  }

  /** Returns the page and the snapshot that it was read from, before presentation. */
  async findPage(
    caller: Pick<Caller, 'organizationId' | keyof Permissions>,
    projectId: ProjectId,
    options: ParameterListQuery,
    locate?: PointerForField,
  ): Promise<FoundIn<ParameterPageResult>> {
    assertConsistentQuery(options);
    const { organizationId } = caller;
    const { at, query } = await this.pointsInTime.resolved(caller, options, undefined, locate);
    const { name, environment, values } = query;
    const rows = { environment, values: values ?? true, rules: true, referrers: true };
    const snapshot = await this.snapshots.of({ organizationId, permissions: caller, projectId, at, name, ...rows });
    let evaluatedPage: ReturnType<typeof this.pageIn> | null = null;
    return {
      snapshot,
      write: async (links) => {
        // The caller may call `write` twice for a long response: first to measure it, then to send it.
        evaluatedPage ??= this.pageIn(snapshot, query);
        const { page, memory, presentWith } = await evaluatedPage;
        return { ...page, revision: snapshot.revision, memory, presentRecord: presentWith(links) };
      },
    };
  }

  private async pageIn(snapshot: ProjectSnapshot, query: ParameterListQuery) {
    // Each of the following steps visits every parameter, so the event loop gets a turn in between.
    const yielder = new EventLoopYielder();
    const step = async () => (yielder.isDue ? yielder.yield() : undefined);
    const parameterResolver = createResolver(snapshot);
    await step();
    const matchingParameters = await this.matching(snapshot, parameterResolver, query);
    const page = pageInMemory(matchingParameters, query, ({ parameter }) => [parameter.name, parameter.id]);
    await step();
    const shownEnvironments = environmentsShown(snapshot, query);
    const readableEnvironments = shownEnvironments.filter(({ id }) => snapshot.mayRead(id));
    assertResponseFits(parameterResolver, page.rows, readableEnvironments);
    await step();
    const memory = page.rows.length * (1 + shownEnvironments.length) * PRESENTED_BYTES;
    return { page, memory, presentWith: await this.presenter(snapshot, parameterResolver, page.rows, query) };
  }

  /** Returns one parameter. Finds inherited parameters, too, unless the query excludes them. */
  async readOne(
    key: ParameterKey,
    query: ParameterQuery,
    links: Links,
    pointInTime?: PointInTime,
    reader?: SnapshotReader,
  ): Promise<RowResult<Parameter>> {
    const { snapshot, write } = await this.findOne(key, query, pointInTime, reader);
    return { revision: snapshot.revision, row: await write(links) };
  }

  /** Returns one parameter and the snapshot that it was read from, before presentation. */
  async findOne(
    key: ParameterKey,
    options: ParameterQuery,
    pointInTime?: PointInTime,
    reader?: SnapshotReader,
  ): Promise<FoundIn<Parameter>> {
    assertConsistentQuery(options);
    const { organizationId, permissions, projectId, id: parameterId } = key;
    const { at, query } = await this.pointsInTime.resolved(toRequester(key), options, pointInTime);
    const { environment, values } = query;
    const rows = { environment, values: values ?? true, rules: true, referrers: true };
    const snapshot = await this.snapshots.of(
      { organizationId, permissions, projectId, at, parameterId, ...rows },
      reader,
    );
    const parameterResolver = createResolver(snapshot);
    const record = parameterResolver.visible.find(({ parameter }) => parameter.id === parameterId);
    if (!record || (query.immediate_parameters && record.parameter.projectId !== projectId))
      throw parameterNotFoundError(at);
    return {
      snapshot,
      write: async (links) =>
        (await this.presenter(snapshot, parameterResolver, [record], query, reader))(links)(record),
    };
  }

  private async matching(
    snapshot: ProjectSnapshot,
    parameterResolver: Resolver<ParameterRecord, ValueRecord>,
    query: ParameterListQuery,
  ): Promise<readonly VisibleRecord[]> {
    const [project] = snapshot.projectChain;
    const isDifferent = await this.differenceIn(snapshot, parameterResolver, query);
    const matchingParameters = parameterResolver.visible.filter(
      ({ parameter }) => matchesFilters(parameter, query, project?.id ?? '') && isDifferent(parameter),
    );
    return sortVisible(matchingParameters, query.ordering);
  }

  /** Returns a presenter for these parameters. Evaluates their dynamic values in the environments that are shown. */
  private async presenter(
    snapshot: ProjectSnapshot,
    parameterResolver: Resolver<ParameterRecord, ValueRecord>,
    rows: readonly VisibleRecord[],
    query: ParameterQuery,
    reader?: SnapshotReader,
  ): Promise<(links: Links) => (visible: VisibleRecord) => Parameter> {
    const shownEnvironments = environmentsShown(snapshot, query);
    const readableEnvironments = shownEnvironments.filter(({ id }) => snapshot.mayRead(id));
    const requestedTexts = () =>
      rows.flatMap(({ parameter }) =>
        readableEnvironments.map(({ id }) => [parameterResolver.at(parameter, id), id] as const),
      );
    const evaluationResults = await this.evaluations.ofSnapshot(snapshot, requestedTexts, query, reader);
    const valueIn =
      ({ parameter }: VisibleRecord) =>
      (environmentId: string) =>
        snapshot.mayRead(environmentId) ? parameterResolver.at(parameter, environmentId) : null;
    return (links) => {
      const rendering = new Presenter(snapshot, {
        links,
        maskSecrets: query.mask_secrets,
        evaluated: evaluationResults,
      });
      return (visibleRecord) => rendering.parameter(visibleRecord, shownEnvironments, valueIn(visibleRecord));
    };
  }

  /**
   * Returns a function that returns whether the effective texts of a parameter differ between the environments of
   * `difference`.
   */
  private async differenceIn(
    snapshot: ProjectSnapshot,
    parameterResolver: Resolver<ParameterRecord, ValueRecord>,
    { difference, evaluate, mask_secrets: maskSecrets }: ParameterListQuery,
  ): Promise<(parameter: ParameterRecord) => boolean> {
    if (difference === undefined) return () => true;
    const environments = difference.map((nameOrId) => findEnvironment(snapshot, nameOrId, '/difference'));
    const requestedTexts = () =>
      parameterResolver.visible.flatMap(({ parameter }) =>
        environments.map(({ id }) => [parameterResolver.at(parameter, id), id] as const),
      );
    const evaluationResults = await this.evaluations.ofSnapshot(snapshot, requestedTexts, { evaluate });
    // A value is also secret if the parameter that it was set on is secret, even if another parameter overrides that
    // one.
    const secrets = new Set(snapshot.parameters.filter(({ secret }) => secret).map(({ id }) => id));
    const seenIn = (parameter: ParameterRecord, environmentId: string) => {
      const value = parameterResolver.at(parameter, environmentId);
      const evaluatedText = value && evaluationResults.evaluatedText({ sourceId: value.id, environmentId });
      return {
        text: value === null ? undefined : (evaluatedText?.text ?? snapshot.textOf(value)),
        secret: (value !== null && secrets.has(value.parameterId)) || (evaluatedText?.secret ?? false),
      };
    };
    return (parameter) => {
      const evaluatedTexts = environments.map(({ id }) => seenIn(parameter, id));
      if (maskSecrets && evaluatedTexts.some(({ secret }) => secret)) return false;
      return new Set(evaluatedTexts.map(({ text }) => text)).size > 1;
    };
  }
}

function environmentsShown(snapshot: ProjectSnapshot, query: ParameterQuery) {
  if (query.environment !== undefined) return [findEnvironment(snapshot, query.environment)];
  if (query.values === false) return [];
  return [...snapshot.environments].sort((left, right) => compareNames(left.name, right.name));
}

/** The approximate memory of a presented parameter or value, in bytes. */
const PRESENTED_BYTES = 3_072;

function assertConsistentQuery({
  environment,
  values,
  difference,
}: ParameterQuery & { difference?: readonly string[] | undefined }): void {
  if (environment !== undefined && values !== undefined) {
    throw Failure.invalid('contradiction', 'Set environment or values, not both.').at('/values');
  }
  if (difference === undefined) return;
  if (environment !== undefined || values !== undefined) {
    const message = 'difference cannot be combined with environment or values.';
    throw Failure.invalid('contradiction', message).at('/difference');
  }
  if (difference.length < 2) {
    throw Failure.field('invalid', 'difference', 'Enter at least two environments, separated by commas.');
  }
}

/** Returns whether a response about a parameter contains a secret in clear text. */
export function containsClearSecret(
  { values_flat: values }: Parameter,
  { mask_secrets: isMasked }: ParameterQuery,
): boolean {
  return !isMasked && values.some(({ secret, value }) => secret && value !== null);
}
