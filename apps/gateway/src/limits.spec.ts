import { buildSchema, getOperationAST, parse } from 'graphql';
import { assertWithinLimits, LIMITS, measureOperation } from './limits.ts';

const schema = buildSchema(`
  type Query { things(first: Int = 50): Things! thing: Thing! }
  type Things { edges: [Edge!]! totalCount: Int! }
  type Edge { node: Thing! }
  type Thing { name: String! parent: Thing children: [Thing!]! things(first: Int = 50): Things! }
`);

function measure(text: string, variables: Record<string, unknown> = {}) {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('One operation, please.');
  return { document, ...measureOperation(schema, document, operation, variables) };
}

function checkLimits(text: string, variables: Record<string, unknown> = {}): string {
  try {
    const { document, ...found } = measure(text, variables);
    assertWithinLimits(document, found);
    return 'answered';
  } catch (error) {
    return (error as Error).message;
  }
}

const ROWS = '{ edges { node { name } } }';

describe('measure', () => {
  it.each`
    text                                                            | depth | cost
    ${'{ thing { name } }'}                                         | ${2}  | ${2}
    ${'{ __typename thing { name __typename } }'}                   | ${2}  | ${2}
    ${`{ things(first: 3) ${ROWS} }`}                               | ${4}  | ${1 + 3 * 3}
    ${`{ things ${ROWS} }`}                                         | ${4}  | ${1 + 50 * 3}
    ${`{ things(first: null) ${ROWS} }`}                            | ${4}  | ${1 + 50 * 3}
    ${'{ thing { children { name } } }'}                            | ${3}  | ${1 + 1 + 5}
    ${'{ thing { ...F } } fragment F on Thing { parent { name } }'} | ${3}  | ${3}
    ${'{ thing { ... { name } ... on Thing { name } } }'}           | ${2}  | ${3}
  `('returns $depth levels and $cost fields for $text', ({ text, depth, cost }) => {
    expect(measure(text)).toMatchObject({ depth, cost });
  });

  it('reads page sizes from variables', () => {
    const text = `query ($n: Int) { things(first: $n) ${ROWS} }`;

    expect(measure(text, { n: 7 }).cost).toBe(1 + 7 * 3);
    expect(measure(text).cost).toBe(1 + 200 * 3);
    expect(measure(text, { n: 1e9 }).cost).toBe(1 + 200 * 3);
  });

  it('measures fragments that include each other twice without exponential time', () => {
    const count = 40;
    const fragments = Array.from(
      { length: count },
      (_, index) =>
        `fragment F${index} on Thing { ${index + 1 < count ? `...F${index + 1} ...F${index + 1}` : 'name'} }`,
    );

    expect(measure(`{ thing { ...F0 } } ${fragments.join(' ')}`).cost).toBe(1 + 2 ** (count - 1));
  });
});

describe('assertWithinLimits', () => {
  it.each`
    text                                                                                                | what
    ${`{ things(first: 200) ${ROWS} }`}                                                                 | ${'a full page'}
    ${`{ thing { ${'parent { '.repeat(LIMITS.depth - 2)} name ${'}'.repeat(LIMITS.depth - 2)} } }`}     | ${'the deepest'}
    ${`{ ${Array.from({ length: LIMITS.aliases }, (_, index) => `a${index}: __typename`).join(' ')} }`} | ${'all aliases'}
  `('accepts $what', ({ text }) => {
    expect(checkLimits(text)).toBe('answered');
  });

  it.each`
    text                                                                                                    | why
    ${`{ thing { ${'parent { '.repeat(LIMITS.depth - 1)} name ${'}'.repeat(LIMITS.depth - 1)} } }`}         | ${'levels'}
    ${`{ ${Array.from({ length: LIMITS.aliases + 1 }, (_, index) => `a${index}: __typename`).join(' ')} }`} | ${'aliases'}
    ${`{ __typename ${'@include(if: true) '.repeat(LIMITS.directives + 1)} }`}                              | ${'directives'}
    ${`{ things(first: 200) { edges { node { things(first: 200) ${ROWS} } } } }`}                           | ${'fields'}
  `('rejects too many $why', ({ text, why }) => {
    expect(checkLimits(text)).toContain(why);
  });
});
