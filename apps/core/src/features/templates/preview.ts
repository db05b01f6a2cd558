import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { TemplatePreview, TemplatePreviewQuery } from '@strata/contract';
import { Failure, type Revision, sentence } from '@strata/domain';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import { recordSecretValidation, shownText } from '../../platform/limits/request-limits.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { rowsAt } from '../../platform/postgres/versioned-table.ts';
import { findEnvironment } from '../snapshot/lookup.ts';
import { ProjectSnapshots } from '../snapshot/project-snapshot.ts';
import { TextEvaluator, type UnstoredText } from '../templating/evaluation.ts';
import { References } from '../templating/references.ts';
import type { TemplateKey } from './templates.reader.ts';
import { malformedBodyError } from './templates.service.ts';

/** Renders a text as if it were a template of a project. Stores nothing. */
@Injectable()
export class Previews {
  constructor(
    private readonly snapshots: ProjectSnapshots,
    private readonly pointsInTime: PointsInTime,
    private readonly references: References,
    private readonly evaluations: TextEvaluator,
    private readonly reader: SnapshotReader,
  ) {}

  async of(
    key: TemplateKey,
    body: string,
    options: TemplatePreviewQuery,
  ): Promise<{ readonly revision: Revision; readonly preview: TemplatePreview }> {
    const { organizationId, permissions, projectId } = key;
    const { at, query } = await this.pointsInTime.resolved({ ...permissions, organizationId }, options);
    const mentions = await this.references.mentionsIn(organizationId, body, malformedBodyError);
    const snapshot = await this.snapshots.of({ ...key, at, values: false, name: '' });
    const { id: environmentId } = findEnvironment(snapshot, query.environment ?? 'default');
    const { revision } = snapshot;
    const bindings = await this.references.bindings(
      { organizationId, projectId, at: revision, permissions },
      mentions,
      this.reader,
    );
    const editedTemplate = query.template ?? null;
    const id = randomUUID();
    const draft: UnstoredText = {
      id,
      projectId,
      name: editedTemplate === null ? '' : await this.findTemplateName(key, editedTemplate, revision),
      body,
      references: bindings.map((binding) => ({ ...binding, sourceId: id, targetProjectId: null })),
    };
    const requestedTexts = [{ sourceId: id, environmentId }];
    const isPresent = at === 'now';
    const request = {
      organizationId,
      permissions,
      revision,
      isPresent,
      requested: requestedTexts,
      environment: environmentId,
      evaluate: true,
      draft,
    };
    const evaluationResults = await this.evaluations.of(request);
    if (editedTemplate !== null && evaluationResults.evaluatedText({ sourceId: editedTemplate, environmentId }))
      throw selfReferenceError();
    const evaluatedText = evaluationResults.evaluatedText({ sourceId: id, environmentId });
    const secret = evaluatedText?.secret ?? false;
    const textToShow = shownText({
      isSecret: secret,
      isMasked: query.mask_secrets,
      isNull: false,
      clear: () => evaluatedText?.text ?? '',
    });
    // Whether a text with a secret can be evaluated reveals something about the secret, even if it is masked, so this
    // is recorded.
    if (evaluatedText?.secret && !evaluatedText.forbidden) recordSecretValidation();
    return { revision, preview: { body: textToShow ?? '', has_secret: secret } };
  }

  /** Returns the name of the template, or an empty one if it does not exist yet. */
  private async findTemplateName(
    { organizationId, projectId }: TemplateKey,
    id: string,
    revision: Revision,
  ): Promise<string> {
    const [row] = await this.reader.query<{ name: string }>(
      `select name from ${rowsAt('template', revision)} template where template.project_id = $3 and template.id = $4`,
      [organizationId, revision, projectId, id],
    );
    return row?.name ?? '';
  }
}

function selfReferenceError(): Failure {
  return Failure.list('dependency_loop', [
    sentence`This would be a circular reference: the text refers to its own template.`,
  ]);
}
