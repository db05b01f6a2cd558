import { buildValueType, checkText, EVENT_TYPES, type Rule } from '@strata/domain';
import { samplePlatform } from './platform.ts';
import type { SampleParameter, SamplePlatform, SampleProject } from './shape.ts';

const { environments, types, projects, webhook }: SamplePlatform = samplePlatform;
const listParameters = (project: SampleProject) => Object.entries(project.parameters);
const everyParameter = projects.flatMap((project) =>
  listParameters(project).map(([name, parameter]) => ({ where: `${project.name} ${name}`, name, parameter })),
);

/** The types of the parameters as the core stores them. */
const forest = new Map(
  [
    ...['string', 'integer', 'boolean'].map((name) => ({ id: name, name, parentId: null, rules: [] })),
    ...types.map(({ name, parent, rules }) => ({
      id: name,
      name,
      parentId: parent,
      rules: Object.entries(rules).map(([kind, constraint]) => ({ kind, constraint }) as Rule),
    })),
  ].map((type) => [type.id, type]),
);
const matches = (pattern: string, text: string) => new RegExp(`^(?:${pattern})`).test(text);
const fits = (type: string, text: string) => checkText(buildValueType(forest, type), text, matches).length === 0;

describe('the sample platform', () => {
  it('has at least four programs with forty parameters each, in addition to the shared base', () => {
    const programs = projects.filter(({ dependsOn }) => dependsOn !== null);
    expect(programs.length).toBeGreaterThanOrEqual(4);
    for (const program of programs) {
      expect([program.name, listParameters(program).length >= 40]).toEqual([program.name, true]);
    }
  });

  it('names each environment and project once, parents before children', () => {
    for (const list of [
      environments.map(({ name, parent }) => ({ name, above: parent })),
      projects.map(({ name, dependsOn }) => ({ name, above: dependsOn })),
    ]) {
      const seen = new Set<string>();
      for (const { name, above } of list) {
        expect([name, seen.has(name)]).toEqual([name, false]);
        expect([name, above === null || seen.has(above)]).toEqual([name, true]);
        seen.add(name);
      }
    }
    expect(environments).toContainEqual(expect.objectContaining({ name: 'canary', parent: 'production' }));
    expect(environments).toContainEqual(expect.objectContaining({ name: 'staging', parent: 'default' }));
  });

  it('has names that the API and programs accept', () => {
    const wrong = everyParameter.filter(({ name }) => !/^[A-Za-z][A-Za-z0-9_-]{0,255}$/.test(name));
    expect(wrong.map(({ where }) => where)).toEqual([]);
  });

  it('describes every parameter in one sentence', () => {
    const wrong = everyParameter.filter(({ parameter }) => !/^[^\n]{3,120}\.$/.test(parameter.description));
    expect(wrong.map(({ where }) => where)).toEqual([]);
  });

  it('has values that fit their types, in environments that exist', () => {
    const environmentNames = new Set(environments.map(({ name }) => name));
    const wrong = everyParameter.flatMap(({ where, parameter }) =>
      Object.entries(parameter.values)
        .filter(
          ([environment, value]) =>
            !environmentNames.has(environment) || (value !== null && !fits(parameter.type, value)),
        )
        .map(([environment, value]) => `${where} in ${environment}: ${value}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has its own types with rules, and parameters of each type', () => {
    const used = new Set(everyParameter.map(({ parameter }) => parameter.type));
    expect(types.filter(({ name, rules }) => !used.has(name) || Object.keys(rules).length === 0)).toEqual([]);
    expect(types.length).toBeGreaterThan(0);
  });

  it('never repeats an inherited value', () => {
    const parentOf = new Map(environments.map(({ name, parent }) => [name, parent]));
    const inherited = (parameter: SampleParameter, environment: string): string | null | undefined => {
      const parent = parentOf.get(environment) ?? null;
      if (parent === null) return undefined;
      return parent in parameter.values ? parameter.values[parent] : inherited(parameter, parent);
    };
    const wrong = everyParameter.flatMap(({ where, parameter }) =>
      Object.entries(parameter.values)
        .filter(([environment, value]) => inherited(parameter, environment) === value)
        .map(([environment]) => `${where} in ${environment}`),
    );
    expect(wrong).toEqual([]);
  });

  it('contains no text of a secret', () => {
    const secrets = everyParameter.filter(({ parameter }) => parameter.secret);
    expect(secrets.length).toBeGreaterThanOrEqual(10);
    for (const { where, parameter } of secrets) {
      expect([where, parameter.values]).toEqual([where, {}]);
      expect([where, parameter.randomIn?.length !== 0]).toEqual([where, true]);
    }
  });

  it('hides every password, token and key', () => {
    const frame = /(PASSWORD|SECRET|TOKEN|SECRET_KEY|HMACENCODED|requirepass|primaryauth)$/;
    const open = everyParameter.filter(({ name, parameter }) => frame.test(name) && !parameter.secret);
    expect(open.map(({ where }) => where)).toEqual([]);
  });

  it('overrides a parameter of the base in a program', () => {
    const [base, ...programs] = projects;
    const shared = programs.flatMap((program) =>
      Object.keys(program.parameters).filter((name) => base !== undefined && name in base.parameters),
    );
    expect(shared).toContain('SMTP_FROM');
  });

  it('shows every kind of value: literal, null, secret, dynamic, and overridden by a closer environment', () => {
    const values = everyParameter.flatMap(({ parameter }) => Object.values(parameter.values));
    expect(values).toContain(null);
    expect(everyParameter.some(({ parameter }) => parameter.secret)).toBe(true);
    const dynamic = everyParameter.filter(({ parameter }) => parameter.interpolated);
    expect(dynamic.map(({ where }) => where)).toEqual(['postgresql DATABASE_URL']);
    const [base, postgresql] = projects.map(({ parameters }) => parameters.BACKUP_RETENTION_DAYS?.values);
    expect([Object.keys(base ?? {}), Object.keys(postgresql ?? {})]).toEqual([['default', 'production'], ['default']]);
  });

  it('has a webhook for all twelve event types', () => {
    expect([...(webhook?.eventTypes ?? [])].sort()).toEqual([...EVENT_TYPES].sort());
    expect(webhook?.channel).toBe('#config-changes');
  });
});
