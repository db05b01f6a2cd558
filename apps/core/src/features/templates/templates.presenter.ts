import { Template } from '@strata/contract';
import type { Links } from '../../platform/http/links.ts';
import { shapeRow } from '../../platform/http/shape-row.ts';
import { shownText } from '../../platform/limits/request-limits.ts';
import { referenceLinks } from '../templating/reference-links.ts';
import type { RenderedTemplate } from './templates.reader.ts';

/**
 * Presents a template. `maskSecrets` masks a whole body that depends on a secret, because the secret cannot be located
 * in it.
 */
export function presentTemplate({ row, evaluated }: RenderedTemplate, links: Links, maskSecrets: boolean): Template {
  const { project_id: projectId } = row;
  const referencedObjects = referenceLinks(row.references, projectId, links);
  const referring = row.referrers.filter(({ ofParameterId }) => ofParameterId === null);
  const templates = [...new Set(referring.map((referrer) => links.template(referrer.projectId, referrer.sourceId)))];
  const values = row.referrers.flatMap(({ projectId: owner, ofParameterId, sourceId }) =>
    ofParameterId === null ? [] : [links.value(owner, ofParameterId, sourceId)],
  );
  const isSecret = evaluated?.secret ?? false;
  return shapeRow(Template, row, {
    url: links.template(projectId, row.id),
    evaluated: evaluated !== null,
    body: shownText({ isSecret, isMasked: maskSecrets, isNull: false, clear: () => evaluated?.text ?? row.body }) ?? '',
    ...referencedObjects,
    referencing_templates: templates,
    referencing_values: values,
    has_secret: isSecret,
    parameters: referencedObjects.referenced_parameters,
    references: referencedObjects.referenced_templates,
    referenced_by: templates,
  });
}
