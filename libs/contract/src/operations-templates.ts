import { noun, operations, standardOperations } from './operation.ts';
import { ParameterExport, ParameterExportQuery } from './parameter-export.ts';
import * as template from './template.ts';

const PROJECT = '/api/v1/projects/{project_pk}/';

export const TEMPLATES = noun({
  tag: 'projects',
  prefix: 'projects_templates',
  writes: 'Template',
  collection: `${PROJECT}templates/`,
  singular: 'a template',
  plural: 'the templates of a project',
  read: 'read',
  write: 'write_content',
  conditional: true,
  errorStatuses: { update: [409], delete: [409] },
  shapes: {
    item: template.Template,
    page: template.TemplatePage,
    listQuery: template.TemplateListQuery,
    itemQuery: template.TemplateQuery,
    create: template.TemplateCreate,
    update: template.TemplateUpdate,
    patch: template.TemplatePatch,
  },
});

export const templateOperations = operations([
  ...standardOperations(TEMPLATES),
  {
    id: 'projects_template_preview_create',
    method: 'post',
    path: `${PROJECT}template-preview/`,
    tag: 'projects',
    summary: 'Render a text without storing it',
    requires: 'read',
    query: template.TemplatePreviewQuery,
    body: template.TemplatePreviewRequest,
    status: 200,
    response: template.TemplatePreview,
    errorStatuses: [422],
  },
  {
    id: 'projects_parameter_export_list',
    method: 'get',
    path: `${PROJECT}parameter-export/`,
    tag: 'projects',
    summary: 'Export the parameters of one environment as a file of environment variables',
    requires: 'read',
    query: ParameterExportQuery,
    status: 200,
    response: ParameterExport,
    errorStatuses: [],
    conditional: true,
  },
]);
