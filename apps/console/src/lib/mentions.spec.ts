import { completionsFor, findUnknownNames, type ReferableNames } from './mentions.ts';

const WEB: ReferableNames = {
  parameters: new Map([
    ['HOST', { secret: false, projectName: 'web' }],
    ['TOKEN', { secret: true, projectName: 'base' }],
    ['a b', { secret: false, projectName: 'web' }],
  ]),
  templates: new Set(['head', 'page']),
  projects: new Set(['web', 'base']),
};
const wrong = (text: string) => findUnknownNames(text, WEB, 'web').map(({ from, to }) => text.slice(from, to));

describe('a reference in a template', () => {
  it.each([
    ['{{ HOST }} {{TOKEN|upcase}} {{- strata.parameters["a b"] }} {{ strata.templates.head }}', []],
    ['{{ NOPE }}', ['NOPE']],
    ['{{ strata.parameters.NOPE | upcase }}', ['strata.parameters.NOPE']],
    ['{{ strata.templates["foot"] }}', ['strata.templates["foot"]']],
    ['{{ strata.projects.nowhere.parameters.X }}', ['strata.projects.nowhere.parameters.X']],
    ['{{ strata.projects.base.parameters.X }}', []],
    ['{{ strata.environments }}', ['strata.environments']],
    ['{{ "text" }} {{ 3 }} {{ nil }} {{ strata.environment }}', []],
    ['{% assign x = HOST %}{{ x }}{% for p in strata.parameters %}{{ p[0] }} {{ forloop.index }}{% endfor %}', []],
    ['{% raw %}{{ NOPE }}{% endraw %}{% comment %}{{ NOPE }}{% endcomment %}{{ MISSING }}', ['MISSING']],
    ['{{', []],
    ['{{ NOPE', []],
  ])('is found without evaluating the template: %s', (text, expected) => {
    expect(wrong(text)).toEqual(expected);
  });

  it('is reported with the reason', () => {
    expect(findUnknownNames('{{ NOPE }}', WEB, 'web')).toEqual([
      { from: 3, to: 7, message: 'web has no own or inherited parameter named NOPE.' },
    ]);
  });

  it('is offered as a completion, except the template itself', () => {
    expect(
      completionsFor(WEB, 'web', { kind: 'template', name: 'page' }).map(({ label, detail }) => [label, detail]),
    ).toEqual([
      ['HOST', ''],
      ['TOKEN', 'from base, secret'],
      ['strata.parameters["a b"]', ''],
      ['strata.templates.head', 'template'],
      ['strata.environment', 'environment name'],
      ['strata.project', 'project name'],
      ['strata.self', 'template name'],
      ['strata.projects.base.parameters', 'from another project'],
    ]);
  });

  it('that is offered is never reported as missing', () => {
    const text = completionsFor(WEB, 'web', { kind: 'template', name: 'page' })
      .map(({ label }) => `{{ ${label} }}`)
      .join('\n');

    expect(wrong(text)).toEqual([]);
  });
});
