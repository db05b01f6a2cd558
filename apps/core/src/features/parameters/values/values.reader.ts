import { Injectable } from '@nestjs/common';
import type { Value, ValueListQuery, ValueQuery } from '@strata/contract';
import { canOnScope, compareNames, createResolver, Failure, type Revision, type ValueId } from '@strata/domain';
import type { Links } from '../../../platform/http/links.ts';
import { pageInMemory } from '../../../platform/http/list-order.ts';
import { notFoundAtError, PointsInTime } from '../../../platform/http/points-in-time.ts';
import type { ResultVersion } from '../../../platform/http/response-cache.ts';
import type { Head } from '../../../platform/ledger/heads.ts';
import { type PageResult, SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import type { PointInTime } from '../../../platform/postgres/versioned-table.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import { findEnvironment } from '../../snapshot/lookup.ts';
import { type ProjectSnapshot, ProjectSnapshots, parameterNotFoundError } from '../../snapshot/project-snapshot.ts';
import { toResultVersion } from '../../snapshot/result-version.ts';
import type { ValueRecord } from '../../snapshot/snapshot.ts';
import { NOTHING_EVALUATED, TextEvaluator } from '../../templating/evaluation.ts';
import { Presenter, presentValue } from '../parameters.presenter.ts';
import { type ParameterKey, toRequester } from '../parameters.reader.ts';
import { readValueWithContext, type ValueWithContext } from './value-with-context.ts';

interface ValueReadQuery {
  readonly query: ValueQuery;
  readonly links: Links;
}

/** A value before presentation. */
interface FoundValue extends ResultVersion {
  write(links: Links): Promise<Value>;
}

export interface ValueResult {
  readonly revision: Revision;
  readonly value: Value;
}

/** Reads the explicit values of one parameter. */
@Injectable()
export class ValuesReader {
  constructor(
    private readonly snapshots: ProjectSnapshots,
    private readonly pointsInTime: PointsInTime,
    private readonly evaluations: TextEvaluator,
    private readonly snapshotReader: SnapshotReader,
    private readonly vault: Vault,
  ) {}

  /** Returns the page before presentation. */
  async findPage(key: ParameterKey, options: ValueListQuery) {
    const { at, query } = await this.pointsInTime.resolved(toRequester(key), options);
    const snapshot = await this.snapshot(key, at);
    return { snapshot, write: (links: Links) => this.page(key, snapshot, { query, links }) };
  }

  private async page(
    key: ParameterKey,
    snapshot: ProjectSnapshot,
    { query, links }: { readonly query: ValueListQuery; readonly links: Links },
  ): Promise<PageResult<Value>> {
    const environment = query.environment === undefined ? null : findEnvironment(snapshot, query.environment);
    const nameOf = namesOfEnvironments(snapshot);
    const requestedValues = explicitValues(snapshot, key).filter(
      ({ id, environmentId }) =>
        snapshot.mayRead(environmentId) &&
        (environment === null || environmentId === environment.id) &&
        (query.id__in?.includes(id) ?? true),
    );
    const page = pageInMemory(requestedValues, query, ({ id, environmentId }) => [nameOf(environmentId), id]);
    const valuesByEnvironment = () => page.rows.map((value) => [value, value.environmentId] as const);
    const evaluationResults = await this.evaluations.ofSnapshot(snapshot, valuesByEnvironment, query);
    const presenter = new Presenter(snapshot, { links, maskSecrets: query.mask_secrets, evaluated: evaluationResults });
    return { ...page, revision: snapshot.revision, rows: page.rows.map((value) => presenter.value(value)) };
  }

  async readOne(
    key: ParameterKey,
    id: ValueId,
    options: ValueQuery,
    links: Links,
    pointInTime?: PointInTime,
    reader?: SnapshotReader,
  ): Promise<ValueResult> {
    const { at, query } = await this.pointsInTime.resolved(toRequester(key), options, pointInTime);
    const currentValue = at === 'now' ? await this.plainValue(key, id, query, reader) : null;
    if (currentValue)
      return { revision: currentValue.revision, value: await this.writtenValue(currentValue, { query, links }) };
    const { snapshot, write } = await this.findInSnapshot(key, id, { at, query }, reader);
    return { revision: snapshot.revision, value: await write(links) };
  }

  /** Returns one value before presentation. `headNow` returns the current head, for a read without a snapshot. */
  async findOne(
    key: ParameterKey,
    id: ValueId,
    options: ValueQuery,
    headNow: () => Promise<Head>,
  ): Promise<FoundValue> {
    const { at, query } = await this.pointsInTime.resolved(toRequester(key), options);
    const isPlain = at === 'now' && query.environment === undefined;
    const head = isPlain ? await headNow() : null;
    const currentValue = isPlain ? await this.plainValue(key, id, query) : null;
    if (currentValue) {
      const currentVersion = currentValue.revision === head?.revision ? { head, contentVersion: null } : null;
      return {
        revision: currentValue.revision,
        currentVersion,
        write: (links) => this.writtenValue(currentValue, { query, links }),
      };
    }
    const { snapshot, write } = await this.findInSnapshot(key, id, { at, query });
    return { ...toResultVersion(snapshot), write };
  }

  private async findInSnapshot(
    key: ParameterKey,
    id: ValueId,
    { at, query }: { readonly at: PointInTime; readonly query: ValueQuery },
    reader?: SnapshotReader,
  ) {
    const snapshot = await this.snapshot(key, at, reader);
    const value = explicitValues(snapshot, key).find((value) => value.id === id);
    if (!value) throw notFoundAtError('Value', at);
    if (!snapshot.mayRead(value.environmentId)) throw Failure.forbidden().at('/path/id');
    const active = query.environment === undefined ? undefined : findEnvironment(snapshot, query.environment);
    if (active && value.interpolated) assertActive(snapshot, value, active.id);
    const requestedTexts = () => [[value, active?.id ?? value.environmentId]] as const;
    const { evaluate } = query;
    const write = async (links: Links) => {
      const evaluationResults = await this.evaluations.ofSnapshot(snapshot, requestedTexts, { evaluate }, reader);
      const presenter = new Presenter(snapshot, {
        links,
        maskSecrets: query.mask_secrets,
        evaluated: evaluationResults,
      });
      return presenter.value(value, active);
    };
    return { snapshot, write };
  }

  /** Presents a value that was already read. Returns null if other rows are needed. */
  async ofValue(currentValue: ValueWithContext, query: ValueReadQuery): Promise<ValueResult | null> {
    if (currentValue.value.interpolated || query.query.environment !== undefined) return null;
    return { revision: currentValue.revision, value: await this.writtenValue(currentValue, query) };
  }

  private async writtenValue(
    { organizationId, parameter, environment, value }: ValueWithContext,
    { query, links }: ValueReadQuery,
  ): Promise<Value> {
    const textOf = await this.vault.valueOpener(organizationId, [value]);
    const shownValue = { value, parameter, environment, active: environment, text: () => textOf(value) };
    return presentValue(shownValue, NOTHING_EVALUATED, { links, maskSecrets: query.mask_secrets });
  }

  /** Serves the most common request with few rows: a current literal value in the environment where it is set. */
  private async plainValue(
    key: ParameterKey,
    id: ValueId,
    query: ValueQuery,
    reader: SnapshotReader = this.snapshotReader,
  ): Promise<ValueWithContext | null> {
    if (query.environment !== undefined) return null;
    const currentValue = await readValueWithContext(reader, key, id);
    return currentValue &&
      !currentValue.value.interpolated &&
      canOnScope(key.permissions, 'read', currentValue.environment.id)
      ? currentValue
      : null;
  }

  /**
   * Reads the snapshot of the parameter. The query does not filter by environment, because all environments are needed
   * anyway.
   */
  private async snapshot(
    { organizationId, permissions, projectId, id }: ParameterKey,
    at: PointInTime,
    reader?: SnapshotReader,
  ) {
    const snapshot = await this.snapshots.of({ organizationId, permissions, projectId, at, parameterId: id }, reader);
    if (!snapshot.parameters.some((parameter) => parameter.id === id)) throw parameterNotFoundError(at);
    return snapshot;
  }
}

/**
 * Throws 404 if the value is not effective in the environment. The evaluated text of a dynamic value only exists in
 * environments where the value is effective (behaviour.md §6.1).
 */
function assertActive(snapshot: ProjectSnapshot, value: ValueRecord, environmentId: string): void {
  const parameter = snapshot.parameters.find(({ id }) => id === value.parameterId);
  if (parameter && createResolver(snapshot).at(parameter, environmentId)?.id === value.id) return;
  throw notFoundAtError('Value', snapshot.at);
}

/** Returns the explicit values, sorted by environment name in natural order (behaviour.md §1.7). */
function explicitValues(snapshot: ProjectSnapshot, { id }: ParameterKey) {
  const nameOf = namesOfEnvironments(snapshot);
  return snapshot.values
    .filter(({ parameterId }) => parameterId === id)
    .sort((left, right) => compareNames(nameOf(left.environmentId), nameOf(right.environmentId)));
}

function namesOfEnvironments({ environments }: ProjectSnapshot): (id: string) => string {
  const names = new Map<string, string>(environments.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? '';
}

type ChosenFields = Pick<ValueQuery, 'include' | 'exclude'>;

export const selectsAllFields = ({ include, exclude }: ChosenFields): boolean =>
  include === undefined && exclude === undefined;

/** Returns the requested fields, or all fields except the excluded ones. */
export function pickFields(value: Value, query: ChosenFields): Partial<Value> {
  if (selectsAllFields(query)) return value;
  const { include, exclude } = query;
  return Object.fromEntries(
    Object.entries(value).filter(([field]) => (include?.includes(field) ?? true) && !exclude?.includes(field)),
  );
}

/** Returns whether a response about values contains a secret in clear text. */
export function showsClearText(values: readonly Value[], { mask_secrets: isMasked }: ValueQuery): boolean {
  return !isMasked && values.some(({ secret, value }) => secret && value !== null);
}
