import fc from 'fast-check';
import { BASE_TYPES } from './base-type.ts';
import {
  constraintProblem,
  duplicateRuleError,
  findContradiction,
  illegalKindMessage,
  isLegal,
  loosenedRule,
  type OwnedRule,
} from './rule.ts';
import { RULE_KINDS, type RuleKind } from './rule-kind.ts';
import { sentence } from './sentence.ts';

const rule = (kind: RuleKind, constraint: string) => ({ kind, constraint });
const owned = (kind: RuleKind, constraint: string): OwnedRule => ({ kind, constraint, owner: 'type parent' });

describe('a kind of rule', () => {
  it('applies to the bases that behaviour.md §8.2 lists and to no others', () => {
    const legal = BASE_TYPES.flatMap((base) =>
      RULE_KINDS.filter((kind) => isLegal(kind, base)).map((kind) => `${base} ${kind}`),
    );
    expect(legal.sort()).toEqual(['integer max', 'integer min', 'string max_len', 'string min_len', 'string regex']);
  });

  it('is rejected with a message that names it and the declared type', () => {
    expect(illegalKindMessage('min_len', 'integer', 'port_t').message).toMatch(/min_len.*port_t/);
    expect(illegalKindMessage('regex', 'boolean', 'flag_t').message).toMatch(/regex.*flag_t.*cannot have rules/);
  });

  it('exists once per owner', () => {
    expect(duplicateRuleError('min', 'type port_t')).toMatchObject({
      code: 'duplicate_rule',
      problems: [{ field: 'type', message: expect.stringMatching(/min of type port_t already/) }],
    });
  });
});

describe('a constraint', () => {
  const problem = (kind: RuleKind, constraint: string) =>
    constraintProblem({ kind, constraint }, (pattern) => (pattern === '(' ? sentence`Not a pattern.` : null))
      ?.message ?? null;

  it.each`
    kind         | good                                        | bad
    ${'min'}     | ${['0', '-7', '+7', '007', '9'.repeat(99)]} | ${['', 'x', '1.5', '1e3', ' 1', '--1']}
    ${'max'}     | ${['0', '-7', '+7', '007', '9'.repeat(99)]} | ${['', 'x', '1.5', '1e3', ' 1', '--1']}
    ${'min_len'} | ${['0', '-0', '7', '+7', '9'.repeat(99)]}   | ${['', '-1', 'x', '1.5', '1 ']}
    ${'max_len'} | ${['0', '-0', '7', '+7', '9'.repeat(99)]}   | ${['', '-1', 'x', '1.5', '1 ']}
    ${'regex'}   | ${['', 'a', '-1']}                          | ${['(']}
  `('of kind $kind is validated', ({ kind, good, bad }) => {
    for (const constraint of good)
      expect({ constraint, problem: problem(kind, constraint) }).toMatchObject({ problem: null });
    for (const constraint of bad)
      expect({ constraint, problem: problem(kind, constraint) }).toMatchObject({ problem: expect.any(String) });
  });
});

describe('rules of one object', () => {
  it.each`
    written      | constraint | beside       | its     | crosses
    ${'max'}     | ${'4'}     | ${'min'}     | ${'5'}  | ${true}
    ${'max'}     | ${'5'}     | ${'min'}     | ${'5'}  | ${false}
    ${'min'}     | ${'6'}     | ${'max'}     | ${'5'}  | ${true}
    ${'min'}     | ${'-6'}    | ${'max'}     | ${'-5'} | ${false}
    ${'min_len'} | ${'9'}     | ${'max_len'} | ${'8'}  | ${true}
    ${'max_len'} | ${'10'}    | ${'min_len'} | ${'9'}  | ${false}
    ${'regex'}   | ${'a'}     | ${'max_len'} | ${'0'}  | ${false}
  `('$written $constraint beside $beside $its: crossing $crosses', ({ written, constraint, beside, its, crosses }) => {
    const contradiction = findContradiction(rule(written, constraint), [rule('regex', 'x'), rule(beside, its)]);
    expect(contradiction !== null).toBe(crosses);
    if (crosses) expect(contradiction?.message).toMatch(new RegExp(`${constraint}.*${its}|${its}.*${constraint}`));
  });

  it('contradict each other in either order', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), (low, high) => {
        const [min, max] = [rule('min', `${low}`), rule('max', `${high}`)];
        expect(findContradiction(min, [max])).toEqual(findContradiction(max, [min]));
        expect(findContradiction(min, [max]) === null).toBe(low <= high);
      }),
    );
  });
});

describe('a rule of a child type', () => {
  it.each`
    kind         | own      | ancestor | looser
    ${'max'}     | ${'101'} | ${'100'} | ${true}
    ${'max'}     | ${'100'} | ${'100'} | ${false}
    ${'max'}     | ${'80'}  | ${'100'} | ${false}
    ${'min'}     | ${'-2'}  | ${'-1'}  | ${true}
    ${'min'}     | ${'-1'}  | ${'-1'}  | ${false}
    ${'max_len'} | ${'9'}   | ${'8'}   | ${true}
    ${'min_len'} | ${'7'}   | ${'8'}   | ${true}
    ${'regex'}   | ${'.'}   | ${'a'}   | ${false}
  `('$kind $own below $ancestor: looser $looser', ({ kind, own, ancestor, looser }) => {
    const loosened = loosenedRule(rule(kind, own), [owned(kind, ancestor)]);
    expect(loosened !== null).toBe(looser);
    if (looser) expect(loosened?.message).toContain('type parent');
  });

  it('is compared only with rules of its own kind', () => {
    expect(loosenedRule(rule('max', '5'), [owned('min', '7')])).toBeNull();
  });

  it('is compared with every ancestor, not only with the nearest', () => {
    expect(loosenedRule(rule('max', '90'), [owned('max', '100'), owned('max', '80')])).toMatchObject({
      params: { rule: 'max', limit: '90', other_limit: '80', owner: 'type parent' },
    });
  });
});
