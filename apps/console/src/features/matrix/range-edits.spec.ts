import type { MatrixRow, ShownCell } from '../../data/cell.ts';
import type { CellRange } from './cell-range.ts';
import { selectColumns } from './grid-types.ts';
import {
  type EditRules,
  fillRange,
  pasteBlock,
  pastedBlock,
  pastedRange,
  type RangeEdits,
  unsetRange,
} from './range-edits.ts';

const COLUMNS = selectColumns(['a', 'b', 'c'].map((name) => ({ id: name, name, parentId: null, parentName: null })));

const ownCell = (text: string | null, raw: string | null = null) =>
  ({ states: ['own'], text, raw }) as unknown as ShownCell;
const SECRET_CELL = { states: ['own', 'secret'], text: null, raw: null } as unknown as ShownCell;
const MISSING = { states: ['missing'], text: null, raw: null } as unknown as ShownCell;

const row = (name: string, cells: readonly ShownCell[], secret = false) => ({
  line: { name, parameterId: name, type: 'string', secret, cells } as unknown as MatrixRow,
  revision: 7,
});
const ROWS = [
  row('ONE', [ownCell('1'), MISSING, ownCell(null, '{{ TWO }}')]),
  row('TWO', [ownCell('2'), ownCell('22'), MISSING]),
  row('TOKEN', [SECRET_CELL, MISSING, MISSING], true),
];
const RULES: EditRules = {
  whyNot: (line, { name }) => (line.name === 'TWO' && name === 'c' ? 'Read-only' : null),
  draftOf: () => undefined,
  findProblem: (_, text) => (text === 'wrong' ? 'Not valid' : null),
};
const createRange = (top: number, bottom: number, left: number, right: number) => ({
  spans: [{ top, bottom }],
  left,
  right,
});

const listRows = ({ spans }: CellRange) => spans.flatMap(({ top, bottom }) => ROWS.slice(top, bottom + 1));

/** Returns the edits as sentences, to compare them. */
const edited = ({ edits }: RangeEdits) =>
  edits.map(
    ({ target: { line, column }, edit }) =>
      `${line.name} ${column.name} ${edit.kind === 'set' ? `${edit.dynamic ? '=' : ''}${edit.text}` : edit.kind}`,
  );
const left = ({ leftOut }: RangeEdits) =>
  leftOut.map(({ reason, cell }) => `${cell ? `${cell.name} ${cell.environmentName}` : '-'}: ${reason}`);

/** Pastes a text at a cell, as the grid does. */
function paste(text: string, range = createRange(0, 0, 0, 0)) {
  const block = pastedBlock(text);
  if (typeof block === 'string') throw new Error(block);
  return pasteBlock(block, { range, rows: listRows(pastedRange(block, range)), columns: COLUMNS }, RULES);
}

describe('a pasted block', () => {
  it('writes each text into its cell, as Excel writes them', () => {
    expect(edited(paste('x\t"two\nlines"\r\n"say ""hi"""\ty\r\n'))).toEqual([
      'ONE a x',
      'ONE b two\nlines',
      'TWO a say "hi"',
      'TWO b y',
    ]);
  });

  it('changes nothing where it is empty, and may have rows of different lengths', () => {
    const pasted = paste('x\n\ty\tz');
    expect([edited(pasted), left(pasted), pasted.empty]).toEqual([['ONE a x', 'TWO b y'], ['TWO c: Read-only'], 1]);
    expect(paste('\n\n').edits).toEqual([]);
  });

  it('leaves out secrets, invalid texts and what is beyond the grid, and gives the reasons', () => {
    const pasted = paste('wrong\tx\n\n*****\nlate', createRange(0, 0, 2, 2));
    expect([edited(pasted), left(pasted)]).toEqual([
      [],
      [
        'ONE c: Not valid',
        '-: Beyond the last row or column',
        'TOKEN c: Secrets are set one at a time',
        '-: Beyond the last row or column',
      ],
    ]);
  });

  it('of one text fills the range, and sets a single secret', () => {
    expect(edited(paste('x', createRange(0, 1, 0, 1)))).toEqual(['ONE a x', 'ONE b x', 'TWO a x', 'TWO b x']);
    expect(edited(paste('s3cret', createRange(2, 2, 0, 0)))).toEqual(['TOKEN a s3cret']);
    expect(left(paste('s3cret', createRange(2, 2, 0, 1)))).toHaveLength(2);
  });

  it('stays dynamic where the cell is dynamic', () => {
    expect(edited(paste('{{ ONE }}\t{{ ONE }}', createRange(0, 0, 1, 1)))).toEqual([
      'ONE b {{ ONE }}',
      'ONE c ={{ ONE }}',
    ]);
  });

  it('is rejected with the reason if it is too large', () => {
    expect(pastedBlock('x\n'.repeat(1_001))).toMatch(/^The copied block has 1,001 rows and 1 columns\. Copy a smaller/);
    expect(pastedBlock(`${'x\n'.repeat(300_000)}a\tb`)).toMatch(/300,001 rows and 2 columns/);
    expect(pastedBlock('x'.repeat(1_000_001))).toMatch(/^The copied text has 1,000,001 characters\. Copy a part/);
    expect(pastedBlock('x\n'.repeat(1_000))).toHaveLength(1_000);
  });
});

describe('an action on a range', () => {
  const load = (range = createRange(0, 1, 0, 2)) => ({
    range,
    rows: listRows(range),
    columns: COLUMNS,
  });

  it('removes values, except in read-only cells', () => {
    const removed = unsetRange(load(createRange(0, 1, 2, 2)), RULES);
    expect([edited(removed), left(removed)]).toEqual([['ONE c unset'], ['TWO c: Read-only']]);
  });

  it('fills with the first row or column, with references, and leaves empty sources out', () => {
    expect(edited(fillRange('down', load(createRange(0, 1, 0, 1)), RULES))).toEqual(['TWO a 1']);
    expect(edited(fillRange('right', load(createRange(0, 0, 0, 2)), RULES))).toEqual(['ONE b 1', 'ONE c 1']);
    expect(edited(fillRange('right', load(createRange(0, 0, 2, 2)), RULES))).toEqual([]);
  });

  it('never copies a secret', () => {
    const filled = fillRange('right', load(createRange(2, 2, 0, 1)), RULES);
    expect([filled.edits, left(filled)]).toEqual([[], ['TOKEN b: Secrets are set one at a time']]);
  });
});
