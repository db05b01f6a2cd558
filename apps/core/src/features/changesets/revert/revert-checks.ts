import { Injectable } from '@nestjs/common';
import { Failure, type ObjectToRevert, type RevertibleType, type Rule } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import { References } from '../../templating/references.ts';
import { Referrers } from '../../templating/referrers.ts';
import type { DependencyChange, TypedParameter, TypingChange } from '../../validation/inputs.ts';
import { assertParameterNames, assertProjectNames } from '../../validation/names.ts';
import { Validator } from '../../validation/validator.ts';
import type { RevertWork } from './revert-writer.ts';
import type { RevertRow } from './reverted-rows.ts';

/** Objects that cannot be what they were, and why. */
export type Refusals = Map<string, Failure>;

type Check = (asked: Asked, refusals: Refusals) => Promise<void>;

/** What is asked about, once it is written. */
interface Asked {
  readonly em: EntityManager;
  readonly caller: Caller;
  readonly work: RevertWork;
  readonly written: readonly WrittenObject[];
}

/** An object with the rows that it was now and is again. */
interface WrittenObject {
  readonly object: ObjectToRevert;
  readonly type: RevertibleType;
  readonly id: string;
  readonly row: RevertRow | undefined;
  readonly old: RevertRow | undefined;
}

interface TypedRow {
  readonly id: string;
  readonly name: string;
  readonly project_id: string;
  readonly project: string;
  readonly type_id: string;
  readonly type: string;
}

/** Judges a revert by today's names, references, types and rules, as the single writes would be judged. */
@Injectable()
export class RevertChecks {
  constructor(
    private readonly validator: Validator,
    private readonly references: References,
    private readonly referrers: Referrers,
  ) {}

  /** Asked once everything is written. The first kind of trouble that there is, for each object that has it. */
  async refusals(em: EntityManager, caller: Caller, work: RevertWork): Promise<Refusals> {
    const { plan, before, now } = work;
    const all = [...plan.revivals, ...plan.updates, ...plan.deletions];
    const written = all.map((object): WrittenObject => {
      const { type, id } = object;
      return { object, type, id, row: object.before ? before.get(id) : undefined, old: now.get(id) };
    });
    const asked = { em, caller, work, written };
    const refusals: Refusals = new Map();
    const checks: readonly Check[] = [
      (...of) => this.names(...of),
      (...of) => this.texts(...of),
      (...of) => this.lookups(...of),
      (...of) => this.types(...of),
      (...of) => this.literals(...of),
      (...of) => this.dependents(...of),
      (...of) => this.loops(...of),
    ];
    for (const check of checks) {
      await check(asked, refusals);
      if (refusals.size > 0) break;
    }
    return refusals;
  }

  private async names({ em, caller, written }: Asked, refusals: Refusals): Promise<void> {
    const named = written.filter(({ row, old }) => row?.name !== undefined && row.name !== old?.name);
    for (const { id, type, row } of named) {
      if (type === 'Project') {
        await refused(refusals, [id], () => assertProjectNames(em, caller.organizationId, [row?.name ?? '']));
      }
    }
    const parameters = Map.groupBy(
      named.filter(({ type }) => type === 'Parameter'),
      ({ row }) => row?.project_id ?? '',
    );
    for (const [projectId, of] of parameters) {
      const [project] = await em.query<{ name: string; pattern: string }[]>(
        'select name, parameter_name_pattern as pattern from project where organization_id = $1 and id = $2',
        [caller.organizationId, projectId],
      );
      if (!project) continue;
      const names = of.map(({ row }) => row?.name ?? '');
      const matched = await refused(new Map(), [], () => assertParameterNames(project, names));
      for (const { id, row } of matched ? [] : of) {
        await refused(refusals, [id], () => assertParameterNames(project, [row?.name ?? '']));
      }
    }
  }

