import fc from 'fast-check';
import { PROGRAM_KINDS, PROGRAMS, resourceName } from './programs.ts';

const scopeNamed = (project: string, environment: string) => ({
  project: { id: 'p1', name: project },
  environment,
  apiUrl: 'https://strata.example.com/api/v1',
});

describe('the texts that connect a program', () => {
  it.each(PROGRAM_KINDS)('name the project, the environment and no credential: %s', (kind) => {
    const texts = PROGRAMS[kind].texts(scopeNamed('web', 'production')).map(({ text }) => text);

    expect(texts.join('\n')).toMatch(/production/);
    expect(texts.join('\n')).toMatch(/web|p1/);
    expect(texts.join('\n').replaceAll(/STRATA_API_KEY="\$KEY"|\$KEY|process\.env\.KEY/g, '')).not.toMatch(
      /KEY|sk-|apikey=/,
    );
  });

  it('quote names for the language of the program', () => {
    const scope = scopeNamed(`a"b`, `c/d`);

    expect(PROGRAMS.sdk.texts(scope)[1]?.text).toContain(String.raw`project: "a\"b"`);
    expect(PROGRAMS.openfeature.texts(scope)[1]?.text).toContain('/api/v1/projects/a%22b/environments/c%2Fd"');
  });

  it('use names that Kubernetes accepts', () => {
    expect(resourceName('MyFirst Project-production')).toBe('myfirst-project-production');
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(resourceName(name)).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
      }),
    );
  });
});
