import { type CellOrigin, chooseDisplay, type ShownCell } from '../../data/cell.ts';
import { draftEditText, draftText } from '../../kit/planned/draft-descriptions.ts';
import type { Draft } from '../../lib/draft.ts';
import { describeInherited, type Removal } from './removal.ts';

interface DraftedCell {
  readonly cell: ShownCell;
  readonly origin: CellOrigin | undefined;
  readonly marks: {
    /** The draft of the cell. */
    readonly draft?: Draft | undefined;
    /** The draft that the cell would inherit. */
    readonly followed?: Draft | undefined;
    /** The effect of that draft if it removes a value. */
    readonly removal?: Removal | undefined;
  };
}

/** The maximum length of a value in a sentence. */
const SHOWN_MAX = 60;

/** Describes what a draft does to a cell, as in `Draft: debug (was info, inherited)`. Returns null if no draft affects the cell. */
export function draftSentence({ cell, origin, marks: { draft, followed, removal } }: DraftedCell): string | null {
  const effective = draft ?? followed;
  if (!effective) return null;
  const intro = draft
    ? 'Draft'
    : removal
      ? `The draft in ${effective.environmentName} removes the value`
      : `Will inherit from the draft in ${effective.environmentName}`;
  const after = removal ? describeRemoval(removal) : describeText(effective);
  const loss = removal && describeLoss(removal);
  return `${intro}: ${after} (${describePrevious(cell, origin)})${loss ? `. ${capitalized(loss)}` : ''}`;
}

/** Returns the words that screen readers announce after the value of the draft, which the cell shows. */
export function announcedDraft({ cell, origin, marks: { draft, followed, removal } }: DraftedCell): string | null {
  const was = `(${describePrevious(cell, origin)})`;
  if (draft) return [`draft ${was}`, removal && describeLoss(removal)].filter(Boolean).join(', ');
  if (!followed) return null;
  return removal
    ? `because of the draft in ${followed.environmentName} ${was}`
    : `will inherit from ${followed.environmentName} ${was}`;
}

export const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const describeText = (draft: Draft): string => shortened(draftEditText(draft).description);

function describeRemoval(removal: Removal): string {
  switch (removal.kind) {
    case 'inherits':
      return removal.text === undefined
        ? `inherits ${describeInherited(removal)}`
        : `inherits ${shortened(describeInherited(removal))} from ${removal.from}`;
    case 'draft':
      return `inherits the draft ${describeText(removal.draft)} from ${removal.draft.environmentName}`;
    case 'nothing':
      return 'will be removed';
    case 'unknown':
      return 'may be removed';
  }
}

/** Returns the number of environments that lose their value; null if none does. */
function describeLoss(removal: Removal): string | null {
  if (removal.kind !== 'nothing') return null;
  const { count, isAll } = removal;
  const loss = count === 1 ? '1 environment loses its value' : `${count} environments lose their value`;
  return isAll ? loss : `at least ${loss}`;
}

/** Describes the current value of a cell. Secrets are not shown. */
function describePrevious(cell: ShownCell, origin: CellOrigin | undefined): string {
  return ['was', [currentText(cell), ORIGINS[origin ?? 'missing']].filter(Boolean).join(', ')].join(' ');
}

const ORIGINS: Readonly<Record<CellOrigin, string>> = {
  own: 'set here',
  override: 'set here',
  inherited: 'inherited',
  project: 'inherited',
  missing: '',
  closed: '',
};

function currentText(cell: ShownCell): string {
  const display = chooseDisplay(cell);
  switch (display.kind) {
    case 'text':
    case 'dynamic':
    case 'problem':
      return shortened(draftText(display.text).description);
    case 'secret':
      return 'a secret';
    case 'null':
      return 'null';
    default:
      return 'not set';
  }
}

function shortened(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line === text && text.length <= SHOWN_MAX ? text : `${line.slice(0, SHOWN_MAX)}…`;
}
