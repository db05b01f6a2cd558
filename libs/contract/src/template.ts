import { z } from 'zod';
import { freeText, LIMITS, linkOut, name, templateText, text, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { flagParameter, momentParameters, moreNameFilters, PageQuery, textParameter, uuidParameter } from './query.ts';

/** The last three keys of the recorded shape repeat others under names of an older time. */
export const Template = z
  .object({
    url: linkOut,
    id: z.string(),
    ledger_id: z.string(),
    name: z.string(),
    description: z.string(),
    evaluated: z.boolean().meta({ description: 'Whether `body` is rendered.' }),
    body: z.string(),
    referenced_projects: z.array(linkOut),
    referenced_parameters: z.array(linkOut),
    referenced_templates: z.array(linkOut),
    referencing_templates: z.array(linkOut),
    referencing_values: z.array(linkOut),
    has_secret: z.boolean().meta({ description: 'Of a rendered body: it depends on a secret, whether set or not.' }),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
    parameters: z.array(linkOut),
    references: z.array(linkOut),
    referenced_by: z.array(linkOut),
  })
  .meta({ id: 'Template' });
export type Template = z.infer<typeof Template>;

export const TemplatePage = pageOf(Template, 'PaginatedTemplateList');

export const TemplateCreate = z
  .object({
    name: name(),
    description: freeText().default(''),
    body: templateText.default(''),
  })
  .meta({ id: 'TemplateCreate' });
export type TemplateCreate = z.infer<typeof TemplateCreate>;

/** PUT. What is absent keeps its value. */
export const TemplateUpdate = z
  .object({
    name: name(),
    description: freeText().optional(),
    body: templateText.optional(),
  })
  .meta({ id: 'TemplateUpdate' });
export type TemplateUpdate = z.infer<typeof TemplateUpdate>;

export const TemplatePatch = TemplateUpdate.partial().meta({ id: 'PatchedTemplateUpdate' });
export type TemplatePatch = z.infer<typeof TemplatePatch>;

const readParameters = {
  ...momentParameters,
  environment: textParameter('Name or id of the environment to render for; without it bodies stay raw.'),
  mask_secrets: flagParameter('Replace a rendered body that depends on a secret by `*****` as a whole.').default(false),
};

/** In a list bodies are raw unless asked otherwise, in a single answer they are rendered: recorded so. */
export const TemplateListQuery = PageQuery.extend({
  ...moreNameFilters,
  ...readParameters,
  evaluate: flagParameter('Render the bodies, given an environment.').default(false),
});
export type TemplateListQuery = z.infer<typeof TemplateListQuery>;

export const TemplateQuery = z.object({
  ...readParameters,
  evaluate: flagParameter('Render the body, given an environment.').default(true),
});
export type TemplateQuery = z.infer<typeof TemplateQuery>;

export const TemplatePreviewRequest = z
  .object({ body: text({ max: LIMITS.template, blank: 'allowed' }) })
  .meta({ id: 'TemplatePreviewCreateRequest' });
export type TemplatePreviewRequest = z.infer<typeof TemplatePreviewRequest>;

export const TemplatePreviewQuery = z.object({
  ...readParameters,
  environment: textParameter('Name or id of the environment to render for; absent means `default`.'),
  template: uuidParameter('Id of the template that is being edited: the text must not refer to it.'),
});
export type TemplatePreviewQuery = z.infer<typeof TemplatePreviewQuery>;

export const TemplatePreview = z.object({ body: z.string(), has_secret: z.boolean() }).meta({ id: 'TemplatePreview' });
export type TemplatePreview = z.infer<typeof TemplatePreview>;
