import { z } from 'zod';
import {
  freeTextField,
  LIMITS,
  linkOutput,
  nameField,
  templateTextField,
  textField,
  timeOutput,
  versionedObject,
} from './fields.ts';
import { pageSchema } from './page.ts';
import {
  booleanParameter,
  nameAndDescriptionFilters,
  PageQuery,
  pointInTimeParameters,
  textParameter,
  uuidParameter,
} from './query.ts';
import { memberWithDefault, requiredMember, writeShapes } from './write-shapes.ts';

/** The last three members repeat other members under the names that an older version used. */
export const Template = z
  .object({
    ...versionedObject,
    name: z.string().meta({ description: 'Unique in its project.' }),
    description: z.string().meta({ description: 'Description; may be empty.' }),
    evaluated: z.boolean().meta({ description: 'Whether `body` is rendered.' }),
    body: z.string().meta({
      description: 'The text, rendered if the request names an environment; `*****` if it depends on a masked secret.',
    }),
    referenced_projects: z.array(linkOutput).meta({ description: 'The projects that it refers to.' }),
    referenced_parameters: z.array(linkOutput).meta({ description: 'The parameters that it refers to.' }),
    referenced_templates: z.array(linkOutput).meta({ description: 'The templates that it refers to.' }),
    referencing_templates: z.array(linkOutput).meta({ description: 'The templates that refer to it.' }),
    referencing_values: z.array(linkOutput).meta({ description: 'The values that refer to it.' }),
    has_secret: z
      .boolean()
      .meta({ description: 'Whether the rendered body depends on a secret parameter, even one without a value.' }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
    parameters: z.array(linkOutput).meta({ description: 'Repeats `referenced_parameters`.' }),
    references: z.array(linkOutput).meta({ description: 'Repeats `referenced_templates`.' }),
    referenced_by: z.array(linkOutput).meta({ description: 'Repeats `referencing_templates`.' }),
  })
  .meta({
    id: 'Template',
    description: 'A text with placeholders, such as a configuration file, that is rendered for an environment.',
  });
export type Template = z.infer<typeof Template>;

export const TemplatePage = pageSchema(Template, 'PaginatedTemplateList');

const templateShapes = writeShapes(
  { create: 'TemplateCreate', update: 'TemplateUpdate', patch: 'PatchedTemplateUpdate' },
  {
    name: requiredMember(nameField(), 'Unique in its project.'),
    description: memberWithDefault(freeTextField(), '', 'Description; may be empty.'),
    body: memberWithDefault(templateTextField, '', 'The text with its placeholders.'),
  },
);

export const TemplateCreate = templateShapes.create;
export type TemplateCreate = z.infer<typeof TemplateCreate>;

export const TemplateUpdate = templateShapes.update;
export const TemplatePatch = templateShapes.patch;
export type TemplatePatch = z.infer<typeof TemplatePatch>;

const readParameters = {
  ...pointInTimeParameters,
  environment: textParameter('Name or id of the environment to render for. Without it, bodies are not rendered.'),
  mask_secrets: booleanParameter('Replace the whole rendered body by `*****` if it depends on a secret.').default(
    false,
  ),
};

/** Lists return raw bodies by default, and single reads return rendered ones, as in the recorded contract. */
export const TemplateListQuery = PageQuery.extend({
  ...nameAndDescriptionFilters,
  ...readParameters,
  evaluate: booleanParameter('Whether to render the bodies; requires an environment.').default(false),
});
export type TemplateListQuery = z.infer<typeof TemplateListQuery>;

export const TemplateQuery = z.object({
  ...readParameters,
  evaluate: booleanParameter('Whether to render the body; requires an environment.').default(true),
});
export type TemplateQuery = z.infer<typeof TemplateQuery>;

export const TemplatePreviewRequest = z
  .object({
    body: textField({ max: LIMITS.template, blank: 'allowed' }).meta({
      description: 'The text with its placeholders.',
    }),
  })
  .meta({ id: 'TemplatePreviewCreateRequest' });
export type TemplatePreviewRequest = z.infer<typeof TemplatePreviewRequest>;

export const TemplatePreviewQuery = z.object({
  ...readParameters,
  environment: textParameter('Name or id of the environment to render for; defaults to `default`.'),
  template: uuidParameter('Id of the template that is being edited. The text must not refer to it.'),
});
export type TemplatePreviewQuery = z.infer<typeof TemplatePreviewQuery>;

export const TemplatePreview = z
  .object({
    body: z.string().meta({ description: 'The rendered text; `*****` if it depends on a masked secret.' }),
    has_secret: z.boolean().meta({ description: 'Whether it depends on a secret.' }),
  })
  .meta({ id: 'TemplatePreview', description: 'A rendered text.' });
export type TemplatePreview = z.infer<typeof TemplatePreview>;
