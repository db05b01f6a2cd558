import { builtInRules, valueRulesOf } from './value-rules.ts';

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
const rulesOf = (name: string) => valueRulesOf({ types: TYPES, type: name, matches });

describe('the rules for the values of a type', () => {
  it('report what is wrong with a text', () => {
    expect(rulesOf('port')?.problemsOf('70000')).toEqual(['The value must be at most 65535 (rule max of type port).']);
    expect(rulesOf('port')?.problemsOf('many')).toHaveLength(1);
    expect(rulesOf('port')?.problemsOf('80')).toEqual([]);
    expect(builtInRules('integer')?.problemsOf('many')).toHaveLength(1);
  });

  it('offer the values that a pattern lists, and only valid ones', () => {
    expect(rulesOf('level')?.listed).toEqual(['debug', 'info', 'warn']);
    const parameter = { name: 'LEVEL', rules: [{ kind: 'min_len', constraint: '5' } as const] };
    expect(valueRulesOf({ types: TYPES, type: 'level', parameter, matches })?.listed).toEqual(['debug']);
    expect(rulesOf('flag')).toMatchObject({ base: 'boolean', listed: ['true', 'false'] });
    expect(rulesOf('string')?.listed).toEqual([]);
  });

  it('are unknown for a deleted type', () => {
    expect(rulesOf('gone')).toBeNull();
    expect(builtInRules('port')).toBeUndefined();
  });
});
