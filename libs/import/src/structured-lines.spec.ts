import { structuredParts } from './structured-lines.ts';

const read = (source: string, format: 'JSON' | 'YAML' = 'YAML', separator: '_' | '.' = '_') =>
  structuredParts(source, { format, program: null, separator, environments: new Set(['staging', 'production']) });

const texts = (source: string, format: 'JSON' | 'YAML' = 'YAML') =>
  read(source, format).flatMap(({ assignments }) => assignments.map(({ line, name, text }) => [line, name, text]));

describe('reading JSON and YAML', () => {
  it('keeps digits, words, texts and null as written', () => {
    const source =
      '{\n"a": 12345678901234567890, "b": 1.50, "c": true, "d": "t\\u00e9\\n", "e": null,\n"f": "", "g": "07" }';

    expect(texts(source, 'JSON')).toEqual([
      [2, 'a', '12345678901234567890'],
      [2, 'b', '1.50'],
      [2, 'c', 'true'],
      [2, 'd', 'té\n'],
      [2, 'e', null],
      [3, 'f', ''],
      [3, 'g', '07'],
    ]);
  });

  it('joins nested names, and keeps lists as JSON', () => {
    const source = 'db:\n  host: h\n  pool: { max: 5 }\nlist:\n  - a\n  - b: 1\non: yes\n';

    expect(texts(source)).toEqual([
      [2, 'db_host', 'h'],
      [3, 'db_pool_max', '5'],
      [4, 'list', '["a",{"b":1}]'],
      [7, 'on', 'yes'],
    ]);
    expect(read('db: { host: h }', 'YAML', '.')[0]?.assignments[0]?.name).toBe('db.host');
  });

  it('keeps the digits of numbers in lists, and rejects those that JSON cannot express', () => {
    expect(texts('ids: [123456789012345678, 1.50, 1e400, "07"]\n')).toEqual([
      [1, 'ids', '[123456789012345678,1.50,1e400,"07"]'],
    ]);
    for (const number of ['.inf', '-.Inf', '.nan', '0x1F', '0o17', '007', '+5']) {
      const [part] = read(`a: 1\nb: [{ c: ${number} }]\n`);
      expect(part?.problems).toEqual([{ line: 2, message: expect.stringMatching(/number.*quotes/) }]);
    }
    expect(texts('a: &a { x: 1 }\nb:\n- { <<: *a, y: 2 }\n').at(-1)).toEqual([2, 'b', '[{"y":2,"x":1}]']);
    expect(read('a: [{ x: 1, x: 2 }]\n')[0]?.problems).toEqual([
      { line: 1, message: expect.stringContaining('twice') },
    ]);
  });

  it('keeps an empty map as JSON', () => {
    expect(texts('{"features": {}, "a": {"b": {}}}', 'JSON')).toEqual([
      [1, 'features', '{}'],
      [1, 'a_b', '{}'],
    ]);
  });

  it('reads lone carriage returns as line ends', () => {
    expect(texts('A: 1\rB: 2\r')).toEqual([
      [1, 'A', '1'],
      [2, 'B', '2'],
    ]);
  });

  it('rejects tags and further documents with their lines', () => {
    expect(read('A: 1\nB: !vault x\n')[0]?.problems).toEqual([{ line: 2, message: expect.stringContaining('tag') }]);
    expect(read('A: 1\n---\nB: 2\n')[0]?.problems).toEqual([
      { line: expect.any(Number), message: expect.stringContaining('Another YAML document') },
    ]);
  });

  it('names the other keys if only some top-level keys are environments', () => {
    const [part] = read('staging: { A: 1 }\nproduction: { A: 2 }\ntest: { A: 3 }\n');
    expect([part?.environment, part?.otherKeys]).toEqual([null, ['test']]);
  });

  it('reads the top-level keys as environments if all of them are names of environments', () => {
    const stagingAndProduction = read('staging: { A: 1 }\nproduction: { A: 2 }\n');
    expect(stagingAndProduction.map(({ environment, assignments }) => [environment, assignments[0]?.text])).toEqual([
      ['staging', '1'],
      ['production', '2'],
    ]);
    expect(read('staging: { A: 1 }\nother: { A: 2 }\n').map(({ environment }) => environment)).toEqual([null]);
    expect(read('staging: text\n').map(({ environment }) => environment)).toEqual([null]);
  });

  it('returns all lines of a name, so that the preview shows which one counts', () => {
    expect(texts('A: 1\nA: 2\n')).toEqual([
      [1, 'A', '1'],
      [2, 'A', '2'],
    ]);
  });

  it('merges keys from `<<` unless the map has its own value', () => {
    const source = `x: &x { A: 1, B: 2, db: { host: h, port: 1 } }
y: &y { B: 3, C: 4 }
production:
  <<: [*x, *y]
  A: own
  db: { host: p }
`;
    expect(texts(source).filter(([, name]) => String(name).startsWith('production'))).toEqual([
      [5, 'production_A', 'own'],
      [6, 'production_db_host', 'p'],
      [1, 'production_B', '2'],
      [2, 'production_C', '4'],
    ]);
    expect(texts('staging: &s { A: 1 }\nproduction: { <<: *s, B: 2 }\n')).toEqual([
      [1, 'A', '1'],
      [2, 'B', '2'],
      [1, 'A', '1'],
    ]);
    expect(texts('a: &a { <<: *a, B: 1 }\n')).toEqual([[1, 'a_B', '1']]);
    expect(texts('{ "<<": { "A": 1 } }', 'JSON')).toEqual([[1, '<<_A', '1']]);
    expect(texts('<<: text\n')).toEqual([[1, '<<', 'text']]);
  });

  it('merges repeatedly within a bounded time', () => {
    const levels = Array.from(
      { length: 30 },
      (_, index) => `l${index + 1}: &l${index + 1} { <<: [*l${index}, *l${index}], n${index}: 1 }`,
    );
    expect(texts(['l0: &l0 { A: 1 }', ...levels].join('\n')).at(-1)).toEqual([1, 'l30_A', '1']);
  });

  it('follows an alias, but not endlessly', () => {
    expect(texts('base: &b { host: h }\nshop: *b\n')).toEqual([
      [1, 'base_host', 'h'],
      [1, 'shop_host', 'h'],
    ]);
    const levels = Array.from(
      { length: 12 },
      (_, index) => `l${index}: &l${index} { a: *l${index - 1}, b: *l${index - 1} }`,
    ).slice(1);
    const [part] = read(['l0: &l0 { a: 1 }', ...levels].join('\n'));
    expect(part?.assignments.length).toBeLessThanOrEqual(5_001);
  });

  it('reports aliases that repeat too much or refer to nothing, with their lines', () => {
    const maps = Array.from(
      { length: 31 },
      (_, index) => `l${index}: &l${index} { a: *l${index - 1}, b: *l${index - 1} }`,
    ).slice(1);
    const lists = Array.from(
      { length: 20 },
      (_, index) => `l${index}: &l${index} [*l${index - 1}, *l${index - 1}]`,
    ).slice(1);
    const problems = (source: string) => read(source).flatMap((part) => part.problems);
    expect(read(['l0: &l0 {}', ...maps].join('\n'))[0]?.assignments.length).toBeLessThanOrEqual(5_001);
    expect(problems(['l0: &l0 [1]', ...lists].join('\n')).at(-1)).toEqual({
      ...{ line: expect.any(Number), message: expect.stringContaining('liases') },
    });
    const many = Array.from({ length: 4_000 }, (_, index) => `k${index}: ${index % 2 ? '*a' : '[*a]'}`);
    expect(problems(['a: &a [1]', ...many].join('\n'))).toEqual([]);
    expect(problems('a: 1\nb: &b [*b]\n')).toEqual([{ line: 2, message: expect.stringContaining('themselves') }]);
    expect(problems('a: 1\nb: *c\n')).toEqual([{ line: 2, message: 'The alias refers to nothing.' }]);
  });

  it.each(['{ "a": "hunter2', 'a: [hunter2', '- hunter2', 'hunter2'])(
    'explains what is wrong with %j without repeating it',
    (source) => {
      const [part] = read(source, 'JSON');

      expect(part?.assignments).toEqual([]);
      expect(part?.problems.length).toBeGreaterThan(0);
      expect(JSON.stringify(part)).not.toContain('hunter2');
    },
  );

  it('returns no lines and no error for an empty text', () => {
    expect([read(''), read('# only words\n'), texts('{}', 'JSON')]).toEqual([[], [], []]);
  });
});