  /** What dynamic values and templates say is looked up anew. */
  private async texts({ em, caller, work, written }: Asked, refusals: Refusals): Promise<void> {
    const { organizationId } = caller;
    const sources = rewritten(written);
    const isText = ({ type, row }: WrittenObject) => type === 'Template' || (row?.interpolated && row.text !== null);
    await em.query(
      'delete from reference where organization_id = $1 and (value_id = any($2::uuid[]) or template_id = any($2::uuid[]))',
      [organizationId, sources.map(({ id }) => id)],
    );
    const owners = await typedParameters(
      em,
      organizationId,
      sources.flatMap(({ row }) => row?.parameter_id ?? []),
    );
    for (const { id, type, row } of sources.filter(isText)) {
      if (!row) continue;
      const projectId = row.project_id ?? owners.get(row.parameter_id ?? '')?.project_id ?? '';
      const text = type === 'Template' ? (row.body ?? '') : (work.textOf(row) ?? '');
      await refused(refusals, [id], async () => {
        const mentions = await this.references.mentionsIn(organizationId, text, Failure.list);
        const kind = type === 'Template' ? 'template' : 'value';
        await this.references.store(em, caller, { organizationId, projectId, id, kind }, mentions);
      });
    }
  }

  /** What other texts say must still lead somewhere. */
  private async lookups({ em, caller, written }: Asked, refusals: Refusals): Promise<void> {
    const parameters = written.filter(({ type, row, old }) => type === 'Parameter' && row?.name !== old?.name);
    for (const [projectId, of] of Map.groupBy(parameters, ({ row, old }) => (row ?? old)?.project_id ?? '')) {
      const lost = new Set<string>();
      const namesOf = ({ row, old }: WrittenObject) => [row?.name, old?.name].filter((name) => name !== undefined);
      // one that leads nowhere is told at a time
      for (let isOver = false; !isOver; ) {
        const names = [...new Set(of.flatMap(namesOf))].filter((name) => !lost.has(name));
        const before = lost.size;
        await this.referrers
          .rebind(em, caller, { projectIds: [projectId], names }, (referrers, name) => {
            lost.add(name);
            const failure = Failure.conflict(
              'parameter_is_referenced',
              `The parameter ${name} is referenced by ${referrers}. Change that first.`,
            );
            for (const each of of) if (namesOf(each).includes(name)) refusals.set(each.id, failure);
            return failure;
          })
          .catch(onlyFailures);
        isOver = lost.size === before;
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
      (id, referrers) => {
        const noun = isProject.has(id) ? 'project' : 'template';
        const message = `The ${noun} ${names.get(id)} is referenced by ${referrers}. Change that first.`;
        return Failure.conflict(`${noun}_is_referenced`, message);
      },
    );
    for (const [id, refusal] of left) refusals.set(id, refusal);
    for (const { id, row } of moved(written, 'Project')) {
      await refused(refusals, [id], () =>
        this.referrers.assertMoveKeepsReferences(em, caller, { id, name: row?.name ?? '' }),
      );
    }
  }

  /** Types and rules by themselves and against what is stored. */
  private async types({ em, caller, written, work }: Asked, refusals: Refusals): Promise<void> {
    const { organizationId } = caller;
    const revived = new Set(work.plan.revivals.map(({ id }) => id));
    const parameterOf = ({ type, id, row }: WrittenObject) => (type === 'Parameter' ? id : row?.parameter_id);
    const ruled = written.filter(({ type, row }) => row && (type === 'Parameter' || type === 'ParameterRule'));
    const parameters = await typedParameters(
      em,
      organizationId,
      ruled.flatMap((each) => parameterOf(each) ?? []),
    );
    const alongside: { readonly id: string; readonly parameter: TypedParameter; readonly rule: Rule }[] = [];
    for (const each of written) {
      const { type, id, row, old } = each;
      const found = parameters.get(parameterOf(each) ?? '');
      const parameter = found && { organizationId, id: found.id, name: found.name, typeId: found.type_id };
      const rule = row && ruleOf(row);
      // the values of a parameter that comes back are judged with the texts
      if (type === 'ParameterRule' && rule && parameter && revived.has(parameter.id))
        alongside.push({ id, parameter, rule });
      else {
        const change = row ? typingChange(type, id, row, old, parameter) : null;
        if (change) await refused(refusals, [id], () => this.validator.validateStored(em, caller, change));
      }
    }
    const unsound = await this.validator.unsoundRules(em, organizationId, alongside);
    for (const [index, failure] of unsound.entries()) if (failure) refusals.set(alongside[index]?.id ?? '', failure);
  }

  private async literals({ em, caller, written, work }: Asked, refusals: Refusals): Promise<void> {
    const values = written.filter(({ type, row }) => type === 'Value' && row && !row.interpolated);
    const parameters = await typedParameters(
      em,
      caller.organizationId,
      values.flatMap(({ row }) => row?.parameter_id ?? []),
    );
    const { planned } = caller;
    const texts = values.flatMap(({ id, row }) => {
      const parameter = parameters.get(row?.parameter_id ?? '');
      // no plan tells anything about a secret
      if (row?.sealed) planned?.leaveOut(parameter);
      if (row?.sealed && planned?.isRehearsal) return [];
      const text = row ? work.textOf(row) : null;
      return parameter && text !== null
        ? [{ id, text, name: parameter.name, type: parameter.type, parameterId: parameter.id }]
        : [];
    });
    const violations = await this.validator.violationsOf(em, caller.organizationId, texts);
    for (const [index, { id }] of texts.entries()) {
      const [first, ...others] = violations[index] ?? [];
      if (!first) continue;
      refusals.set(id, Failure.invalid(first.code, [first, ...others].map(({ message }) => message).join(' ')));
    }
  }

  /** Dynamic values, those that are written and those that depend on anything that is. */
  private async dependents({ em, caller, written, work }: Asked, refusals: Refusals): Promise<void> {
    const ask = (change: DependencyChange) => this.validator.validateDependents(em, caller, change, 'conflict');
    const dynamic = written
      .filter(({ type, row }) => type === 'Value' && row?.interpolated && row.text !== null)
      .map(({ id }) => id);
    if (!(await refused(new Map(), [], () => ask({ kind: 'new_values', valueIds: dynamic })))) {
      for (const id of dynamic) await refused(refusals, [id], () => ask({ kind: 'new_values', valueIds: [id] }));
    }
    for (const [projectId, byName] of await this.namesChanged(em, caller, written)) {
      const askFor = (names: readonly string[]) => ask({ kind: 'names', projectId, names, uncovers: true });
      if (await refused(new Map(), [], () => askFor([...byName.keys()]))) continue;
      for (const [name, ids] of byName) await refused(refusals, ids, () => askFor([name]));
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

  /** Parameters that came back or are called otherwise: their dynamic values may be what a text finds that they need. */
  private async loops({ em, caller, written }: Asked, refusals: Refusals): Promise<void> {
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

/** Whether it went well. What is no verdict ends everything. */
async function refused(refusals: Refusals, ids: readonly string[], ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    onlyFailures(error);
    for (const id of ids) refusals.set(id, error as Failure);
    return false;
  }
}

function onlyFailures(error: unknown): void {
  if (!(error instanceof Failure) || error.kind === 'unavailable') throw error;
}

/** Texts that were written. */
function rewritten(written: readonly WrittenObject[]): readonly WrittenObject[] {
  return written.filter(
    ({ type, row, old }) => row && (type === 'Value' || (type === 'Template' && row.body !== old?.body)),
  );
}

/** Those that are there and hang below something else than before. */
function moved(written: readonly WrittenObject[], wanted: RevertibleType): readonly WrittenObject[] {
  return written.filter(
    ({ type, object: { before, now } }) => type === wanted && before && now && before.parentId !== now.parentId,
  );
}

async function typedParameters(
  em: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TypedRow>> {
  if (ids.length === 0) return new Map();
  const rows = await em.query<TypedRow[]>(
    `select x.id, x.name, x.project_id, p.name as project, x.type_id, t.name as type
       from parameter x join parameter_type t on t.organization_id = $1 and t.id = x.type_id
       join project p on p.organization_id = $1 and p.id = x.project_id
      where x.organization_id = $1 and x.id = any($2::uuid[])`,
    [organizationId, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

const ruleOf = ({ kind, constraint_text: constraint = '' }: RevertRow): Rule | null =>
  kind === undefined ? null : { kind, constraint };

/** What an object that is written changes about what values are measured by. */
function typingChange(
  type: RevertibleType,
  id: string,
  row: RevertRow,
  old: RevertRow | undefined,
  parameter: TypedParameter | undefined,
): TypingChange | null {
  const rule = ruleOf(row);
  if (type === 'ParameterType') return row.parent_id === old?.parent_id ? null : { kind: 'type_parent', typeId: id };
  if (type === 'ParameterTypeRule' && rule) {
    return { kind: 'type_rule', typeId: row.type_id ?? '', rule, replacedKind: rule.kind };
  }
  if (!parameter) return null;
  if (type === 'ParameterRule' && rule) return { kind: 'parameter_rule', parameter, rule, replacedKind: rule.kind };
  return type === 'Parameter' && old && old.type_id !== row.type_id ? { kind: 'parameter_type', parameter } : null;
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
