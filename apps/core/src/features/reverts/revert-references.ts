import { Injectable } from '@nestjs/common';
import { Failure, type RevertibleType } from '@strata/domain';
import { References } from '../templating/references.ts';
import { Referrers } from '../templating/referrers.ts';
import { type JudgedRevert, moved, type Refusals, refused, rewritten, type WrittenObject } from './written-objects.ts';

/** Judges what the texts of a revert refer to, and what other texts refer to that it takes away or moves. */
@Injectable()
export class RevertReferences {
  constructor(
    private readonly references: References,
    private readonly referrers: Referrers,
  ) {}

  /** What dynamic values and templates say is looked up anew. */
  async texts({ em, caller, work, written, parameters, assertTime }: JudgedRevert, refusals: Refusals): Promise<void> {
    const { organizationId } = caller;
    const sources = rewritten(written);
    const isText = ({ type, row }: WrittenObject) => type === 'Template' || (row?.interpolated && row.text !== null);
    await em.query(
      'delete from reference where organization_id = $1 and (value_id = any($2::uuid[]) or template_id = any($2::uuid[]))',
      [organizationId, sources.map(({ id }) => id)],
    );
    for (const { id, type, row } of sources.filter(isText)) {
      if (!row) continue;
      assertTime();
      const projectId = row.project_id ?? parameters.get(row.parameter_id ?? '')?.project_id ?? '';
      const text = type === 'Template' ? (row.body ?? '') : (work.textOf(row) ?? '');
      await refused(refusals, [id], async () => {
        const mentions = await this.references.mentionsIn(organizationId, text, Failure.list);
        const kind = type === 'Template' ? 'template' : 'value';
        await this.references.store(em, caller, { organizationId, projectId, id, kind }, mentions);
      });
    }
  }

  /** What other texts say must still lead somewhere. */
  async lookups({ em, caller, written, assertTime }: JudgedRevert, refusals: Refusals): Promise<void> {
    const parameters = written.filter(({ type, row, old }) => type === 'Parameter' && row?.name !== old?.name);
    for (const [projectId, of] of Map.groupBy(parameters, ({ row, old }) => (row ?? old)?.project_id ?? '')) {
      const namesOf = ({ row, old }: WrittenObject) => [row?.name, old?.name].filter((name) => name !== undefined);
      const names = [...new Set(of.flatMap(namesOf))];
      const lost = await this.referrers.rebindOrRefuse(
        em,
        caller,
        { projectIds: [projectId], names },
        (referrers, name) =>
          Failure.conflict(
            'parameter_is_referenced',
            `The parameter ${name} is referenced by ${referrers}. Change that first.`,
          ),
      );
      for (const each of of) {
        const refusal = namesOf(each)
          .map((name) => lost.get(name))
          .find((found) => found !== undefined);
        if (refusal) refusals.set(each.id, refusal);
      }
    }
    const renamed = (wanted: RevertibleType) =>
      written.filter(({ type, row, old }) => type === wanted && old && row?.name !== old.name);
    const [projects, templates] = [renamed('Project'), renamed('Template')];
    const names = new Map([...projects, ...templates].map(({ id, old }) => [id, old?.name ?? '']));
    const isProject = new Set(projects.map(({ id }) => id));
    const left = await this.referrers.leftBehind(
      em,
      caller,
      {
        deletedProjects: projects.filter(({ row }) => !row).map(({ id }) => id),
        renamedProjects: projects.map(({ id }) => id),
        templates: templates.map(({ id }) => id),
        except: rewritten(written).map(({ id }) => id),
      },
      (referrers, id) => {
        const noun = isProject.has(id) ? 'project' : 'template';
        const message = `The ${noun} ${names.get(id)} is referenced by ${referrers}. Change that first.`;
        return Failure.conflict(`${noun}_is_referenced`, message);
      },
    );
    for (const [id, refusal] of left) refusals.set(id, refusal);
    for (const { id, row } of moved(written, 'Project')) {
      assertTime();
      await refused(refusals, [id], () =>
        this.referrers.assertMoveKeepsReferences(em, caller, { id, name: row?.name ?? '' }),
      );
    }
  }

  /** Parameters that came back or are called otherwise: their dynamic values may be what a text finds that they need. */
  async loops({ em, caller, written }: JudgedRevert, refusals: Refusals): Promise<void> {
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
    for (const { parameter_id: id } of values) refusals.set(id, Failure.list('dependency_loop', [loop]));
  }
}
