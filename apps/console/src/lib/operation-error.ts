import { pointerSegments } from '@strata/domain';

/** An error as data, as far as the console uses it. */
export interface ErrorEntry {
  readonly code: string;
  /** A JSON pointer to the part of the REST input that the error is about. */
  readonly pointer: string;
  /** The sentence. */
  readonly detail: string;
}

/** An operation of a changeset, and its member that an error is about: a field of its body or the name of a value. */
export interface OperationMember {
  readonly index: number;
  /** Empty if the error is about the operation as a whole. */
  readonly member: string;
  readonly isField: boolean;
}

/** Returns the operation that an error is about; null for an error of the whole request. */
export function operationMember({ pointer }: Pick<ErrorEntry, 'pointer'>): OperationMember | null {
  const [list, position, kind, member = '', name = ''] = pointerSegments(pointer);
  if (list !== 'operations' || position === undefined) return null;
  const index = Number(position);
  if (kind === 'set' && member === 'values') return { index, member: name, isField: false };
  const isField = kind === 'body' && member !== '';
  return { index, member: isField ? member : '', isField };
}

/** Returns the sentence of an error. Some sentences say "this field", so each gets the name of the field. */
export function describeEntry(entry: Pick<ErrorEntry, 'pointer' | 'detail'>): string {
  const operation = operationMember(entry);
  if (!operation?.isField) return entry.detail;
  const label = operation.member.replaceAll('_', ' ');
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}: ${entry.detail}`;
}
