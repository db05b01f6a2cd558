import { Effective, EffectiveQuery } from './effective.ts';
import * as environment from './environment.ts';
import { type Operation, operationsOf } from './operation.ts';
import * as parameter from './parameter.ts';
import { ParameterType, ParameterTypeListQuery, ParameterTypePage } from './parameter-type.ts';
import * as project from './project.ts';
import { EnvironmentPushesQuery, ParameterPushesQuery, TaskStepPage } from './task-step.ts';
import * as value from './value.ts';

const API = '/api/v1';
const PARAMETERS = `${API}/projects/{project_pk}/parameters/`;

/** Kept because clients ask; empty as long as there are no integrations to push to. */
const pushes: readonly Operation[] = [
  {
    id: 'environments_pushes_list',
    path: `${API}/environments/{environment_pk}/pushes/`,
    tag: 'environments',
    summary: 'List what pushes did for an environment: nothing yet',
    query: EnvironmentPushesQuery,
  },
  {
    id: 'projects_parameters_pushes_list',
    path: `${PARAMETERS}{parameter_pk}/pushes/`,
    tag: 'projects',
    summary: 'List what pushes did for a parameter: nothing yet',
    query: ParameterPushesQuery,
  },
].map((list) => ({ ...list, method: 'get', requires: 'read', status: 200, response: TaskStepPage, refusals: [] }));

/** What programs are configured with. */
export const configuration: readonly Operation[] = [
  ...operationsOf({
    tag: 'environments',
    prefix: 'environments',
    collection: `${API}/environments/`,
    singular: 'an environment',
    plural: 'environments',
    read: 'read',
    write: 'write_content',
    conditional: true,
    refusals: { delete: [409] },
    shapes: {
      item: environment.Environment,
      page: environment.EnvironmentPage,
      listQuery: environment.EnvironmentListQuery,
      create: environment.EnvironmentCreate,
      update: environment.EnvironmentUpdate,
      patch: environment.EnvironmentPatch,
    },
  }),
  ...operationsOf({
    tag: 'projects',
    prefix: 'projects',
    collection: `${API}/projects/`,
    singular: 'a project',
    plural: 'projects',
    read: 'read',
    write: 'write_content',
    conditional: true,
    refusals: { delete: [409] },
    shapes: {
      item: project.Project,
      page: project.ProjectPage,
      listQuery: project.ProjectListQuery,
      create: project.ProjectCreate,
      update: project.ProjectUpdate,
      patch: project.ProjectPatch,
    },
  }),
  {
    id: 'projects_effective_retrieve',
    method: 'get',
    path: `${API}/projects/{id}/effective/`,
    tag: 'projects',
    summary: 'Read the effective configuration of a project in one environment',
    description:
      'What a program needs: every visible name with its text, environment before project. The strong ETag covers the body; ask with `If-None-Match` and get 304 while nothing has changed.',
    requires: 'read',
    query: EffectiveQuery,
    status: 200,
    response: Effective,
    refusals: [],
    conditional: true,
  },
  ...operationsOf({
    tag: 'projects',
    prefix: 'projects_parameters',
    collection: PARAMETERS,
    singular: 'a parameter',
    plural: 'the parameters that a project shows, with their effective values',
    read: 'read',
    write: 'write_content',
    conditional: true,
    refusals: { create: [404], delete: [409] },
    shapes: {
      item: parameter.Parameter,
      page: parameter.ParameterPage,
      listQuery: parameter.ParameterListQuery,
      itemQuery: parameter.ParameterQuery,
      create: parameter.ParameterCreate,
      update: parameter.ParameterUpdate,
      patch: parameter.ParameterPatch,
    },
  }).map((operation) =>
    operation.id === 'projects_parameters_list' ? { ...operation, conditional: true } : operation,
  ),
  ...operationsOf({
    tag: 'projects',
    prefix: 'projects_parameters_values',
    collection: `${PARAMETERS}{parameter_pk}/values/`,
    singular: 'a value',
    plural: 'the values that a parameter itself has',
    read: 'read',
    write: 'write_content',
    conditional: true,
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
  }),
  ...pushes,
  ...operationsOf({
    tag: 'types',
    prefix: 'types',
    collection: `${API}/types/`,
    singular: 'a type',
    plural: 'types of parameters',
    read: 'read',
    write: 'write_content',
    deletable: false,
    shapes: { item: ParameterType, page: ParameterTypePage, listQuery: ParameterTypeListQuery },
  }),
];
