import { isSought, originOf, readingOf, type ShownCell, type ShownParameter } from './cell-of.ts';

const PLACE = { projectId: 'web', environmentId: 'production', isRoot: false };
const cell = (changed: Partial<NonNullable<ShownCell>> = {}): NonNullable<ShownCell> => ({
  value: 'on',
  secret: false,
  interpolated: false,
  external: false,
  environmentId: 'production',
  environmentName: 'production',
  projectId: 'web',
  ...changed,
});

describe('a cell says where its value is from', () => {
  it.each`
    what                              | from                                               | isRoot   | origin
    ${'set at the root'}              | ${cell()}                                          | ${true}  | ${'own'}
    ${'set below the root'}           | ${cell()}                                          | ${false} | ${'override'}
    ${'set in an environment above'}  | ${cell({ environmentId: 'default' })}              | ${false} | ${'inherited'}
    ${'set in another project'}       | ${cell({ projectId: 'base' })}                     | ${false} | ${'project'}
    ${'set above in another project'} | ${cell({ projectId: 'base', environmentId: 'x' })} | ${false} | ${'project'}
    ${'set nowhere'}                  | ${null}                                            | ${false} | ${'nowhere'}
  `('$what: $origin', ({ from, isRoot, origin }) => {
    expect(originOf(from, { ...PLACE, isRoot })).toBe(origin);
  });
});

describe('a cell reads as', () => {
  it.each`
    reading                            | from
    ${{ kind: 'text', text: 'on' }}    | ${cell()}
    ${{ kind: 'text', text: '' }}      | ${cell({ value: '' })}
    ${{ kind: 'null' }}                | ${cell({ value: null })}
    ${{ kind: 'secret' }}              | ${cell({ secret: true, value: '*****' })}
    ${{ kind: 'dynamic', text: 'on' }} | ${cell({ interpolated: true })}
    ${{ kind: 'external', text: '' }}  | ${cell({ external: true, value: null })}
    ${{ kind: 'missing' }}             | ${null}
  `('$reading.kind', ({ reading, from }) => {
    expect(readingOf(from)).toEqual(reading);
  });
});

describe('a row is found', () => {
  const row = { name: 'LOG_LEVEL' } as ShownParameter;

  it.each`
    words     | cells                                      | found
    ${''}     | ${[]}                                      | ${true}
    ${'log'}  | ${[]}                                      | ${true}
    ${'warn'} | ${[null, cell({ value: 'Warn' })]}         | ${true}
    ${'warn'} | ${[cell({ value: 'warn', secret: true })]} | ${false}
    ${'none'} | ${[cell()]}                                | ${false}
  `('by "$words": $found', ({ words, cells, found }) => {
    expect(isSought(row, cells, words)).toBe(found);
  });
});
