import { type CellOrigin, displayOf, type ShownCell } from '../../data/cell.ts';
import { draftEditText, draftText } from '../../kit/planned/draft-words.ts';
import type { Draft } from '../../lib/draft.ts';

interface DraftedCell {
  readonly cell: ShownCell;
  readonly origin: CellOrigin | undefined;
  readonly marks: {
    /** The draft of the cell. */
    readonly draft?: Draft | undefined;
    /** The draft that the cell would inherit. */
    readonly followed?: Draft | undefined;
  };
}

/** The maximum length of a value in a sentence. */
const SHOWN_MAX = 60;

/** Describes what a draft does to a cell, as in `Draft: debug (was info, inherited)`. Returns null if no draft affects the cell. */
export function draftSentence({ cell, origin, marks: { draft, followed } }: DraftedCell): string | null {
  if (draft) return `Draft: ${textOf(draft)} (${wasWords(cell, origin)})`;
  if (!followed) return null;
  return `Will inherit from the draft in ${followed.environmentName}: ${textOf(followed)} (${wasWords(cell, origin)})`;
}

/** Returns the words that screen readers announce after the value of the draft, which the cell shows. */
export function announcedDraft({ cell, origin, marks: { draft, followed } }: DraftedCell): string | null {
  if (draft) return `draft (${wasWords(cell, origin)})`;
  return followed ? `will inherit from ${followed.environmentName} (${wasWords(cell, origin)})` : null;
}

const textOf = (draft: Draft): string => shortened(draftEditText(draft).words);

/** Describes the current value of a cell. Secrets are not shown. */
function wasWords(cell: ShownCell, origin: CellOrigin | undefined): string {
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
  const display = displayOf(cell);
  switch (display.kind) {
    case 'text':
    case 'dynamic':
    case 'problem':
      return shortened(draftText(display.text).words);
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
