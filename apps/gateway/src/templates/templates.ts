import * as contract from '@strata/contract';
import { read } from '../graphql/action.ts';
import { resource } from '../graphql/resource.ts';
import { leftOut, shape } from '../graphql/shape.ts';
import { references, referencing } from '../parameters/references.ts';
import { Project } from '../projects/projects.ts';

export const Template = shape(
  'Template',
  'A text with placeholders, such as a file of configuration, that is rendered for an environment.',
  contract.Template,
  {
    name: 'Unique in its project.',
    description: 'What it is for; may be empty.',
    evaluated: 'Whether `body` is rendered.',
    body: 'The text, rendered when an environment was asked for; `*****` when it depends on a secret that was not revealed.',
    ...references('it'),
    ...referencing,
    has_secret: 'Whether the rendered body depends on a secret.',
    parameters: leftOut('repeats `referenced_parameters`'),
    references: leftOut('repeats `referenced_templates`'),
    referenced_by: leftOut('repeats `referencing_templates`'),
  },
  { at: 'projects/{projectId}/templates/{id}/' },
);

shape('TemplatePreview', 'A text as it would be rendered.', contract.TemplatePreview, {
  body: 'The rendered text; `*****` when it depends on a secret that was not revealed.',
  has_secret: 'Whether it depends on a secret.',
});

export const TEMPLATES = [
  ...resource({
    operations: 'projects_templates',
    of: Template,
    under: Project,
    about: 'The templates of the project, by name. Their bodies are raw unless `environment` and `evaluate` are given.',
    loadWith: { mask_secrets: true },
    inputs: { body: 'The text with its placeholders.' },
  }).resolvers,
  read({
    operation: 'projects_template_preview_create',
    name: 'templatePreview',
    about: 'Renders a text for an environment without storing it.',
    inputs: { body: 'The text with its placeholders.' },
  }),
];
