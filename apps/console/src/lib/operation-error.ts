import { pointerSegments } from '@strata/domain';

/** An error as data, as far as the console uses it. */
export interface ErrorEntry {
  readonly code: string;
  /** A JSON pointer to the part of the REST input that the error is about. */
  readonly pointer: string;
  /** The names and numbers in the sentence. */
  readonly params: unknown;
  /** The sentence. */
  readonly detail: string;
}

/** An operation of a changeset, and its member that an error is about: a field of its body or the name of a value. */
export interface OperationMember {
  readonly index: number;
  /** Empty if the error is about the operation as a whole. */
  readonly member: string;
}

/** Returns the operation that an error is about; null for an error of the whole request. */
export function operationMember({ pointer, params }: Pick<ErrorEntry, 'pointer' | 'params'>): OperationMember | null {
  const [list, index, kind, member, name] = pointerSegments(pointer);
  if (list !== 'operations' || index === undefined) return null;
  if (kind === 'set' && member === 'values') return { index: Number(index), member: name ?? '' };
  if (kind === 'body') return { index: Number(index), member: member ?? '' };
  return { index: Number(index), member: member === 'names' ? nameIn(params) : '' };
}

function nameIn(params: unknown): string {
  const { name } = (params ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' ? name : '';
}
