import { z } from 'zod';
import { Effective, EffectiveQuery } from './effective.ts';
import { EffectiveBatch, EffectiveBatchQuery } from './effective-batch.ts';
import { EffectiveStreamQuery } from './effective-stream.ts';
import * as environment from './environment.ts';
import { ExplanationPage } from './explanation.ts';
import { ExplanationQuery } from './explanation-query.ts';
import { noun, operation, operations, standardOperations } from './operation.ts';
import * as parameter from './parameter.ts';
import * as project from './project.ts';
import { ProjectOverview, ProjectOverviewQuery } from './project-overview.ts';
import * as tag from './tag.ts';
import * as value from './value.ts';

const API = '/api/v1';
export const PARAMETERS_PATH = `${API}/projects/{project_pk}/parameters/`;

export const ENVIRONMENTS = noun({
  tag: 'environments',
  prefix: 'environments',
  writes: 'Environment',
  collection: `${API}/environments/`,
  singular: 'an environment',
  plural: 'environments',
  addressing: { links: { parent: ['environments'] } },
  read: 'read',
  write: 'write_content',
  conditional: true,
  errorStatuses: { delete: [409] },
  shapes: {
    item: environment.Environment,
    page: environment.EnvironmentPage,
    listQuery: environment.EnvironmentListQuery,
    itemQuery: environment.EnvironmentQuery,
    create: environment.EnvironmentCreate,
    update: environment.EnvironmentUpdate,
    patch: environment.EnvironmentPatch,
  },
});

export const TAGS = noun({
  tag: 'environments',
  prefix: 'environments_tags',
  writes: 'Tag',
  collection: `${API}/environments/{environment_pk}/tags/`,
  singular: 'a tag',
  plural: 'the tags of an environment',
  read: 'read',
  write: 'write_content',
  conditional: true,
  errorStatuses: { delete: [409] },
  shapes: {
    item: tag.Tag,
    page: tag.TagPage,
    listQuery: tag.TagListQuery,
    create: tag.TagCreate,
    update: tag.TagUpdate,
    patch: tag.TagPatch,
  },
});

export const PROJECTS = noun({
  tag: 'projects',
  prefix: 'projects',
  writes: 'Project',
  collection: `${API}/projects/`,
  singular: 'a project',
  plural: 'projects',
  addressing: { links: { depends_on: ['projects'] } },
  read: 'read',
  write: 'write_content',
  conditional: true,
  errorStatuses: { update: [409], delete: [409] },
  shapes: {
    item: project.Project,
    page: project.ProjectPage,
    listQuery: project.ProjectListQuery,
    itemQuery: project.ProjectQuery,
    create: project.ProjectCreate,
    update: project.ProjectUpdate,
    patch: project.ProjectPatch,
  },
});

export const PARAMETERS = noun({
  tag: 'projects',
  prefix: 'projects_parameters',
  writes: 'Parameter',
  collection: PARAMETERS_PATH,
  singular: 'a parameter',
  plural: 'the parameters that a project shows, with their effective values',
  read: 'read',
  write: 'write_content',
  conditional: true,
  errorStatuses: { create: [404], update: [409], delete: [409] },
  shapes: {
    item: parameter.Parameter,
    page: parameter.ParameterPage,
    listQuery: parameter.ParameterListQuery,
    itemQuery: parameter.ParameterQuery,
    create: parameter.ParameterCreate,
    update: parameter.ParameterUpdate,
    patch: parameter.ParameterPatch,
  },
});

export const VALUES = noun({
  tag: 'projects',
  prefix: 'projects_parameters_values',
  writes: 'Value',
  collection: `${PARAMETERS_PATH}{parameter_pk}/values/`,
  singular: 'a value',
  plural: 'the values that a parameter itself has',
  sortedBy: ['environment_name', 'id'],
  read: 'read',
  write: 'write_content',
  conditional: true,
  errorStatuses: { create: [412, 507], update: [507], delete: [409] },
  shapes: {
    item: value.Value,
    page: value.ValuePage,
    listQuery: value.ValueListQuery,
    itemQuery: value.ValueQuery,
    writeQuery: value.ValueWriteQuery,
    create: value.ValueCreate,
    update: value.ValueUpdate,
    patch: value.ValuePatch,
  },
});

