import { Failure, type RevertedObject, type RevertibleType } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Writer } from '../../platform/ledger/command.ts';
import type { AssertTime } from '../changesets/time-limits.ts';
import type { RevertWrites } from './revert-writer.ts';
import type { RevertRow } from './reverted-rows.ts';

/** Errors by the id of the object that cannot be reverted. */
export type ObjectErrors = Map<string, Failure>;

/** A revert that is written but not yet checked. */
export interface WrittenRevert {
  readonly em: EntityManager;
  readonly caller: Writer;
  readonly work: RevertWrites;
  readonly written: readonly WrittenObject[];
  /** The written parameters, and the parameters of other written objects, in their current state by id. */
  readonly parameters: ReadonlyMap<string, TypedRow>;
  readonly assertTime: AssertTime;
}

/** An object with its restored row and its row before the revert. */
export interface WrittenObject {
  readonly object: RevertedObject;
  readonly type: RevertibleType;
  readonly id: string;
  readonly row: RevertRow | undefined;
  readonly old: RevertRow | undefined;
}

/** A parameter after the write. */
export interface TypedRow {
  readonly id: string;
  readonly name: string;
  readonly project_id: string;
  readonly project: string;
  readonly type_id: string;
  readonly type: string;
}

export function listWrittenObjects({ plan, before, now }: RevertWrites): readonly WrittenObject[] {
  const all = [...plan.revivals, ...plan.updates, ...plan.deletions];
  return all.map((object) => {
    const { type, id } = object;
    return { object, type, id, row: object.before ? before.get(id) : undefined, old: now.get(id) };
  });
}

/**
 * Runs a check. If it fails, adds its error to those of the objects. Returns whether the check passed.
 * Rethrows errors that are not failures of the check.
 */
export async function collectError(
  errors: ObjectErrors,
  ids: readonly string[],
  check: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (error) {
    rethrowUnlessFailure(error);
    for (const id of ids) errors.set(id, error as Failure);
    return false;
  }
}

export function rethrowUnlessFailure(error: unknown): void {
  if (!(error instanceof Failure) || error.kind === 'unavailable') throw error;
}

/** Returns the written objects whose text may have changed. */
export function objectsWithNewText(writtenRows: readonly WrittenObject[]): readonly WrittenObject[] {
  return writtenRows.filter(
    ({ type, row, old }) => row && (type === 'Value' || (type === 'Template' && row.body !== old?.body)),
  );
}

/** Returns the written objects of a type whose parent changed. */
export function objectsWithNewParent(
  writtenRows: readonly WrittenObject[],
  requestedType: RevertibleType,
): readonly WrittenObject[] {
  return writtenRows.filter(
    ({ type, object: { before, now } }) => type === requestedType && before && now && before.parentId !== now.parentId,
  );
}

/** Reads the parameters of written objects with one statement. */
export async function readWrittenParameters(
  em: EntityManager,
  organizationId: string,
  writtenRows: readonly WrittenObject[],
): Promise<ReadonlyMap<string, TypedRow>> {
  const ids = writtenRows.flatMap(({ type, id, row, old }) =>
    type === 'Parameter' ? id : ((row ?? old)?.parameter_id ?? []),
  );
  if (ids.length === 0) return new Map();
  const rows = await em.query<TypedRow[]>(
    `select parameter.id, parameter.name, parameter.project_id, project.name as project, parameter.type_id, type.name as type
       from parameter join parameter_type type on type.organization_id = $1 and type.id = parameter.type_id
       join project on project.organization_id = $1 and project.id = parameter.project_id
      where parameter.organization_id = $1 and parameter.id = any($2::uuid[])`,
    [organizationId, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
