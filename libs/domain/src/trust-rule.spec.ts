import fc from 'fast-check';
import {
  acceptsWorkload,
  matchesSubject,
  subjectProblem,
  trustRuleAdvice,
  validateTrustRule,
  type WorkloadTrust,
} from './trust-rule.ts';

const GITHUB = 'https://token.actions.githubusercontent.com';
const GITLAB = 'https://gitlab.com';
const CLUSTER = 'https://cluster.example';

describe('a pattern of subjects', () => {
  it.each`
    pattern                                | subject                                   | matches
    ${'repo:octo/app:ref:refs/heads/main'} | ${'repo:octo/app:ref:refs/heads/main'}    | ${true}
    ${'repo:octo/app:ref:refs/heads/main'} | ${'repo:octo/app:ref:refs/heads/Main'}    | ${false}
    ${'repo:octo/app:ref:refs/heads/main'} | ${'repo:octo/app:ref:refs/heads/main2'}   | ${false}
    ${'repo:octo/app:ref:refs/heads/main'} | ${'xrepo:octo/app:ref:refs/heads/main'}   | ${false}
    ${'repo:octo/app:ref:refs/heads/*'}    | ${'repo:octo/app:ref:refs/heads/v1.2'}    | ${true}
    ${'repo:octo/app:ref:refs/heads/*'}    | ${'repo:octo/app:ref:refs/heads/a/b'}     | ${false}
    ${'repo:octo/app:*'}                   | ${'repo:octo/app:pull_request'}           | ${true}
    ${'repo:octo/app:*'}                   | ${'repo:octo/app:ref:refs/heads/main'}    | ${false}
    ${'repo:octo/*'}                       | ${'repo:octo/app:pull_request'}           | ${false}
    ${'repo:octo*'}                        | ${'repo:octo/app'}                        | ${false}
    ${'repo:*/app:environment:production'} | ${'repo:octo/app:environment:production'} | ${true}
    ${'system:serviceaccount:prod:*'}      | ${'system:serviceaccount:prod:app'}       | ${true}
    ${'system:serviceaccount:prod:*'}      | ${'system:serviceaccount:prod'}           | ${false}
    ${'system:serviceaccount:*'}           | ${'system:serviceaccount:prod:app'}       | ${false}
    ${'a*'}                                | ${'a'}                                    | ${true}
    ${'a*a'}                               | ${'a'}                                    | ${false}
    ${'a*b*c'}                             | ${'a-b-b-c'}                              | ${true}
    ${'a*bb*b'}                            | ${'abb'}                                  | ${false}
    ${'a.c'}                               | ${'abc'}                                  | ${false}
    ${'a?c'}                               | ${'abc'}                                  | ${false}
    ${'a*'}                                | ${'a\nb'}                                 | ${true}
  `('$pattern accepts $subject: $matches', ({ pattern, subject, matches }) => {
    expect(matchesSubject(pattern, subject)).toBe(matches);
  });

  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '*', '/', ':', '.', '\n'), maxLength: 12 });

  it('accepts the same subjects as an anchored regular expression', () => {
    fc.assert(
      fc.property(texts, texts, (pattern, subject) => {
        const source = pattern.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll('\\*', '[^/:]*');
        expect(matchesSubject(pattern, subject)).toBe(new RegExp(`^${source}$`).test(subject));
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepts any text without separators in place of `*`, and none with another number of separators', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 6 });
    fc.assert(
      fc.property(texts, part, fc.constantFrom('/', ':'), (pattern, filling, separator) => {
        expect(matchesSubject(pattern, pattern.replaceAll('*', filling))).toBe(true);
        expect(matchesSubject(pattern, pattern + separator)).toBe(false);
      }),
    );
  });

  it('is compared in linear time, however many `*` it has', () => {
    expect(matchesSubject(`${'a*'.repeat(128)}b`, 'a'.repeat(1_024))).toBe(false);
  });

  it.each`
    pattern                            | isValid
    ${'repo:octo/app:ref:refs/tags/*'} | ${true}
    ${'spiffe://example.org/ns/*'}     | ${true}
    ${'repo:octo/app:environment:a b'} | ${true}
    ${'*'}                             | ${false}
    ${'**'}                            | ${false}
    ${'*:*'}                           | ${false}
    ${'*/*:*'}                         | ${false}
    ${':'}                             | ${false}
    ${''}                              | ${false}
    ${'repo:octo/**'}                  | ${false}
    ${' repo:octo/app'}                | ${false}
    ${'repo:octo/app\n'}               | ${false}
    ${'repo:octo/\u0000'}              | ${false}
  `('is valid: $pattern, $isValid', ({ pattern, isValid }) => {
    expect(subjectProblem(pattern) === null).toBe(isValid);
  });
});

describe('a trust rule', () => {
  const rule: WorkloadTrust = {
    issuer: GITHUB,
    audience: 'strata',
    subject: 'repo:octo/app:ref:refs/heads/*',
    claims: { repository_id: '74', environment: 'prod' },
  };
  const token = {
    iss: GITHUB,
    aud: 'strata',
    sub: 'repo:octo/app:ref:refs/heads/main',
    repository_id: '74',
    environment: 'prod',
  };

  it.each`
    changed                                                         | accepted
    ${{}}                                                           | ${true}
    ${{ aud: ['other', 'strata'] }}                                 | ${true}
    ${{ repository_id: 74 }}                                        | ${true}
    ${{ iss: `${GITHUB}/` }}                                        | ${false}
    ${{ aud: 'Strata' }}                                            | ${false}
    ${{ aud: 'strata2' }}                                           | ${false}
    ${{ aud: [] }}                                                  | ${false}
    ${{ aud: undefined }}                                           | ${false}
    ${{ aud: [['strata']] }}                                        | ${false}
    ${{ sub: 'repo:octo/app:ref:refs/tags/1' }}                     | ${false}
    ${{ sub: ['repo:octo/app:ref:refs/heads/main'] }}               | ${false}
    ${{ sub: `repo:octo/app:ref:refs/heads/${'x'.repeat(1_024)}` }} | ${false}
    ${{ repository_id: '75' }}                                      | ${false}
    ${{ repository_id: 74.5 }}                                      | ${false}
    ${{ repository_id: ['74'] }}                                    | ${false}
    ${{ repository_id: undefined }}                                 | ${false}
    ${{ environment: null }}                                        | ${false}
    ${{ environment: true }}                                        | ${false}
  `('accepts a token with $changed: $accepted', ({ changed, accepted }) => {
    expect(acceptsWorkload(rule, { ...token, ...changed })).toBe(accepted);
  });

  const ISSUERS = [
    GITHUB,
    GITLAB,
    CLUSTER,
    'https://ghe.example/_services/token',
    'https://token.actions.octo.ghe.com',
  ];
  const pod = { issuer: CLUSTER, audience: 'strata', subject: 'system:serviceaccount:prod:app', claims: {} };
  it.each`
    changed                                                                                                      | fields
    ${{}}                                                                                                        | ${[]}
    ${{ issuer: `${CLUSTER}/` }}                                                                                 | ${['issuer']}
    ${{ issuer: 'https://evil.example' }}                                                                        | ${['issuer']}
    ${{ audience: '*' }}                                                                                         | ${['audience']}
    ${{ subject: '*', audience: 'str*' }}                                                                        | ${['audience', 'subject']}
    ${{ issuer: GITHUB }}                                                                                        | ${['claims']}
    ${{ issuer: GITHUB, claims: { repository: 'octo/app' } }}                                                    | ${['claims']}
    ${{ issuer: GITHUB, claims: { repository_id: '74' } }}                                                       | ${[]}
    ${{ issuer: GITHUB, claims: { repository_owner_id: '65' } }}                                                 | ${[]}
    ${{ issuer: 'https://ghe.example/_services/token' }}                                                         | ${['claims']}
    ${{ issuer: 'https://token.actions.octo.ghe.com' }}                                                          | ${['claims']}
    ${{ issuer: GITLAB, subject: 'project_path:group/app:ref_type:branch:ref:main' }}                            | ${[]}
    ${{ issuer: GITLAB, subject: 'project_path:*/app:ref_type:branch:ref:main' }}                                | ${['claims']}
    ${{ issuer: GITLAB, subject: 'project_path:*/app:ref_type:branch:ref:main', claims: { namespace_id: '7' } }} | ${[]}
  `('with $changed has problems in $fields', ({ changed, fields }) => {
    expect(validateTrustRule({ ...pod, ...changed }, ISSUERS).map(({ field }) => field)).toEqual(fields);
  });

  it('cannot be created if the operator allows no issuer', () => {
    expect(validateTrustRule(pod, [])).toMatchObject([
      { field: 'issuer', message: expect.stringContaining('STRATA_WORKLOAD_ISSUERS') },
    ]);
  });

  it.each`
    subject                                              | claims                 | advice
    ${'project_path:group/app:ref_type:branch:ref:main'} | ${{}}                  | ${/project_id/}
    ${'project_path:group/app:ref_type:branch:ref:main'} | ${{ project_id: '1' }} | ${/^null$/}
    ${'system:serviceaccount:prod:app'}                  | ${{}}                  | ${/^null$/}
    ${'system:serviceaccount:*:app'}                     | ${{}}                  | ${/every namespace/}
    ${'system:serviceaccount:app'}                       | ${{}}                  | ${/NAMESPACE:NAME/}
    ${'repo:octo/app:environment:prod'}                  | ${{}}                  | ${/^null$/}
  `('for $subject with $claims comes with advice', ({ subject, claims, advice }) => {
    expect(String(trustRuleAdvice({ subject, claims }))).toMatch(advice);
  });
});
