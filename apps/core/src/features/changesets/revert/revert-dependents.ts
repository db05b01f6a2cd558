import { Injectable } from '@nestjs/common';
import type { ObjectToRevert } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import type { DependencyChange } from '../../validation/inputs.ts';
import { Validator } from '../../validation/validator.ts';
import type { RevertWork } from './revert-writer.ts';
import {
  type JudgedRevert,
  moved,
  type Refusals,
  refused,
  typedParameters,
  type WrittenObject,
} from './written-objects.ts';

/** Judges dynamic values by what they say after a revert. */
@Injectable()
export class RevertDependents {
  constructor(private readonly validator: Validator) {}

  /** Dynamic values, those that are written and those that depend on anything that is. */
  async dependents({ em, caller, written, work, assertTime }: JudgedRevert, refusals: Refusals): Promise<void> {
    const ask = (change: DependencyChange) => {
      assertTime();
      return this.validator.validateDependents(em, caller, change, 'conflict');
    };
    const dynamic = written
      .filter(({ type, row }) => type === 'Value' && row?.interpolated && row.text !== null)
      .map(({ id }) => id);
    for (const [id, refusal] of await this.validator.newValuesRefusals(em, caller, dynamic, 'conflict')) {
      refusals.set(id, refusal);
    }
    for (const [projectId, byName] of await this.namesChanged(em, caller, written)) {
      await blamed([...byName], refusals, (names) => ask({ kind: 'names', projectId, names, uncovers: true }));
    }
    for (const { id, type, row, old } of written) {
      if (type === 'Template' && row && row.body !== old?.body) {
        await refused(refusals, [id], () => ask({ kind: 'template', templateId: id }));
      }
    }
    const above = await abovesOf(em, caller.organizationId, work);
    for (const { id, object } of moved(written, 'Environment')) {
      const exchanged = above(object);
      await refused(refusals, [id], () => ask({ kind: 'environment_moved', environmentId: id, exchanged }));
    }
    for (const { id, object } of moved(written, 'Project')) {
      const exchanged = above(object);
      await refused(refusals, [id], () => ask({ kind: 'project_moved', projectId: id, exchanged }));
    }
  }

  /** By project: what may mean something else now, and the objects that are to blame. */
  private async namesChanged(em: EntityManager, caller: Caller, written: readonly WrittenObject[]) {
    const values = written.filter(({ type }) => type === 'Value');
    const owners = await typedParameters(
      em,
      caller.organizationId,
      values.flatMap(({ row, old }) => (row ?? old)?.parameter_id ?? []),
    );
    const found = new Map<string, Map<string, string[]>>();
    const note = (projectId: string, name: string, id: string) => {
      const names = found.get(projectId) ?? new Map<string, string[]>();
      names.set(name, [...(names.get(name) ?? []), id]);
      found.set(projectId, names);
    };
    for (const { type, id, row, old } of written) {
      const { project_id: projectId = '' } = row ?? old ?? { project_id: '' };
      if (type === 'Parameter' && row?.name !== old?.name) {
        for (const name of [row?.name, old?.name]) if (name !== undefined) note(projectId, name, id);
      }
      const owner = type === 'Value' ? owners.get((row ?? old)?.parameter_id ?? '') : undefined;
      if (owner) note(owner.project_id, owner.name, id);
    }
    const gone = written.filter(({ type, row }) => type === 'Project' && !row);
    for (const { id } of gone) found.delete(id);
    return found;
  }
}

/** Halves what is refused as a whole until each name that is to blame is found: few cost a few questions, among however many. */
async function blamed(
  names: readonly (readonly [name: string, ids: readonly string[]])[],
  refusals: Refusals,
  ask: (names: readonly string[]) => Promise<void>,
): Promise<void> {
  const [only, ...others] = names;
  if (!only) return;
  const isSingle = others.length === 0;
  const isRight = await refused(isSingle ? refusals : new Map(), isSingle ? only[1] : [], () =>
    ask(names.map(([name]) => name)),
  );
  if (isRight || isSingle) return;
  const middle = Math.ceil(names.length / 2);
  await blamed(names.slice(0, middle), refusals, ask);
  await blamed(names.slice(middle), refusals, ask);
}

/** What is above something that was moved only before or only since. */
async function abovesOf(em: EntityManager, organizationId: string, { plan }: RevertWork) {
  const rows = await em.query<{ id: string; parent: string | null }[]>(
    `select id, parent_id as parent from environment where organization_id = $1
     union all select id, depends_on_id from project where organization_id = $1`,
    [organizationId],
  );
  const after = new Map(rows.map(({ id, parent }) => [id, parent]));
  const before = new Map(after);
  for (const { id, now } of [...plan.updates, ...plan.deletions]) before.set(id, now?.parentId ?? null);
  const above = (nodes: ReadonlyMap<string, string | null>, start: string | null) => {
    const found = new Set<string>();
    for (let id = start; id !== null && !found.has(id); id = nodes.get(id) ?? null) found.add(id);
    return found;
  };
  return ({ before: state, now }: ObjectToRevert): readonly string[] => {
    const [was, is] = [above(before, now?.parentId ?? null), above(after, state?.parentId ?? null)];
    return [...[...was].filter((id) => !is.has(id)), ...[...is].filter((id) => !was.has(id))];
  };
}
