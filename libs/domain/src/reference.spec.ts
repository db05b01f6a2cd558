import fc from 'fast-check';
import {
  bindMentions,
  collectMentions,
  describeMention,
  type Path,
  projectChain,
  type Referable,
} from './reference.ts';

describe('collectMentions', () => {
  it.each<[Path, unknown]>([
    [['host'], { kind: 'parameter', project: null, name: 'host' }],
    [['host', 'size'], { kind: 'parameter', project: null, name: 'host' }],
    [['strata', 'parameters', 'a b'], { kind: 'parameter', project: null, name: 'a b' }],
    [['cloudtruth', 'parameters', 10], { kind: 'parameter', project: null, name: '10' }],
    [['cloudtruth', 'parameters'], { kind: 'parameters', project: null, name: '' }],
    [['cloudtruth', 'parameters', null], { kind: 'parameters', project: null, name: '' }],
    [['cloudtruth', 'templates', 't'], { kind: 'template', project: null, name: 't' }],
    [['cloudtruth', 'projects', 'p', 'parameters', 'x'], { kind: 'parameter', project: 'p', name: 'x' }],
    [['cloudtruth', 'projects', 'p', 'templates', 'x'], { kind: 'template', project: 'p', name: 'x' }],
    [['cloudtruth', 'projects', 'p', 'parameters'], { kind: 'parameters', project: 'p', name: '' }],
  ])('reads %j', (path, mention) => {
    expect(collectMentions([path, path])).toEqual({ mentions: [mention], problems: [] });
  });

  it.each<[Path]>([
    [['strata', 'project']],
    [['strata', 'environment']],
    [['cloudtruth', 'self']],
    [['cloudtruth', 'self', 'size']],
    [[null, 'x']],
    [[]],
  ])('finds nothing to keep in %j', (path) => {
    expect(collectMentions([path])).toEqual({ mentions: [], problems: [] });
  });

  it.each<[Path, RegExp]>([
    [['cloudtruth'], /no text of its own/],
    [['cloudtruth', null], /no text of its own/],
    [['cloudtruth', 'nope'], /cloudtruth\.nope does not exist/],
    [['strata', 'templates'], /strata\.templates\.<name>/],
    [['strata', 'templates', null], /Specify the template/],
    [['strata', 'projects'], /Specify the project/],
    [['strata', 'projects', null, 'parameters', 'x'], /Specify the project/],
    [['strata', 'projects', 'p'], /strata\.projects\.p/],
    [['strata', 'projects', 'p', 'nope'], /strata\.projects\.p\.nope does not exist/],
  ])('reports what is wrong with %j', (path, problem) => {
    expect(collectMentions([path])).toEqual({
      mentions: [],
      problems: [expect.objectContaining({ message: expect.stringMatching(problem) })],
    });
  });
});

const SCOPE: Referable = {
  projects: [
    { id: 'base', name: 'Base', dependsOnId: null },
    { id: 'child', name: 'Child', dependsOnId: 'base' },
    { id: 'other', name: 'Other', dependsOnId: null },
  ],
  parameters: [
    { id: 'base-host', projectId: 'base', name: 'host' },
    { id: 'child-host', projectId: 'child', name: 'host' },
    { id: 'base-port', projectId: 'base', name: 'port' },
  ],
  templates: [
    { id: 'base-t', projectId: 'base', name: 't' },
    { id: 'other-t', projectId: 'other', name: 't' },
  ],
};

describe('bindMentions', () => {
  it.each([
    ['the nearest parameter', 'child', { kind: 'parameter', project: null, name: 'host' }, 'child-host'],
    ['an inherited parameter', 'child', { kind: 'parameter', project: null, name: 'port' }, 'base-port'],
    ['a parameter of another project', 'other', { kind: 'parameter', project: 'Child', name: 'port' }, 'base-port'],
    ['a template of the project', 'base', { kind: 'template', project: null, name: 't' }, 'base-t'],
    ['a template of another project', 'child', { kind: 'template', project: 'Other', name: 't' }, 'other-t'],
    ['all parameters, and no single one', 'child', { kind: 'parameters', project: null, name: '' }, null],
  ] as const)('resolves %s', (_, projectName, mention, targetId) => {
    const { bindings, dangling } = bindMentions(projectName, [mention], SCOPE);
    expect(dangling).toEqual([]);
    expect(bindings).toEqual([expect.objectContaining({ targetId, named: mention.project !== null })]);
  });

  it.each([
    ['an unknown parameter', 'child', { kind: 'parameter', project: null, name: 'nope' }, 'nope'],
    [
      'a parameter of a project below',
      'base',
      { kind: 'parameter', project: 'Other', name: 'host' },
      'projects.Other.parameters.host',
    ],
    ['an inherited template', 'child', { kind: 'template', project: null, name: 't' }, 'templates.t'],
    ['an unknown project', 'child', { kind: 'parameters', project: 'Nope', name: '' }, 'projects.Nope.parameters'],
  ] as const)('does not resolve %s', (_, projectName, mention, description) => {
    expect(bindMentions(projectName, [mention], SCOPE)).toEqual({ bindings: [], dangling: [mention] });
    expect(describeMention(mention)).toBe(description);
  });

  it('resolves or reports every reference once', () => {
    const name = fc.constantFrom('host', 'port', 't', 'nope');
    const mention = fc.record({
      kind: fc.constantFrom('parameter' as const, 'template' as const),
      project: fc.constantFrom(null, 'Base', 'Nope'),
      name,
    });
    fc.assert(
      fc.property(fc.array(mention), fc.constantFrom('base', 'child', 'other'), (mentions, projectName) => {
        const { bindings, dangling } = bindMentions(projectName, mentions, SCOPE);
        expect(bindings.length + dangling.length).toBe(mentions.length);
        for (const { targetId, name: bound } of bindings) {
          const target = [...SCOPE.parameters, ...SCOPE.templates].find(({ id }) => id === targetId);
          expect(target?.name).toBe(bound);
        }
      }),
    );
  });
});

describe('projectChain', () => {
  it('walks to the top, and ends if corrupt data contain a cycle', () => {
    expect(projectChain(SCOPE.projects, 'child')).toEqual(['child', 'base']);
    const circle = [
      { id: 'a', name: 'a', dependsOnId: 'b' },
      { id: 'b', name: 'b', dependsOnId: 'a' },
    ];
    expect(projectChain(circle, 'a')).toEqual(['a', 'b']);
  });
});
