import { Injectable } from '@nestjs/common';
import { Failure, type ParameterId, type ProjectId, type StillReferencedError, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { projectsBelow } from './dependency-sql.ts';
import { findMovedReferences, type Lookups } from './moved-references.ts';
import { namedTexts } from './named-texts.ts';
import { findIgnoredTexts, References, type Requester } from './references.ts';
import { createStillReferencedError, type ReferrerNames } from './still-referenced.ts';

/** Selects the texts that look up names in projects or in their dependents. $2 contains the projects. */
const LOOKING = `
with recursive ${projectsBelow('select unnest($2::uuid[])')}
select distinct coalesce(value_id, template_id) as id from reference
 where organization_id = $1 and project_id = any(array(select id from below))`;

/** The objects that references may target. */
interface ReferenceTargets {
  readonly deletedProjects: readonly string[];
  readonly renamedProjects: readonly string[];
  readonly templates: readonly string[];
  readonly except: readonly string[];
}

const LEFT = `
select distinct coalesce(reference.target_template_id, reference.project_id) as of, coalesce(reference.value_id, reference.template_id) as id
  from reference
 where reference.organization_id = $1 and coalesce(reference.value_id, reference.template_id) <> all($5::uuid[])
   and (reference.project_id = any($2::uuid[]) or (reference.named and reference.project_id = any($3::uuid[])) or reference.target_template_id = any($4::uuid[]))`;

/**
 * Prevents the removal of objects that other texts refer to. Call it inside the write that deletes, renames or moves an
 * object.
 */
@Injectable()
export class Referrers {
  constructor(private readonly references: References) {}

  /**
   * Updates every reference to the current target of its name, after a change of names. A parameter may have been
   * replaced by an inherited one, for example. Throws the error of `createError` if a name no longer resolves.
   */
  async rebind(
    em: EntityManager,
    caller: Requester,
    lookups: Lookups,
    createError: (referrers: ReferrerNames, name: string) => Failure,
  ): Promise<void> {
    const lostReferences = await this.rebindUnlessBroken(em, caller, lookups);
    const [first] = lostReferences;
    if (first) throw (await this.createReferrersErrors(em, caller, new Map([first]), createError)).get(first[0]);
  }

  /**
   * Updates references like `rebind`, but returns one error for each name that no longer resolves. If there are any,
   * no reference is updated.
   */
  async rebindOrReturnErrors(
    em: EntityManager,
    caller: Requester,
    lookups: Lookups,
    createError: (referrers: ReferrerNames, name: string) => Failure,
  ): Promise<ReadonlyMap<string, StillReferencedError>> {
    return this.createReferrersErrors(em, caller, await this.rebindUnlessBroken(em, caller, lookups), createError);
  }

  /**
   * Updates references, unless a name no longer resolves. Then it changes nothing, and returns these names with the ids
   * of the texts that refer to them.
   */
  private async rebindUnlessBroken(
    em: EntityManager,
    caller: Requester,
    lookups: Lookups,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const { organizationId } = caller;
    const movedTo = await findMovedReferences(em, organizationId, lookups);
    const ignored = await this.deleteIgnoredReferences(
      em,
      caller,
      movedTo.flatMap(({ targetId, sourceId }) => (targetId === null ? [sourceId] : [])),
    );
    const movedTargets = movedTo.filter(({ sourceId }) => !ignored.has(sourceId));
    const lostBySource = Map.groupBy(
      movedTargets.filter(({ targetId }) => targetId === null),
      ({ name }) => name,
    );
    if (movedTargets.length === 0 || lostBySource.size > 0) {
      return new Map([...lostBySource].map(([name, references]) => [name, references.map(({ sourceId }) => sourceId)]));
    }
    await em.query(
      `update reference set target_parameter_id = moved.target
         from unnest($2::uuid[], $3::uuid[]) as moved(id, target)
        where reference.organization_id = $1 and reference.id = moved.id`,
      [organizationId, movedTargets.map(({ id }) => id), movedTargets.map(({ targetId }) => targetId)],
    );
    return new Map();
  }

  /** Throws E30 if texts still refer to a parameter. Call it after the parameter was deleted or renamed. */
  assertNotReferred(
    em: EntityManager,
    caller: Requester,
    projectId: ProjectId,
    names: readonly string[],
    action: 'deleted' | 'renamed',
  ) {
    return this.rebind(em, caller, { projectIds: [projectId], names }, (referrers, name) =>
      Failure.conflict(
        'parameter_is_referenced',
        sentence`The parameter ${{ name }} cannot be ${{ action }}: it is referenced by ${referrers}. Change that first.`,
      ),
    );
  }

  /** Throws E62 if texts still refer to a template. Call it before the template is deleted or renamed. */
  async assertTemplateUnused(
    em: EntityManager,
    caller: Requester,
    template: { readonly id: string; readonly name: string },
    action: 'deleted' | 'renamed',
  ): Promise<void> {
    const ids = await this.of(em, caller, 'target_template_id = $2', template.id);
    if (ids.length === 0) return;
    throw await this.createReferrersError(em, caller, ids, (referrers) =>
      Failure.conflict(
        'template_is_referenced',
        sentence`The template ${{ name: template.name }} cannot be ${{ action }}: it is referenced by ${referrers}. Change that first.`,
      ),
    );
  }

  /**
   * Throws E30 or E62 if texts of other projects refer to a project's contents. The texts of the project itself are
   * deleted with it.
   */
  async assertProjectUnused(
    em: EntityManager,
    caller: Requester,
    project: { readonly id: ProjectId; readonly name: string },
    action: 'deleted' | 'renamed',
  ): Promise<void> {
    const condition =
      action === 'renamed'
        ? 'project_id = $2 and named'
        : `project_id = $2 and not exists (
             select from template where template.organization_id = $1 and template.id = reference.template_id and template.project_id = $2)
           and not exists (
             select from value join parameter on parameter.organization_id = value.organization_id and parameter.id = value.parameter_id
              where value.organization_id = $1 and value.id = reference.value_id and parameter.project_id = $2)`;
    const ids = await this.of(em, caller, condition, project.id);
    if (ids.length === 0) return;
    throw await this.createReferrersError(em, caller, ids, (referrers) =>
      Failure.conflict(
        'project_is_referenced',
        sentence`The project ${{ name: project.name }} cannot be ${{ action }}: it is referenced by ${referrers}. Change that first.`,
      ),
    );
  }

  /**
   * Checks references after the dependency of a project has changed: names may now have other targets or none, and
   * references may form cycles.
   */
  async assertMoveKeepsReferences(
    em: EntityManager,
    caller: Requester,
    { id, name: project }: { readonly id: ProjectId; readonly name: string },
  ): Promise<void> {
    await this.rebind(em, caller, { projectIds: [id], names: null }, (referrers, name) =>
      Failure.field(
        'parameter_is_referenced',
        'depends_on',
        sentence`${{ project }} would no longer inherit the parameter ${{ name }}, which is referenced by ${referrers}. Change that first.`,
      ),
    );
    const texts = await em.query<{ id: string }[]>(LOOKING, [caller.organizationId, [id]]);
    await this.assertNoCycle(
      em,
      caller,
      texts.map((text) => text.id),
      'depends_on',
    );
  }

  /**
   * Checks for reference cycles after a parameter was renamed: texts that refer to the new name may now depend on its
   * dynamic values.
   */
  async assertNoNewCycle(em: EntityManager, caller: Requester, parameterId: ParameterId): Promise<void> {
    const values = await em.query<{ id: string }[]>(
      'select id from value where organization_id = $1 and parameter_id = $2 and interpolated',
      [caller.organizationId, parameterId],
    );
    await this.assertNoCycle(
      em,
      caller,
      values.map(({ id }) => id),
      'name',
    );
  }

  /**
   * Returns one error, by id, for each deleted or renamed project or template to which texts still refer by its old
   * name. `except` contains texts that the same change writes again.
   */
  async leftBehind(
    em: EntityManager,
    caller: Requester,
    { deletedProjects, renamedProjects, templates, except }: ReferenceTargets,
    createError: (referrers: ReferrerNames, id: string) => Failure,
  ): Promise<ReadonlyMap<string, StillReferencedError>> {
    const rows = await em.query<{ readonly of: string; readonly id: string }[]>(LEFT, [
      caller.organizationId,
      deletedProjects,
      renamedProjects,
      templates,
      except,
    ]);
    const ignored = await this.deleteIgnoredReferences(
      em,
      caller,
      rows.map(({ id }) => id),
    );
    const texts = Map.groupBy(
      rows.filter(({ id }) => !ignored.has(id)),
      ({ of }) => of,
    );
    return this.createReferrersErrors(
      em,
      caller,
      new Map([...texts].map(([target, ids]) => [target, ids.map(({ id }) => id)])),
      createError,
    );
  }

  private async assertNoCycle(em: EntityManager, caller: Requester, textIds: readonly string[], field: string) {
    const loop = await this.references.loopThrough(em, caller, textIds);
    if (loop) throw Failure.field('dependency_loop', field, loop);
  }

  private async of(em: EntityManager, caller: Requester, condition: string, id: string) {
    const { organizationId } = caller;
    const rows = await em.query<{ id: string }[]>(
      `select distinct coalesce(reference.value_id, reference.template_id) as id from reference
        where reference.organization_id = $1 and ${condition}`,
      [organizationId, id],
    );
    const ids = rows.map((row) => row.id);
    const ignored = await this.deleteIgnoredReferences(em, caller, ids);
    return ids.filter((textId) => !ignored.has(textId));
  }

  /**
   * Deletes the references of ignored texts, so that their targets can be deleted, and returns the ids of these texts. A
   * write that ignores texts is always rolled back.
   */
  private async deleteIgnoredReferences(em: EntityManager, caller: Requester, ids: readonly string[]) {
    const ignored = await findIgnoredTexts(em, caller, ids);
    if (ignored.size > 0) {
      await em.query('delete from reference where organization_id = $1 and value_id = any($2::uuid[])', [
        caller.organizationId,
        [...ignored],
      ]);
    }
    return ignored;
  }

  private async createReferrersError(
    em: EntityManager,
    caller: Requester,
    ids: readonly string[],
    createError: (referrers: ReferrerNames) => Failure,
  ): Promise<StillReferencedError> {
    return createStillReferencedError(
      caller,
      await namedTexts(em, caller.organizationId, [...new Set(ids)]),
      createError,
    );
  }

  /** Returns one error for each object, from the ids of the texts that refer to it. Runs one statement. */
  private async createReferrersErrors(
    em: EntityManager,
    caller: Requester,
    referrers: ReadonlyMap<string, readonly string[]>,
    createError: (referrers: ReferrerNames, target: string) => Failure,
  ): Promise<ReadonlyMap<string, StillReferencedError>> {
    if (referrers.size === 0) return new Map();
    const ids = new Set([...referrers.values()].flat());
    const texts = new Map((await namedTexts(em, caller.organizationId, [...ids])).map((text) => [text.id, text]));
    return new Map(
      [...referrers].map(([target, ids]) => {
        const namedTexts = [...new Set(ids)].flatMap((id) => texts.get(id) ?? []);
        return [target, createStillReferencedError(caller, namedTexts, (list) => createError(list, target))];
      }),
    );
  }
}
