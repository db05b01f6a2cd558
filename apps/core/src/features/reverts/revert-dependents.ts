import { Injectable } from '@nestjs/common';
import type { Failure, RevertedObject, ScopedName } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { DependencyChange } from '../validation/validation-inputs.ts';
import { Validator } from '../validation/validator.ts';
import type { RevertWrites } from './revert-writer.ts';
import {
  collectError,
  type ObjectErrors,
  objectsWithNewParent,
  rethrowUnlessFailure,
  type WrittenRevert,
} from './written-objects.ts';

/**
 * A name or a template that the revert may have changed. `ids` contains the objects that caused this, or the id of the
 * template.
 */
interface PossibleCause {
  readonly place: ScopedName | null;
  readonly ids: readonly string[];
}

/** Validates the evaluated texts of dynamic values after a revert. */
@Injectable()
export class RevertDependents {
  constructor(private readonly validator: Validator) {}

  /** Validates the dynamic values that were written, and the texts that depend on written objects. */
  async dependents(context: WrittenRevert, errors: ObjectErrors): Promise<void> {
    const { em, caller, written, work, assertTime } = context;
    const validate = (change: DependencyChange) => {
      assertTime();
      return this.validator.validateDependents(em, caller, change, 'conflict');
    };
    const dynamic = written
      .filter(({ type, row }) => type === 'Value' && row?.interpolated && row.text !== null)
      .map(({ id }) => id);
    for (const [id, failure] of await this.validator.findNewValueErrors(em, caller, dynamic, 'conflict')) {
      errors.set(id, failure);
    }
    await this.collectErrors(context, possibleCausesAmong(context), errors);
    const isAncestor = await createAncestorComparison(em, caller.organizationId, work);
    for (const { id, object } of objectsWithNewParent(written, 'Environment')) {
      const exchangedIds = isAncestor(object);
      await collectError(errors, [id], () =>
        validate({ kind: 'environment_moved', environmentId: id, exchanged: exchangedIds }),
      );
    }
    for (const { id, object } of objectsWithNewParent(written, 'Project')) {
      const exchangedIds = isAncestor(object);
      await collectError(errors, [id], () =>
        validate({ kind: 'project_moved', projectId: id, exchanged: exchangedIds }),
      );
    }
  }

  /**
   * Assigns errors to objects. Validates all names at once. If that fails as a whole, validates each half on its own.
   */
  private async collectErrors(
    context: WrittenRevert,
    possibleCauses: readonly PossibleCause[],
    objectErrors: ObjectErrors,
  ): Promise<void> {
    if (possibleCauses.length === 0) return;
    const { em, caller, assertTime } = context;
    assertTime();
    const change = {
      places: possibleCauses.flatMap(({ place }) => place ?? []),
      templateIds: possibleCauses.flatMap(({ place, ids }) => (place ? [] : ids)),
    };
    try {
      const errors = await this.validator.errorTargets(em, caller, change, 'conflict');
      for (const { place, ids } of possibleCauses) {
        for (const id of ids) {
          const failure = place ? errors.forName(place) : errors.forTemplate(id);
          if (failure) objectErrors.set(id, failure);
        }
      }
    } catch (error) {
      rethrowUnlessFailure(error);
      if (possibleCauses.length === 1)
        for (const id of possibleCauses[0]?.ids ?? []) objectErrors.set(id, error as Failure);
      else {
        const middle = Math.ceil(possibleCauses.length / 2);
        await this.collectErrors(context, possibleCauses.slice(0, middle), objectErrors);
        await this.collectErrors(context, possibleCauses.slice(middle), objectErrors);
      }
    }
  }
}

/** Returns the names and templates that the revert may have changed, and the objects that changed them. */
function possibleCausesAmong({ written, parameters }: WrittenRevert): readonly PossibleCause[] {
  const deletedProjects = new Set(written.flatMap(({ type, id, row }) => (type === 'Project' && !row ? [id] : [])));
  const causes = new Map<string, PossibleCause & { readonly ids: string[] }>();
  const note = (projectId: string, name: string, id: string) => {
    if (deletedProjects.has(projectId)) return;
    const key = `${projectId} ${name}`;
    const ids = causes.get(key)?.ids;
    if (ids) ids.push(id);
    else causes.set(key, { place: { projectId, name }, ids: [id] });
  };
  for (const { type, id, row, old } of written) {
    const { project_id: projectId = '' } = row ?? old ?? { project_id: '' };
    if (type === 'Parameter' && row?.name !== old?.name) {
      for (const name of [row?.name, old?.name]) if (name !== undefined) note(projectId, name, id);
    }
    const owner = type === 'Value' ? parameters.get((row ?? old)?.parameter_id ?? '') : undefined;
    if (owner) note(owner.project_id, owner.name, id);
  }
  const templates = written.filter(({ type, row, old }) => type === 'Template' && row && row.body !== old?.body);
  return [...causes.values(), ...templates.map(({ id }) => ({ place: null, ids: [id] }))];
}

/** Returns a function that returns the ancestors which a moved object lost or gained. */
async function createAncestorComparison(em: EntityManager, organizationId: string, { plan }: RevertWrites) {
  const rows = await em.query<{ id: string; parent: string | null }[]>(
    `select id, parent_id as parent from environment where organization_id = $1
     union all select id, depends_on_id from project where organization_id = $1`,
    [organizationId],
  );
  const after = new Map(rows.map(({ id, parent }) => [id, parent]));
  const before = new Map(after);
  for (const { id, now } of [...plan.updates, ...plan.deletions]) before.set(id, now?.parentId ?? null);
  const listAncestors = (nodes: ReadonlyMap<string, string | null>, start: string | null) => {
    const chain = new Set<string>();
    for (let id = start; id !== null && !chain.has(id); id = nodes.get(id) ?? null) chain.add(id);
    return chain;
  };
  return ({ before: state, now }: RevertedObject): readonly string[] => {
    const [ancestorsBefore, ancestorsNow] = [
      listAncestors(before, now?.parentId ?? null),
      listAncestors(after, state?.parentId ?? null),
    ];
    return [
      ...[...ancestorsBefore].filter((id) => !ancestorsNow.has(id)),
      ...[...ancestorsNow].filter((id) => !ancestorsBefore.has(id)),
    ];
  };
}
