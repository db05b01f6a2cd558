import * as contract from '@strata/contract';
import { REFERENCES, REFERRERS } from '../parameters/references.ts';
import { declareObject, omitMember } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

export const TEMPLATES_PART: SchemaPart = {
  objects: [
    declareObject({
      name: 'Template',
      of: contract.Template,
      at: 'projects/{projectId}/templates/{id}/',
      members: {
        ...REFERENCES,
        ...REFERRERS,
        parameters: omitMember('repeats `referenced_parameters`'),
        references: omitMember('repeats `referenced_templates`'),
        referenced_by: omitMember('repeats `referencing_templates`'),
      },
    }),
    declareObject({ name: 'TemplatePreview', of: contract.TemplatePreview }),
  ],
  nouns: [
    {
      operations: 'projects_templates',
      of: 'Template',
      under: 'Project',
      about:
        'The templates of the project, sorted by name. Bodies are raw unless `environment` and `evaluate` are given.',
      loadWith: { mask_secrets: true },
    },
  ],
  reads: [
    {
      operation: 'projects_template_preview_create',
      name: 'templatePreview',
      about: 'Renders a text for an environment without storing it.',
    },
  ],
};
