import { isKnownScheme, isWithin, parseFqn } from './fqn.ts';
import { type PushPlan, pushProblems } from './push.ts';

const plan = (input: Partial<PushPlan> = {}): PushPlan => ({
  resource: '/{{ environment }}/{{project}}/{{ parameter }}',
  includes: { parameters: true, secrets: false, templates: false },
  projects: 2,
  tagEnvironments: ['e1', 'e2'],
  ...input,
});

describe('pushProblems', () => {
  it.each`
    why                                  | input                                                                             | found
    ${'has a location per object'}       | ${{}}                                                                             | ${[]}
    ${'has one project and environment'} | ${{ resource: '{{parameter}}', projects: 1, tagEnvironments: ['e1'] }}            | ${[]}
    ${'has no location per parameter'}   | ${{ resource: null, projects: 1, tagEnvironments: [] }}                           | ${['push_resource']}
    ${'has no location per project'}     | ${{ resource: '{{environment}}{{parameter}}' }}                                   | ${['push_resource']}
    ${'has no location per environment'} | ${{ resource: '{{project}}{{parameter}}' }}                                       | ${['push_resource']}
    ${'has two tags of one environment'} | ${{ tagEnvironments: ['e1', 'e1'] }}                                              | ${['push_several_tags']}
    ${'has two tags with {{tag}}'}       | ${{ tagEnvironments: ['e1', 'e1'], resource: '{{tag}}{{project}}{{parameter}}' }} | ${[]}
    ${'includes nothing'}                | ${{ includes: { parameters: false, secrets: false, templates: false } }}          | ${['push_includes_nothing']}
    ${'has an unknown placeholder'}      | ${{ resource: '{{environment}}{{project}}{{parameter}}{{value}}' }}               | ${['push_resource']}
  `('reports a push that $why', ({ input, found }) => {
    expect(pushProblems(plan(input)).map(({ code }) => code)).toEqual(found);
  });
});

describe('parseFqn', () => {
  it.each`
    text                            | location
    ${'github://org/repo/main/a b'} | ${null}
    ${'github://org/repo/main/x'}   | ${{ scheme: 'github', authority: 'org', path: 'repo/main/x' }}
    ${'AWS://123/role'}             | ${{ scheme: 'aws', authority: '123', path: 'role' }}
    ${'github://org'}               | ${{ scheme: 'github', authority: 'org', path: '' }}
    ${'github:org'}                 | ${null}
    ${'://org'}                     | ${null}
    ${''}                           | ${null}
  `('parses $text', ({ text, location }) => {
    expect(parseFqn(text)).toEqual(location);
  });

  it('matches an integration at its location or below it, by whole segments only', () => {
    expect(isWithin('aws://1/role/s3/x', 'aws://1/role')).toBe(true);
    expect(isWithin('aws://1/role/', 'aws://1/role')).toBe(true);
    expect(isWithin('aws://1/role2', 'aws://1/role')).toBe(false);
    expect(isKnownScheme('github')).toBe(true);
    expect(isKnownScheme('ftp')).toBe(false);
  });
});
