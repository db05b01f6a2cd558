import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { TemplateCreate, TemplatePatch } from '@strata/contract';
import {
  asSentence,
  Failure,
  type Mention,
  type NamedObject,
  type OrganizationId,
  type ProjectId,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { Precondition } from '../../platform/http/request.ts';
import { type Cascade, Cascades } from '../../platform/ledger/cascades.ts';
import type { Command } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { pickWrittenColumns } from '../../platform/postgres/versioned-entity.ts';
import { isUnchanged } from '../../platform/unchanged.ts';
import { type CreateInvalidTextError, References } from '../templating/references.ts';
import { Referrers } from '../templating/referrers.ts';
import { assertNewNames, duplicateNameError } from '../validation/names.ts';
import { Validator } from '../validation/validator.ts';
import { TemplateEntity } from './template.entity.ts';
import { type RenderedTemplate, TemplatesReader } from './templates.reader.ts';

const nameScope = ({ organizationId }: Caller, projectId: ProjectId) =>
  ({ noun: 'template', organizationId, columns: { project_id: projectId } }) as const;

const constraintErrors = (name: string) => ({
  template_name_taken: () => duplicateNameError('template', name),
});

/** Deletes the templates of a deleted project. */
const CASCADE: Cascade = {
  of: 'Project',
  objectType: 'Template',
  sql: `
    select template.id, template.name, template.project_id, project.name as project_name
      from template join project on project.organization_id = template.organization_id and project.id = template.project_id
     where template.organization_id = $1 and template.project_id = $2 order by template.name`,
};

/** The project of a template, and its id. */
export interface TemplatePath {
  readonly projectId: ProjectId;
  readonly id: string;
}

@Injectable()
export class TemplatesService {
  constructor(
    private readonly reader: TemplatesReader,
    private readonly references: References,
    private readonly referrers: Referrers,
    private readonly validator: Validator,
    cascades: Cascades,
  ) {
    cascades.add(CASCADE);
  }

  async create(caller: Caller, projectId: ProjectId, input: TemplateCreate): Promise<Command<RenderedTemplate>> {
    const mentions = await this.mentionsIn(caller.organizationId, input.body);
    return {
      operation: 'projects_templates_create',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const { organizationId } = caller;
        const project = await findProject(em, organizationId, projectId);
        const id = randomUUID();
        const template: TemplateEntity = { ...pickWrittenColumns('template', input), organizationId, id, projectId };
        await translateViolations(em.insert(TemplateEntity, template), constraintErrors(input.name));
        await assertNewNames(em, nameScope(caller, projectId), [input.name]);
        await this.references.store(em, caller, { organizationId, projectId, id, kind: 'template' }, mentions);
        context.record(objectChange('create', 'Template', { id, name: input.name }, { project }));
        return this.read(em, caller, { projectId, id });
      },
    };
  }

  /** Changes a template. Omitted members keep their values. A change without effect creates no revision. */
  async change(
    caller: Caller,
    path: TemplatePath,
    input: TemplatePatch,
    precondition: Precondition,
  ): Promise<Command<RenderedTemplate>> {
    const mentions = input.body === undefined ? [] : await this.mentionsIn(caller.organizationId, input.body);
    return {
      operation: 'projects_templates_update',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const { organizationId } = caller;
        const { projectId, id } = path;
        const project = await findProject(em, organizationId, projectId);
        const currentRow = await findTemplate(em, organizationId, path);
        await precondition(em, caller);
        const changedRow: TemplateEntity = { ...currentRow, ...pickWrittenColumns('template', input) };
        if (isUnchanged(currentRow, changedRow)) return this.read(em, caller, path);
        if (changedRow.name !== currentRow.name)
          await this.referrers.assertTemplateUnused(em, caller, currentRow, 'renamed');
        await translateViolations(
          em.update(TemplateEntity, { organizationId, id }, changedRow),
          constraintErrors(changedRow.name),
        );
        if (changedRow.name !== currentRow.name)
          await assertNewNames(em, nameScope(caller, projectId), [changedRow.name]);
        if (changedRow.body !== currentRow.body) {
          await this.references.store(em, caller, { organizationId, projectId, id, kind: 'template' }, mentions);
          await this.validator.validateDependents(em, caller, { kind: 'template', templateId: id }, { field: 'body' });
        }
        context.record(objectChange('update', 'Template', changedRow, { project }));
        return this.read(em, caller, path);
      },
    };
  }

  remove(caller: Caller, path: TemplatePath, precondition: Precondition): Command<void> {
    return {
      operation: 'projects_templates_destroy',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const { organizationId } = caller;
        const project = await findProject(em, organizationId, path.projectId);
        const currentRow = await findTemplate(em, organizationId, path);
        await precondition(em, caller);
        await this.referrers.assertTemplateUnused(em, caller, currentRow, 'deleted');
        await em.delete(TemplateEntity, { organizationId, id: currentRow.id });
        context.record(objectChange('delete', 'Template', currentRow, { project }));
      },
    };
  }

  /** Reads the template as stored, without rendering it. */
  private async read(em: EntityManager, caller: Caller, { projectId, id }: TemplatePath): Promise<RenderedTemplate> {
    const key = { organizationId: caller.organizationId, permissions: caller, projectId };
    const { row, evaluated } = await this.reader.readOne(key, id, AS_STORED, 'now', SnapshotReader.within(em));
    return { row, evaluated };
  }

  private mentionsIn(organizationId: OrganizationId, body: string): Promise<readonly Mention[]> {
    return this.references.mentionsIn(organizationId, body, malformedBodyError);
  }
}

const AS_STORED = { evaluate: false, mask_secrets: false };

/** Returns the errors of an invalid body, assigned to that field. */
export const malformedBodyError: CreateInvalidTextError = (code, texts) =>
  Failure.fields(
    code,
    texts.map((text) => ({ field: 'body', ...asSentence(text) })),
  );

async function findProject(em: EntityManager, organizationId: OrganizationId, id: ProjectId): Promise<NamedObject> {
  const [project] = await em.query<NamedObject[]>(
    'select id, name from project where organization_id = $1 and id = $2',
    [organizationId, id],
  );
  if (!project) throw Failure.notFound('Project');
  return project;
}

async function findTemplate(em: EntityManager, organizationId: OrganizationId, { projectId, id }: TemplatePath) {
  const currentRow = await em.findOneBy(TemplateEntity, { organizationId, id, projectId });
  if (!currentRow) throw Failure.notFound('Template');
  return currentRow;
}
