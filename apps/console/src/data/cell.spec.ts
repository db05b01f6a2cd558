import {
  chooseDisplay,
  displayOfEdit,
  editableText,
  findOrigin,
  isExpired,
  ownContent,
  type ShownCell,
  sourceColumn,
} from './cell.ts';

const cell = (states: ShownCell['states'], more: Partial<ShownCell> = {}): ShownCell => ({
  states,
  text: null,
  raw: null,
  problem: null,
  environmentName: null,
  projectName: null,
  valueId: null,
  ledgerId: null,
  expiresAt: null,
  ...more,
});
const MISSING = cell(['missing']);
const INHERITED = cell(['inherited'], { text: 'on', environmentName: 'default' });
const ownCell = (state: 'set' | 'NULL' | 'unset' | 'closed') =>
  cell(['own'], { next: { state, text: null, environmentName: null, projectName: null } });

describe('the origin of a cell', () => {
  it.each`
    what                                   | of                                              | origin
    ${'set, with nothing to inherit'}      | ${ownCell('unset')}                             | ${'own'}
    ${'set over an inherited value'}       | ${ownCell('set')}                               | ${'override'}
    ${'set over an inherited null'}        | ${ownCell('NULL')}                              | ${'override'}
    ${'set below a forbidden environment'} | ${ownCell('closed')}                            | ${'override'}
    ${'set in a parent environment'}       | ${INHERITED}                                    | ${'inherited'}
    ${'set in another project'}            | ${cell(['inherited'], { projectName: 'base' })} | ${'project'}
    ${'not set'}                           | ${MISSING}                                      | ${'missing'}
    ${'of a forbidden environment'}        | ${cell(['closed'])}                             | ${'closed'}
  `('$what: $origin', ({ of, origin }) => {
    expect(findOrigin(of)).toBe(origin);
  });

  it('includes the column of its source if the column is visible', () => {
    const columns = [{ name: 'default' }, { name: 'production' }];
    expect(sourceColumn(INHERITED, 1, columns)).toBe(0);
    expect(sourceColumn(INHERITED, 1, [{ name: 'staging' }, { name: 'production' }])).toBeNull();
    expect(sourceColumn(cell(['own']), 1, columns)).toBeNull();
  });
});

describe('the text of a cell', () => {
  it.each`
    reading                                 | of
    ${{ kind: 'text', text: 'on' }}         | ${cell(['own'], { text: 'on' })}
    ${{ kind: 'text', text: '' }}           | ${cell(['own'], { text: '' })}
    ${{ kind: 'null' }}                     | ${cell(['own', 'NULL'])}
    ${{ kind: 'secret', dynamic: false }}   | ${cell(['own', 'secret'], { text: '*****' })}
    ${{ kind: 'secret', dynamic: true }}    | ${cell(['own', 'secret', 'dynamic'], { text: '*****' })}
    ${{ kind: 'dynamic', text: 'x' }}       | ${cell(['own', 'dynamic'], { text: 'x', raw: '{{ A }}' })}
    ${{ kind: 'problem', text: '{{ A }}' }} | ${cell(['own', 'dynamic'], { raw: '{{ A }}', problem: 'No A.' })}
    ${{ kind: 'missing' }}                  | ${MISSING}
    ${{ kind: 'closed' }}                   | ${cell(['closed'])}
  `('$reading.kind', ({ reading, of }) => {
    expect(chooseDisplay(of)).toEqual(reading);
  });

  it('is masked for a draft of a secret', () => {
    expect(displayOfEdit({ kind: 'set', text: 'canary', dynamic: false }, true)).toEqual({
      kind: 'secret',
      dynamic: false,
    });
  });
});

describe('the initial text of the editor', () => {
  it.each`
    what                                 | of                                                               | text
    ${'the text'}                        | ${INHERITED}                                                     | ${'on'}
    ${'the template of a dynamic value'} | ${cell(['inherited', 'dynamic'], { text: 'x', raw: '{{ A }}' })} | ${'{{ A }}'}
    ${'empty for a secret'}              | ${cell(['own', 'secret'], { text: '*****' })}                    | ${''}
    ${'empty without a value'}           | ${MISSING}                                                       | ${''}
  `('$what', ({ of, text }) => {
    expect(editableText(of).text).toBe(text);
  });

  it('counts only a value that is set in the cell as existing', () => {
    expect(ownContent(INHERITED)).toBeNull();
    expect(ownContent(cell(['own'], { text: 'on' }))).toEqual({ text: 'on', dynamic: false });
  });
});

it('a value expires at its expiration time', () => {
  const expiringCell = cell(['own'], { expiresAt: '2026-11-22T10:00:00Z' });
  const at = Date.parse('2026-11-22T10:00:00Z');
  expect([isExpired(expiringCell, at - 1), isExpired(expiringCell, at), isExpired(MISSING, at)]).toEqual([
    false,
    true,
    false,
  ]);
});
