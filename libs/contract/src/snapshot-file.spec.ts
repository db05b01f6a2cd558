import { parseSnapshotFile } from './snapshot-file.ts';

const fileWithMaximum = (constraint: string) =>
  `{"environments": {}, "projects": {}, "types": {"id": {"name": "id", "parent": "integer", "rules": {"max": {"rule_type": "max", "constraint": ${constraint}}}}}}`;
const maximumIn = (file: string) => parseSnapshotFile(file).snapshot?.types?.id?.rules?.max?.constraint;

test.each([
  ['a number that no double represents', '123456789012345678', '123456789012345678'],
  ['a number with more digits than any integer type', `-${'9'.repeat(60)}`, `-${'9'.repeat(60)}`],
  ['a small number', '65535', '65535'],
  ['a text', '"123456789012345678"', '123456789012345678'],
])('keeps the digits of a constraint that is %s', (_, written, expected) => {
  expect(maximumIn(fileWithMaximum(written))).toBe(expected);
});

describe('in a browser that does not provide the text of numbers', () => {
  const { parse } = JSON;
  beforeEach(() => {
    JSON.parse = (text, reviver) => parse(text, reviver && ((key, value) => reviver(key, value)));
  });
  afterEach(() => {
    JSON.parse = parse;
  });

  test('keeps the digits of a constraint, or rejects the file and names the member', () => {
    expect(maximumIn(fileWithMaximum('65535'))).toBe('65535');
    expect(parseSnapshotFile(fileWithMaximum('123456789012345678')).problem).toBe(
      'The file is not a snapshot: `types.id.rules.max.constraint` has a value that is not supported.',
    );
  });
});
