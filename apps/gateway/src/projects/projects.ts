import * as contract from '@strata/contract';
import { action, read } from '../graphql/action.ts';
import { resource } from '../graphql/resource.ts';
import { shape } from '../graphql/shape.ts';

export const Project = shape(
  'Project',
  'A set of parameters, usually of one program. A project may depend on another and inherits its parameters.',
  contract.Project,
  {
    name: 'Unique in the organization.',
    description: 'What it is for; may be empty.',
    parameter_name_pattern: 'Pattern that names of new parameters must match from their start; empty for any.',
    depends_on: {
      about: 'Id of the project it inherits from.',
      to: ['Project', 'The project it inherits from.'],
    },
    dependents: {
      about: 'Ids of the projects that inherit from it directly.',
      to: ['Project', 'The projects that inherit from it directly, by name.'],
    },
    access_controlled: 'Whether only those with a grant have access.',
    role: "The caller's role here, where access is controlled.",
    pushes: { about: 'The pushes that carry it.', kind: { is: 'object', schema: contract.AwsPush } },
    push_urls: { about: 'Ids of the pushes that carry it.', as: 'pushIds' },
  },
  { at: 'projects/{id}/' },
);

const projects = resource({
  operations: 'projects',
  of: Project,
  about: 'The projects of the organization, by name.',
  inputs: { depends_on: 'The project to inherit from; null for none.' },
});

shape('ParameterExport', 'Parameters of one environment as lines of a file.', contract.ParameterExport, {
  body: 'The lines; `*****` when they hold a secret that was not revealed.',
  has_secret: 'Whether any of it is secret.',
});

export const PROJECTS = [
  ...projects.resolvers,
  action({
    operation: 'projects_copy_create',
    name: 'copyProject',
    about: 'Copies a project with its parameters, rules, values and templates.',
    inputs: {
      name: 'Name of the copy.',
      description: 'What it is for; that of the source when left out.',
      child_project_names: 'Names of copied dependents by their old names; others get `-1` behind theirs.',
      recursive: 'Whether its dependents are copied too.',
      depends_on: 'What the copy depends on; what the source depends on when left out.',
    },
  }),
  read({
    operation: 'projects_parameter_export_list',
    name: 'export',
    under: Project,
    about: 'Its parameters in one environment as lines of a file of environment variables.',
  }),
];
