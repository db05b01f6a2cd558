import { Injectable } from '@nestjs/common';
import type { ParameterExport, ParameterExportQuery } from '@strata/contract';
import {
  buildExport,
  createResolver,
  exportName,
  MASK,
  type OrganizationId,
  type Permissions,
  type ProjectId,
  type Revision,
} from '@strata/domain';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import { shownText } from '../../platform/limits/request-limits.ts';
import { findEnvironment } from '../snapshot/lookup.ts';
import { ProjectSnapshots } from '../snapshot/project-snapshot.ts';
import { TextEvaluator } from '../templating/evaluation.ts';

interface ExportRequest {
  readonly organizationId: OrganizationId;
  readonly permissions: Permissions;
  readonly projectId: ProjectId;
}

/** Exports the parameters of one environment as lines of a file (behaviour.md §7.3). */
@Injectable()
export class ParameterExports {
  constructor(
    private readonly snapshots: ProjectSnapshots,
    private readonly pointsInTime: PointsInTime,
    private readonly evaluations: TextEvaluator,
  ) {}

  async of(
    request: ExportRequest,
    options: ParameterExportQuery,
  ): Promise<{ readonly revision: Revision; readonly exported: ParameterExport }> {
    const requester = { ...request.permissions, organizationId: request.organizationId };
    const { at, query } = await this.pointsInTime.resolved(requester, options);
    const environment = query.environment ?? 'default';
    // A tag has to be resolved first. With a tag, a missing project is therefore reported before a missing environment
    // (behaviour.md §1.9).
    const firstMissing = query.tag === undefined ? 'environment' : 'project';
    const snapshot = await this.snapshots.of({ ...request, at, environment, firstMissing });
    const { id: environmentId } = findEnvironment(snapshot, environment);
    const { visible, inEnvironment } = createResolver(snapshot);
    const values = inEnvironment(environmentId);
    const selectedValues = visible
      .map(({ parameter }, index) => {
        const isNamed = query.name__in?.includes(parameter.name) ?? true;
        return { value: values[index] ?? null, name: isNamed ? exportName(parameter.name) : null };
      })
      .filter(({ value, name }) => value !== null && name !== null && isSelected(name, query));
    const requestedTexts = () => selectedValues.map(({ value }) => [value, environmentId] as const);
    const evaluationResults = await this.evaluations.ofSnapshot(snapshot, requestedTexts, {
      evaluate: true,
      environment,
    });
    const secrets = new Set(snapshot.parameters.filter(({ secret }) => secret).map(({ id }) => id));
    let hasSecret = false;
    const lines = selectedValues.flatMap(({ value, name }) => {
      if (value === null || name === null) return [];
      const evaluatedText = evaluationResults.evaluatedText({ sourceId: value.id, environmentId });
      const isSecret = secrets.has(value.parameterId) || (evaluatedText?.secret ?? false);
      hasSecret ||= isSecret;
      const clear = () => evaluatedText?.text ?? snapshot.textOf(value);
      return [{ name, text: () => shownText({ isSecret, isMasked: false, isNull: false, clear }) }];
    });
    if (hasSecret && query.mask_secrets) {
      return { revision: snapshot.revision, exported: { body: MASK, has_secret: true } };
    }
    const writtenLines = inOrder(lines, query).map(({ name, text }) => ({ name, text: text() }));
    const body = buildExport(writtenLines, query.output, { explicitExport: query.explicit_export });
    return { revision: snapshot.revision, exported: { body, has_secret: hasSecret } };
  }
}

function isSelected(name: string, { contains, startswith, endswith }: ParameterExportQuery): boolean {
  return (
    name.includes(contains?.toUpperCase() ?? '') &&
    name.startsWith(startswith?.toUpperCase() ?? '') &&
    name.endsWith(endswith?.toUpperCase() ?? '')
  );
}

/** Sorts by name in code unit order, independent of the order that parameters have in lists. */
function inOrder<Line extends { readonly name: string }>(
  lines: readonly Line[],
  { ordering = [] }: ParameterExportQuery,
): readonly Line[] {
  const sign = ordering.find(({ field }) => field === 'name')?.descending ? -1 : 1;
  return [...lines].sort((left, right) => (left.name < right.name ? -sign : left.name > right.name ? sign : 0));
}
