import type { ValuesOfQuery } from './values.graphql.ts';

export type ShownParameter = NonNullable<ValuesOfQuery['project']>['parameters']['edges'][number]['node'];
export type ShownCell = ShownParameter['effective'];

/** Where the value that applies was set, as seen from one cell. */
export type CellOrigin =
  /** Here, at the root, where nothing could be inherited. */
  | 'own'
  /** Here, in place of what would be inherited. */
  | 'override'
  | 'inherited'
  | 'project'
  | 'nowhere';

/** How a value reads; the text of a secret is nowhere in the page. */
export type CellReading =
  | { readonly kind: 'text' | 'dynamic' | 'external'; readonly text: string }
  | { readonly kind: 'null' | 'secret' | 'missing' };

export interface CellPlace {
  readonly projectId: string;
  readonly environmentId: string;
  readonly isRoot: boolean;
}

export function originOf(cell: ShownCell, place: CellPlace): CellOrigin {
  if (cell === null) return 'nowhere';
  if (cell.projectId !== place.projectId) return 'project';
  if (cell.environmentId !== place.environmentId) return 'inherited';
  return place.isRoot ? 'own' : 'override';
}

export function readingOf(cell: ShownCell): CellReading {
  if (cell === null) return { kind: 'missing' };
  if (cell.secret) return { kind: 'secret' };
  if (cell.value === null) return cell.external ? { kind: 'external', text: '' } : { kind: 'null' };
  return { kind: cell.external ? 'external' : cell.interpolated ? 'dynamic' : 'text', text: cell.value };
}

/** Whether a row fits what was typed: in its name, or in a value that is shown. */
export function isSought(row: ShownParameter, cells: readonly ShownCell[], words: string): boolean {
  const sought = words.trim().toLowerCase();
  if (sought === '' || row.name.toLowerCase().includes(sought)) return true;
  return cells.some((cell) => cell !== null && !cell.secret && cell.value?.toLowerCase().includes(sought));
}