export const EXPLAIN = operation({
  id: 'projects_explain_list',
  method: 'get',
  path: `${API}/projects/{id}/explain/`,
  tag: 'projects',
  summary: 'Explain which values apply in a project and an environment, and why',
  description:
    'With `name`, returns one detailed result: all cells that were checked, the next value in order of precedence, references in both directions, and the latest change; or the reason why there is no value. Without `name`, returns a page of all parameters with fewer details.',
  requires: 'read',
  query: ExplanationQuery,
  status: 200,
  response: ExplanationPage,
  errorStatuses: [400, 404],
  conditional: true,
  sortedBy: ['name', 'parameter_id'],
});

export const SUMMARIZE_ENVIRONMENTS = operation({
  id: 'environments_summary_retrieve',
  method: 'get',
  path: `${API}/environments/summary/`,
  tag: 'environments',
  summary: 'Count the values and tags of each environment',
  description: 'Projects and environments that the caller cannot access are left out.',
  requires: 'read',
  status: 200,
  response: environment.EnvironmentSummary,
  errorStatuses: [],
  conditional: true,
});

export const PROJECT_OVERVIEW = operation({
  id: 'projects_overview_retrieve',
  method: 'get',
  path: `${API}/projects/overview/`,
  tag: 'projects',
  summary: 'Show the counts, the last change and the problems of each project',
  description:
    'Projects and environments that the caller cannot access are left out. Findings and instances are evaluated until the time limit; those that were not evaluated are null.',
  requires: 'read',
  query: ProjectOverviewQuery,
  status: 200,
  response: ProjectOverview,
  errorStatuses: [404],
});

export const configurationOperations = operations([
  SUMMARIZE_ENVIRONMENTS,
  PROJECT_OVERVIEW,
  ...standardOperations(ENVIRONMENTS),
  ...standardOperations(TAGS),
  ...standardOperations(PROJECTS),
  {
    id: 'projects_effective_retrieve',
    method: 'get',
    path: `${API}/projects/{id}/effective/`,
    tag: 'projects',
    summary: 'Read the effective configuration of a project in one environment',
    description:
      'Returns the effective text of every parameter. A value in a nearer environment takes precedence over one in a nearer project. The response has a strong ETag; send it as `If-None-Match` to get 304 if nothing has changed. With the header `X-Strata-Instance`, a 304 reports that the instance with this name runs the configuration; see `rollouts_create`.',
    requires: 'read',
    query: EffectiveQuery,
    status: 200,
    response: Effective,
    errorStatuses: [],
    conditional: true,
  },
  {
    id: 'projects_effective_stream',
    method: 'get',
    path: `${API}/projects/{id}/effective/stream/`,
    tag: 'projects',
    summary: 'Follow the effective configuration of a project in one environment (server-sent events)',
    description:
      'Sends an EffectiveSnapshot (unless you resume, or the configuration cannot be evaluated), then an EffectiveDelta for each revision that changes one of the values, and an EffectiveBookmark after 10 seconds without another message. The event of a message is `snapshot`, `delta`, `problem`, `bookmark`, `reset` or `close`; its id is the cursor. Secrets are masked unless you request `reveal`.',
    requires: 'read',
    query: EffectiveStreamQuery,
    status: 200,
    response: z.string(),
    produces: ['text/event-stream'],
    errorStatuses: [404],
  },
  {
    id: 'effective_list',
    method: 'get',
    path: `${API}/effective/`,
    tag: 'projects',
    summary: 'Read the effective configurations of several projects in several environments',
    description:
      'Returns all values at one revision, and where each is set. If you cannot access the project or the environment of a combination, it has an error instead of values. A project or environment that does not exist returns 404.',
    requires: 'read',
    query: EffectiveBatchQuery,
    status: 200,
    response: EffectiveBatch,
    errorStatuses: [404],
    conditional: true,
  },
  EXPLAIN,
  ...standardOperations(PARAMETERS).map((standardOperation) =>
    standardOperation.id === 'projects_parameters_list'
      ? { ...standardOperation, conditional: true }
      : standardOperation,
  ),
  ...standardOperations(VALUES),
]);
