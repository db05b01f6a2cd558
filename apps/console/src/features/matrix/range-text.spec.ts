import type { MatrixRow, ShownCell } from '../../data/cell.ts';
import type { Draft, DraftEdit } from '../../lib/draft.ts';
import { parseTsv } from '../../lib/tsv.ts';
import { selectColumns } from './grid-types.ts';
import { rangeText } from './range-text.ts';
import type { CellMarks } from './use-cell-actions.ts';

const COLUMNS = selectColumns(['a', 'b'].map((name) => ({ id: name, name, parentId: null, parentName: null })));
const cell = (states: readonly string[], text: string | null = null) =>
  ({ states, text, raw: null, problem: null }) as unknown as ShownCell;
const NO_MARKS: CellMarks = {
  draft: undefined,
  error: undefined,
  conflict: undefined,
  followed: undefined,
  removal: undefined,
};

/** Returns the copied text of one row. `drafted` are the edits of its cells. */
function copied(cells: readonly ShownCell[], { secret = false, drafted = [] as readonly (DraftEdit | null)[] } = {}) {
  const line = { name: 'ONE', secret, cells } as unknown as MatrixRow;
  const range = { spans: [{ top: 0, bottom: 0 }], left: 0, right: cells.length - 1 };
  return rangeText({ range, rows: [{ line, revision: 1 }], columns: COLUMNS }, (_, { at }) => {
    const edit = drafted[at];
    return edit ? { ...NO_MARKS, draft: { edit } as Draft } : NO_MARKS;
  });
}

describe('the text of a range', () => {
  it('is what the cells show, quoted for spreadsheets', () => {
    expect(copied([cell(['own'], 'a "b"\tc'), cell(['inherited'], 'x\r\ny')]).text).toBe('"a ""b""\tc"\t"x\r\ny"');
    expect(parseTsv(copied([cell(['own'], '\n'), cell(['own'], 'x')]).text)).toEqual([['\n', 'x']]);
  });

  it('is empty for cells without a text', () => {
    expect(copied([cell(['missing']), cell(['own', 'NULL'])]).text).toBe('\t');
    expect(copied([cell(['closed'])]).text).toBe('');
  });

  it('contains drafts instead of stored values', () => {
    const drafted = [{ kind: 'set', text: 'new', dynamic: false }, { kind: 'null' }] as const;
    expect(copied([cell(['own'], 'old'), cell(['own'], 'old')], { drafted }).text).toBe('new\t');
  });

  it('never contains a secret, and counts those that it leaves out', () => {
    const drafted = [{ kind: 'set', text: 'canary', dynamic: false }, { kind: 'retype' }] as const;
    expect(copied([cell(['own', 'secret'], '*****'), cell(['missing'])], { secret: true })).toEqual({
      text: '\t',
      secrets: 1,
    });
    expect(copied([cell(['missing']), cell(['missing'])], { secret: true, drafted })).toEqual({
      text: '\t',
      secrets: 2,
    });
  });
});
