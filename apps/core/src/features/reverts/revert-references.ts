import { Injectable } from '@nestjs/common';
import { Failure, type RevertibleType, sentence } from '@strata/domain';
import { References } from '../templating/references.ts';
import { Referrers } from '../templating/referrers.ts';
import {
  collectError,
  type ObjectErrors,
  objectsWithNewParent,
  objectsWithNewText,
  type WrittenObject,
  type WrittenRevert,
} from './written-objects.ts';

/**
 * Validates the references of restored texts, and references of other texts to objects that the revert deletes or
 * moves.
 */
@Injectable()
export class RevertReferences {
  constructor(
    private readonly references: References,
    private readonly referrers: Referrers,
  ) {}

  /** Resolves and stores the references of restored dynamic values and templates again. */
  async texts(
    { em, caller, work, written, parameters, assertTime }: WrittenRevert,
    errors: ObjectErrors,
  ): Promise<void> {
    const { organizationId } = caller;
    const changedTexts = objectsWithNewText(written);
    const isText = ({ type, row }: WrittenObject) => type === 'Template' || (row?.interpolated && row.text !== null);
    await em.query(
      'delete from reference where organization_id = $1 and (value_id = any($2::uuid[]) or template_id = any($2::uuid[]))',
      [organizationId, changedTexts.map(({ id }) => id)],
    );
    for (const { id, type, row } of changedTexts.filter(isText)) {
      if (!row) continue;
      assertTime();
      const projectId = row.project_id ?? parameters.get(row.parameter_id ?? '')?.project_id ?? '';
      const text = type === 'Template' ? (row.body ?? '') : (work.textOf(row) ?? '');
      await collectError(errors, [id], async () => {
        const mentions = await this.references.mentionsIn(organizationId, text, Failure.list);
        const kind = type === 'Template' ? 'template' : 'value';
        await this.references.store(em, caller, { organizationId, projectId, id, kind }, mentions);
      });
    }
  }

  /** Rejects the revert of objects that other texts refer to, if these references no longer resolve. */
  async lookups({ em, caller, written, assertTime }: WrittenRevert, errors: ObjectErrors): Promise<void> {
    const parameters = written.filter(({ type, row, old }) => type === 'Parameter' && row?.name !== old?.name);
    for (const [projectId, projectParameters] of Map.groupBy(
      parameters,
      ({ row, old }) => (row ?? old)?.project_id ?? '',
    )) {
      const listNames = ({ row, old }: WrittenObject) => [row?.name, old?.name].filter((name) => name !== undefined);
      const names = [...new Set(projectParameters.flatMap(listNames))];
      const lostReferences = await this.referrers.rebindOrReturnErrors(
        em,
        caller,
        { projectIds: [projectId], names },
        (referrers, name) =>
          Failure.conflict(
            'parameter_is_referenced',
            sentence`The parameter ${{ name }} is referenced by ${referrers}. Change that first.`,
          ),
      );
      for (const object of projectParameters) {
        const error = listNames(object)
          .map((name) => lostReferences.get(name))
          .find((match) => match !== undefined);
        if (error) errors.set(object.id, error);
      }
    }
    const renamedObjects = (requestedType: RevertibleType) =>
      written.filter(({ type, row, old }) => type === requestedType && old && row?.name !== old.name);
    const [projects, templates] = [renamedObjects('Project'), renamedObjects('Template')];
    const names = new Map([...projects, ...templates].map(({ id, old }) => [id, old?.name ?? '']));
    const isProject = new Set(projects.map(({ id }) => id));
    const left = await this.referrers.leftBehind(
      em,
      caller,
      {
        deletedProjects: projects.filter(({ row }) => !row).map(({ id }) => id),
        renamedProjects: projects.map(({ id }) => id),
        templates: templates.map(({ id }) => id),
        except: objectsWithNewText(written).map(({ id }) => id),
      },
      (referrers, id) => {
        const noun = isProject.has(id) ? 'project' : 'template';
        const message = sentence`The ${{ object: noun }} ${{ name: names.get(id) ?? '' }} is referenced by ${referrers}. Change that first.`;
        return Failure.conflict(`${noun}_is_referenced`, message);
      },
    );
    for (const [id, error] of left) errors.set(id, error);
    for (const { id, row } of objectsWithNewParent(written, 'Project')) {
      assertTime();
      await collectError(errors, [id], () =>
        this.referrers.assertMoveKeepsReferences(em, caller, { id, name: row?.name ?? '' }),
      );
    }
  }

  /** Rejects restored and renamed parameters whose dynamic values cause a reference cycle. */
  async loops({ em, caller, written }: WrittenRevert, errors: ObjectErrors): Promise<void> {
    const parameters = written.filter(({ type, row, old }) => type === 'Parameter' && row && row.name !== old?.name);
    const ids = parameters.map(({ id }) => id);
    if (ids.length === 0) return;
    const values = await em.query<{ id: string; parameter_id: string }[]>(
      `select id, parameter_id from value
        where organization_id = $1 and parameter_id = any($2::uuid[]) and interpolated and text is not null`,
      [caller.organizationId, ids],
    );
    const loop = await this.references.loopThrough(
      em,
      caller,
      values.map(({ id }) => id),
    );
    if (loop === null) return;
    for (const { parameter_id: id } of values) errors.set(id, Failure.list('dependency_loop', [loop]));
  }
}
