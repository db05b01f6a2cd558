import { findReservedWords } from './reserved-words.ts';

describe('the reserved words of a text', () => {
  it.each`
    text                                                                  | words
    ${'{{ PW }} in strata'}                                               | ${[]}
    ${'{{ strata.parameters["PW"] }}{{ cloudtruth.templates.t }}'}        | ${[]}
    ${'{{ strata.projects.p.parameters.environment }}'}                   | ${[]}
    ${'{{ strata.environment }}'}                                         | ${['environment']}
    ${'{{ strata["environment"] }}'}                                      | ${['environment']}
    ${'{{ cloudtruth.project }} and {{ strata.self }}'}                   | ${['project', 'self']}
    ${'{% for p in strata.parameters %}{{ p[0] }}{% endfor %}'}           | ${[]}
    ${'{{ strata.parameters.PW | append: strata.self }}'}                 | ${['self']}
    ${'{% if strata . environment == "production" %}{{ PW }}{% endif %}'} | ${['environment']}
    ${"{{ cloudtruth [ 'project' ] | upcase }}"}                          | ${['project']}
    ${String.raw`{{ strata["\u0065nvironment"] | upcase }}`}              | ${['environment', 'project', 'self']}
    ${'{% assign strata = "x" %}{{ PW }}'}                                | ${['environment', 'project', 'self']}
  `('$text: $words', ({ text, words }) => {
    expect([...findReservedWords(text)].sort()).toEqual(words);
  });
});
