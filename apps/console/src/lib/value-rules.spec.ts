import { builtInRules, findValueRules } from './value-rules.ts';

const type = (
  name: string,
  parentId: string | null,
  rules: readonly { kind: 'max' | 'regex'; constraint: string }[],
) => ({
  id: name,
  name,
  parentId,
  description: '',
  ledgerId: '',
  rules: rules.map((rule) => ({ ...rule, id: '', ledgerId: '' })),
});
const TYPES = [
  type('string', null, []),
  type('integer', null, []),
  type('boolean', null, []),
  type('level', 'string', [{ kind: 'regex', constraint: '^(debug|info|warn)$' }]),
  type('port', 'integer', [{ kind: 'max', constraint: '65535' }]),
  type('flag', 'boolean', []),
];
const matches = (pattern: string, text: string) => new RegExp(`^(?:${pattern})`).test(text);
const findRules = (name: string) => findValueRules({ types: TYPES, type: name, matches });

describe('the rules for the values of a type', () => {
  it('report what is wrong with a text', () => {
    expect(findRules('port')?.listProblems('70000')).toEqual([
      'The value must be at most 65535 (rule max of type port).',
    ]);
    expect(findRules('port')?.listProblems('many')).toHaveLength(1);
    expect(findRules('port')?.listProblems('80')).toEqual([]);
    expect(builtInRules('integer')?.listProblems('many')).toHaveLength(1);
  });

  it('offer the values that a pattern lists, and only valid ones', () => {
    expect(findRules('level')?.listed).toEqual(['debug', 'info', 'warn']);
    const parameter = { name: 'LEVEL', rules: [{ kind: 'min_len', constraint: '5' } as const] };
    expect(findValueRules({ types: TYPES, type: 'level', parameter, matches })?.listed).toEqual(['debug']);
    expect(findRules('flag')).toMatchObject({ base: 'boolean', listed: ['true', 'false'] });
    expect(findRules('string')?.listed).toEqual([]);
  });

  it('are unknown for a deleted type', () => {
    expect(findRules('gone')).toBeNull();
    expect(builtInRules('port')).toBeUndefined();
  });
});
