import fc from 'fast-check';
import { dump } from 'js-yaml';
import { createSource, loadStructured, type ReadStructured, splitParts } from './import-sources.ts';

let structured: ReadStructured;
beforeAll(async () => {
  structured = await loadStructured();
});

const name = fc.stringMatching(/^[a-z]{1,6}$/);
const leaf = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constant({}),
  fc.constant([]),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.dictionary(name, fc.oneof({ maxDepth: 3 }, leaf, tie('tree'), fc.array(tie('tree'), { maxLength: 2 })), {
    minKeys: 1,
    maxKeys: 4,
  }),
}));

/** Returns the names that the file contains, joined. A list and an empty map are one name. */
function namesIn(content: object, path: readonly string[] = []): readonly string[] {
  return Object.entries(content).flatMap(([key, value]) => {
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isMap && Object.keys(value).length > 0 ? namesIn(value, [...path, key]) : [[...path, key].join('/')];
  });
}

function outcomes(file: string, text: string) {
  const source = { ...createSource({ name: file, text }, ['default']), environment: 'default' };
  const parts = splitParts([source], { separator: '/', environments: ['default'], structured });
  const previews = parts.map(({ preview }) => preview);
  return {
    names: previews.flatMap(({ lines }) => lines.map((line) => line.name)),
    others: previews.flatMap(({ problems, skipped }) => [...problems, ...skipped]).length,
  };
}

it.each([
  ['JSON', 'a.json', (content: object) => JSON.stringify(content, undefined, 2)],
  ['js-yaml', 'a.yaml', (content: object) => dump(content)],
])('every name in a file of %s is imported or reported', (_, file, write) => {
  fc.assert(
    fc.property(tree, (content) => {
      const expected = namesIn(content as object);
      const { names, others } = outcomes(file, write(content as object));
      const missing = expected.filter((expectedName) => !names.includes(expectedName));
      expect(names.filter((name) => !expected.includes(name))).toEqual([]);
      expect(others).toBeGreaterThanOrEqual(missing.length);
    }),
  );
});
