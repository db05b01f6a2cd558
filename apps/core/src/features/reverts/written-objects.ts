import { Failure, type RevertedObject, type RevertibleType } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Writer } from '../../platform/ledger/command.ts';
import type { AssertTime } from '../changesets/held-time.ts';
import type { RevertWork } from './revert-writer.ts';
import type { RevertRow } from './reverted-rows.ts';

/** Objects that cannot be what they were, and why. */
export type Refusals = Map<string, Failure>;

/** What is asked about, once it is written. */
export interface JudgedRevert {
  readonly em: EntityManager;
  readonly caller: Writer;
  readonly work: RevertWork;
  readonly written: readonly WrittenObject[];
  /** Those that are written, and those of what is written, as they are now; by id. */
  readonly parameters: ReadonlyMap<string, TypedRow>;
  readonly assertTime: AssertTime;
}

/** An object with the row that it is again, and the one that it had until now. */
export interface WrittenObject {
  readonly object: RevertedObject;
  readonly type: RevertibleType;
  readonly id: string;
  readonly row: RevertRow | undefined;
  readonly old: RevertRow | undefined;
}

/** A parameter as it is once everything is written. */
export interface TypedRow {
  readonly id: string;
  readonly name: string;
  readonly project_id: string;
  readonly project: string;
  readonly type_id: string;
  readonly type: string;
}

export function writtenObjects({ plan, before, now }: RevertWork): readonly WrittenObject[] {
  const all = [...plan.revivals, ...plan.updates, ...plan.deletions];
  return all.map((object) => {
    const { type, id } = object;
    return { object, type, id, row: object.before ? before.get(id) : undefined, old: now.get(id) };
  });
}

/** Whether it went well. What is no verdict ends everything. */
export async function refused(
  refusals: Refusals,
  ids: readonly string[],
  ask: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    onlyFailures(error);
    for (const id of ids) refusals.set(id, error as Failure);
    return false;
  }
}

export function onlyFailures(error: unknown): void {
  if (!(error instanceof Failure) || error.kind === 'unavailable') throw error;
}

/** Texts that were written. */
export function rewritten(written: readonly WrittenObject[]): readonly WrittenObject[] {
  return written.filter(
    ({ type, row, old }) => row && (type === 'Value' || (type === 'Template' && row.body !== old?.body)),
  );
}

/** Those that are there and hang below something else than before. */
export function moved(written: readonly WrittenObject[], wanted: RevertibleType): readonly WrittenObject[] {
  return written.filter(
    ({ type, object: { before, now } }) => type === wanted && before && now && before.parentId !== now.parentId,
  );
}

/** One statement, whatever was written. */
export async function parametersOfWritten(
  em: EntityManager,
  organizationId: string,
  written: readonly WrittenObject[],
): Promise<ReadonlyMap<string, TypedRow>> {
  const ids = written.flatMap(({ type, id, row, old }) =>
    type === 'Parameter' ? id : ((row ?? old)?.parameter_id ?? []),
  );
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
