import { Injectable } from '@nestjs/common';
import type { RuleQuery } from '@strata/contract';
import type { Revision, Uuid } from '@strata/domain';
import { notFoundAtError, PointsInTime } from '../../../platform/http/points-in-time.ts';
import type { RowResult, SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import type { PointInTime } from '../../../platform/postgres/versioned-table.ts';
import { ProjectSnapshots, parameterNotFoundError } from '../../snapshot/project-snapshot.ts';
import type { ParameterRecord, RuleRecord } from '../../snapshot/snapshot.ts';
import type { ParameterRuleRow } from '../parameters.presenter.ts';
import { type ParameterKey, toRequester } from '../parameters.reader.ts';

export interface RulesOfParameter {
  readonly revision: Revision;
  readonly parameter: ParameterRecord;
  readonly rules: readonly RuleRecord[];
}

/** Reads the rules of one parameter. Also finds inherited parameters through the path of the inheriting project. */
@Injectable()
export class ParameterRulesReader {
  constructor(
    private readonly snapshots: ProjectSnapshots,
    private readonly pointsInTime: PointsInTime,
  ) {}

  async rulesAt(key: ParameterKey, query: RuleQuery): Promise<RulesOfParameter> {
    return this.rules(key, await this.pointsInTime.of(toRequester(key), query));
  }

  async oneAt(key: ParameterKey, id: Uuid, query: RuleQuery): Promise<RowResult<ParameterRuleRow>> {
    return this.readOne(key, id, await this.pointsInTime.of(toRequester(key), query));
  }

  async readOne(
    key: ParameterKey,
    id: Uuid,
    at: PointInTime,
    reader?: SnapshotReader,
  ): Promise<RowResult<ParameterRuleRow>> {
    const { revision, parameter, rules } = await this.rules(key, at, reader);
    const rule = rules.find((candidate) => candidate.id === id);
    if (!rule) throw notFoundAtError('ParameterRule', at);
    return { revision, row: { parameter: { id: parameter.id, projectId: parameter.projectId }, rule } };
  }

  private async rules(
    { organizationId, permissions, projectId, id }: ParameterKey,
    at: PointInTime,
    reader?: SnapshotReader,
  ): Promise<RulesOfParameter> {
    const request = { organizationId, permissions, projectId, at, parameterId: id, values: false, rules: true };
    const snapshot = await this.snapshots.of(request, reader);
    const parameter = snapshot.parameters.find((candidate) => candidate.id === id);
    if (!parameter) throw parameterNotFoundError(at);
    const rules = snapshot.rules.filter(({ parameterId }) => parameterId === id);
    return { revision: snapshot.revision, parameter, rules };
  }
}
