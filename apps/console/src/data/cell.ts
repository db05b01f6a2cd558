import type { MatrixPartQuery } from '../graphql/matrix.graphql.ts';
import type { DraftEdit } from '../lib/draft.ts';

export type MatrixRow = NonNullable<MatrixPartQuery['project']>['matrix']['edges'][number]['node'];
type MatrixCell = MatrixRow['cells'][number];
/** A cell. Only the cells of a matrix contain `next`, the value that they would inherit without their own. */
export type ShownCell = Omit<MatrixCell, 'next'> & Partial<Pick<MatrixCell, 'next'>>;

/** The location of a cell's effective value. */
export type CellOrigin =
  /** The value is set in this cell, and there is no value to inherit. */
  | 'own'
  /** The value is set in this cell and overrides an inherited one. */
  | 'override'
  | 'inherited'
  | 'project'
  | 'missing'
  /** The user has no access to the environment. */
  | 'closed';

/** The way in which a value is shown. The page never contains a secret unless the user reveals it. */
export type CellDisplay =
  | { readonly kind: 'text' | 'dynamic'; readonly text: string }
  | { readonly kind: 'secret'; readonly dynamic: boolean }
  | { readonly kind: 'null' | 'missing' | 'closed' | 'retype' }
  /** The value is removed: nothing is left, or it is not known what is. */
  | { readonly kind: 'removed'; readonly isLost: boolean }
  /** The value is removed, so another one is inherited. */
  | { readonly kind: 'inherits'; readonly label: string }
  /** The template cannot be evaluated; `text` is the reason. */
  | { readonly kind: 'problem'; readonly text: string };

/** Returns the origin of a cell's value. */
export function findOrigin(cell: ShownCell): CellOrigin {
  if (cell.states.includes('closed')) return 'closed';
  if (cell.states.includes('missing')) return 'missing';
  if (!cell.states.includes('own')) return cell.projectName === null ? 'inherited' : 'project';
  return cell.next == null || cell.next.state === 'unset' ? 'own' : 'override';
}

export function chooseDisplay(cell: ShownCell): CellDisplay {
  const hasState = (state: ShownCell['states'][number]) => cell.states.includes(state);
  if (hasState('closed')) return { kind: 'closed' };
  if (hasState('missing')) return { kind: 'missing' };
  if (hasState('secret')) return { kind: 'secret', dynamic: hasState('dynamic') };
  if (hasState('NULL')) return { kind: 'null' };
  if (cell.problem !== null) return { kind: 'problem', text: cell.raw ?? '' };
  return { kind: hasState('dynamic') ? 'dynamic' : 'text', text: cell.text ?? '' };
}

/** Returns the effective text of a cell; null if there is none, or if it is masked or cannot be evaluated. */
export function visibleText(cell: ShownCell): string | null {
  const display = chooseDisplay(cell);
  return display.kind === 'text' || display.kind === 'dynamic' ? display.text : null;
}

/** Returns how a cell is shown after a draft is applied. */
export function displayOfEdit(edit: DraftEdit, isSecret: boolean): CellDisplay {
  switch (edit.kind) {
    case 'unset':
      return { kind: 'removed', isLost: false };
    case 'create':
      return { kind: 'missing' };
    case 'set':
      return isSecret
        ? { kind: 'secret', dynamic: edit.dynamic }
        : { kind: edit.dynamic ? 'dynamic' : 'text', text: edit.text };
    default:
      return { kind: edit.kind };
  }
}

/** Returns the value that is set in this cell; null if none is set. A secret value has no text. */
export function ownContent(cell: ShownCell): { readonly text: string | null; readonly dynamic: boolean } | null {
  if (!cell.states.includes('own')) return null;
  const dynamic = cell.states.includes('dynamic');
  return { text: dynamic ? cell.raw : cell.text, dynamic };
}

/** Returns the initial text of the cell editor: the effective value, or an empty text for a secret. */
export function editableText(cell: ShownCell): { readonly text: string; readonly dynamic: boolean } {
  const dynamic = cell.raw !== null;
  if (cell.states.includes('secret') && !dynamic) return { text: '', dynamic: false };
  return { text: (dynamic ? cell.raw : cell.text) ?? '', dynamic };
}

/** Returns the column from which a cell inherits; null if it inherits nothing or the column is hidden. */
export function sourceColumn(cell: ShownCell, column: number, environments: readonly { readonly name: string }[]) {
  if (cell.environmentName === null) return null;
  const at = environments.findIndex(({ name }) => name === cell.environmentName);
  return at === -1 || at === column ? null : at;
}

export const isExpired = ({ expiresAt }: ShownCell, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now;

/** Returns the source of an inherited value; null if the value is set in this cell. */
export function describeOrigin(origin: CellOrigin | undefined, cell: ShownCell): string | null {
  switch (origin) {
    case 'inherited':
      return `inherited from ${cell.environmentName}`;
    case 'project':
      return cell.environmentName === null
        ? `from project ${cell.projectName}`
        : `from project ${cell.projectName} in ${cell.environmentName}`;
    case 'override':
      return 'set here';
    default:
      return null;
  }
}
