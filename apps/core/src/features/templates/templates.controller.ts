import { TEMPLATES } from '@strata/contract';
import { pathId } from '../../platform/http/links.ts';
import type { Call } from '../../platform/http/request.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { presentTemplate } from './templates.presenter.ts';
import { type TemplateKey, TemplatesReader } from './templates.reader.ts';
import { TemplatesService } from './templates.service.ts';

export const TemplatesController = resourceController(
  TEMPLATES,
  { reader: TemplatesReader, templates: TemplatesService },
  ({ reader, templates }) => ({
    readParent: ({ project_pk: project = '' }, call) => toTemplateKey(call, project),
    readKey: ({ project_pk: project = '', id = '' }) => ({
      projectId: pathId('Project', project),
      id: pathId('Template', id),
    }),
    sortedBy: ['row.name', 'row.id'],
    list: ({ parent, query }) => reader.page(parent, query),
    retrieve: async ({ call, key: { projectId, id }, query, at, reader: snapshotReader }) => {
      const { revision, ...row } = await reader.readOne(toTemplateKey(call, projectId), id, query, at, snapshotReader);
      return { revision, row };
    },
    takesQueryInWrites: true,
    create: ({ caller, parent, input }) => templates.create(caller, parent.projectId, input),
    change: ({ caller, key, input, precondition }) => templates.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => templates.remove(caller, key, precondition),
    presentItem: (row, { links }, query) => presentTemplate(row, links, query.mask_secrets),
  }),
);

export function toTemplateKey({ caller }: Call, project: string): TemplateKey {
  const { organizationId } = caller;
  return { organizationId, permissions: caller, projectId: pathId('Project', project) };
}
