import { Injectable } from '@nestjs/common';
import type { TemplateListQuery, TemplateQuery } from '@strata/contract';
import { canOnScope, type OrganizationId, type Permissions, type ProjectId, type Revision } from '@strata/domain';
import { nameFilters } from '../../platform/http/filters.ts';
import { BY_DESCRIPTION } from '../../platform/http/list-order.ts';
import { requestedPage } from '../../platform/http/page.ts';
import { notFoundAtError, PointsInTime } from '../../platform/http/points-in-time.ts';
import { type PageResult, SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import {
  type PointInTime,
  rowsAt,
  selectedColumns,
  type VersionedRow,
} from '../../platform/postgres/versioned-table.ts';
import { assertChainReadable, findEnvironment, findProjectChain } from '../snapshot/lookup.ts';
import { Snapshots } from '../snapshot/snapshots.ts';
import {
  type EvaluatedText,
  type EvaluationResults,
  NOTHING_EVALUATED,
  TextEvaluator,
} from '../templating/evaluation.ts';
import type { ReferenceRecord } from '../templating/evaluation-inputs.ts';
import { isReferenceVisible } from '../templating/reference-links.ts';

/** A template with its references, and the texts that refer to it. */
export interface TemplateRow extends VersionedRow<'template'> {
  readonly references: readonly ReferenceRecord[];
  readonly referrers: readonly TemplateReferrer[];
}

export interface TemplateReferrer {
  readonly sourceId: string;
  readonly projectId: ProjectId;
  /** Null if the text is a template. */
  readonly ofParameterId: string | null;
}

/** A template rendered for an environment. `evaluated` is null if the body is shown as stored. */
export interface RenderedTemplate {
  readonly row: TemplateRow;
  readonly evaluated: EvaluatedText | null;
}

export interface TemplateResult extends RenderedTemplate {
  readonly revision: Revision;
}

export interface TemplateKey {
  readonly organizationId: OrganizationId;
  readonly permissions: Permissions;
  readonly projectId: ProjectId;
}

const columns = (at: PointInTime) => `
  ${selectedColumns('template')},
  (select coalesce(json_agg(json_build_object('sourceId', object.id, 'kind', reference.kind, 'projectId', reference.project_id,
            'named', reference.named, 'name', reference.name, 'targetId', coalesce(reference.target_parameter_id, reference.target_template_id),
            'targetProjectId', coalesce(parameter.project_id, template.project_id)) order by reference.kind, reference.name, reference.id), '[]')
     from ${rowsAt('reference', at)} reference
     left join ${rowsAt('parameter', at)} parameter on parameter.id = reference.target_parameter_id
     left join ${rowsAt('template', at)} template on template.id = reference.target_template_id
    where reference.template_id = object.id) as references,
  (select coalesce(json_agg(json_build_object('sourceId', coalesce(reference.template_id, reference.value_id),
            'projectId', coalesce(template.project_id, parameter.project_id), 'ofParameterId', parameter.id) order by template.name, parameter.name, reference.id), '[]')
     from ${rowsAt('reference', at)} reference
     left join ${rowsAt('template', at)} template on template.id = reference.template_id
     left join ${rowsAt('value', at)} value on value.id = reference.value_id
     left join ${rowsAt('parameter', at)} parameter on parameter.id = value.parameter_id
    where reference.target_template_id = object.id) as referrers`;

/** Reads the templates of a project. Renders them for an environment on request. */
@Injectable()
export class TemplatesReader {
  constructor(
    private readonly snapshotReader: SnapshotReader,
    private readonly snapshots: Snapshots,
    private readonly pointsInTime: PointsInTime,
    private readonly evaluations: TextEvaluator,
  ) {}

  async page(key: TemplateKey, options: TemplateListQuery): Promise<PageResult<RenderedTemplate>> {
    const { at, query } = await this.pointsInTime.resolved(
      { ...key.permissions, organizationId: key.organizationId },
      options,
    );
    const scope = await this.scope(key, query.environment, at);
    const page = await this.rows(key, query, at, scope.revision, this.snapshotReader);
    const evaluationResults = await this.evaluated(key, page, query.evaluate, scope);
    return { ...page, rows: page.rows.map((row) => rendered(row, scope, evaluationResults)) };
  }

  async readOne(
    key: TemplateKey,
    id: string,
    options: TemplateQuery,
    pointInTime?: PointInTime,
    reader?: SnapshotReader,
  ): Promise<TemplateResult> {
    const requester = { ...key.permissions, organizationId: key.organizationId };
    const { at, query } = await this.pointsInTime.resolved(requester, options, pointInTime);
    const scope = await this.scope(key, query.environment, at, reader);
    const page = await this.rows(
      key,
      { page: 1, page_size: 1, id__in: [id] },
      at,
      scope.revision,
      reader ?? this.snapshotReader,
    );
    const [row] = page.rows;
    if (!row) throw notFoundAtError('Template', at);
    const evaluationResults = await this.evaluated(key, page, query.evaluate, scope, reader);
    return { revision: page.revision, ...rendered(row, scope, evaluationResults) };
  }

  /**
   * Reads the templates at the revision at which the environment was looked up, even if a write happened in between.
   */
  private async rows(
    { organizationId, permissions, projectId }: TemplateKey,
    query: Pick<TemplateListQuery, 'page' | 'page_size'> & Partial<TemplateListQuery>,
    at: PointInTime,
    revision: Revision,
    reader: SnapshotReader,
  ): Promise<PageResult<TemplateRow>> {
    const read = (pointInTime: PointInTime) =>
      reader.page<TemplateRow>(
        { organizationId, at: pointInTime },
        {
          from: rowsAt('template', pointInTime),
          columns: columns(pointInTime),
          filters: [{ sql: 'object.project_id = ?', value: projectId }, ...nameFilters(query)],
          ...requestedPage(query, BY_DESCRIPTION),
          textBytes: 'octet_length(object.body)',
        },
      );
    const result = await read(at);
    const consistentResult = result.revision === revision ? result : await read(revision);
    const isReadable = ({ projectId: referring }: TemplateReferrer) => canOnScope(permissions, 'read', referring);
    return {
      ...consistentResult,
      rows: consistentResult.rows.map((row) => ({
        ...row,
        references: row.references.filter(isReferenceVisible(permissions, at === 'now')),
        referrers: row.referrers.filter(isReadable),
      })),
    };
  }

  /**
   * Resolves the environment and checks the project. Reports a missing environment first, as behaviour.md §1.9
   * requires.
   */
  private async scope(
    { organizationId, permissions, projectId }: TemplateKey,
    environment: string | undefined,
    at: PointInTime,
    reader?: SnapshotReader,
  ): Promise<TemplateScope> {
    const scope = { organizationId, at, projectIds: [projectId], names: [] };
    const snapshot = await this.snapshots.of({ ...scope, parameters: 'effective', values: 'none' }, reader);
    const canRead = (id: string) => canOnScope(permissions, 'read', id);
    const environmentRow =
      environment === undefined
        ? null
        : findEnvironment({ environments: snapshot.environments, at, mayRead: canRead }, environment);
    if (findProjectChain(snapshot, projectId).length === 0) throw notFoundAtError('Project', at);
    assertChainReadable(snapshot, projectId, permissions);
    const { revision } = snapshot.head;
    return { revision, isPresent: at === 'now', environmentId: environmentRow?.id ?? null };
  }

  private async evaluated(
    { organizationId, permissions }: TemplateKey,
    { rows, revision }: PageResult<TemplateRow>,
    evaluate: boolean,
    { environmentId, isPresent }: TemplateScope,
    reader?: SnapshotReader,
  ): Promise<EvaluationResults> {
    if (!evaluate || environmentId === null) return NOTHING_EVALUATED;
    const requestedTexts = rows.map(({ id: sourceId }) => ({ sourceId, environmentId }));
    const request = {
      organizationId,
      permissions,
      revision,
      isPresent,
      requested: requestedTexts,
      environment: environmentId,
      evaluate,
    };
    return this.evaluations.of(request, reader);
  }
}

/** The environment to render for (if any), and the revision at which it was looked up. */
interface TemplateScope {
  readonly isPresent: boolean;
  readonly revision: Revision;
  readonly environmentId: string | null;
}

function rendered(
  row: TemplateRow,
  { environmentId }: TemplateScope,
  evaluationResults: EvaluationResults,
): RenderedTemplate {
  return {
    row,
    evaluated: environmentId === null ? null : evaluationResults.evaluatedText({ sourceId: row.id, environmentId }),
  };
}
