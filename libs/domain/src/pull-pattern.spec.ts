import fc from 'fast-check';
import { createPullPattern, pullPatternProblem } from './pull-pattern.ts';
import { renderResource } from './push.ts';

const SLASHES = '/{{ environment }}/{{ project }}/{{ parameter }}';
const HYPHENS = '{{ environment }}-{{project}}-{{ parameter }}';
const names = (environment: string, project: string, parameter: string) => ({ environment, project, parameter });
const exact = (text: string) => text;
const vault = (text: string) => text.toLowerCase().replace(/[_./]/g, '-');

describe('createPullPattern', () => {
  it.each([
    [SLASHES, exact, '/production/shop/HOST', names('production', 'shop', 'HOST')],
    [SLASHES, exact, '/production/shop/db/HOST', null],
    [SLASHES, exact, '/production/shop/', null],
    [SLASHES, exact, 'production/shop/HOST', null],
    ['app/{{ project }}@{{ parameter }}/{{ environment }}.txt', exact, 'app/a@b/c.txt', names('c', 'a', 'b')],
    ['app/{{ project }}@{{ parameter }}/{{ environment }}.txt', exact, 'app/a@b/c', null],
    [HYPHENS, vault, 'prod-shop-db-host', names('prod', 'shop', 'db-host')],
    [HYPHENS, vault, 'prod-shop', null],
    [HYPHENS, vault, '-shop-db', null],
    [`Strata_${SLASHES}`, vault, 'strata--prod-shop-host', names('prod', 'shop', 'host')],
  ])('reads %s (%#)', (resource, toKey, key, result) => {
    expect(createPullPattern(resource, toKey).match(key)).toEqual(result);
  });

  it('knows the beginning of all keys, as the store keeps it', () => {
    expect(createPullPattern(`App_${HYPHENS}`, vault).prefix).toBe('app-');
    expect(createPullPattern(HYPHENS, exact).prefix).toBe('');
  });

  it('reads back the names that a push writes without slashes', () => {
    const name = fc.stringMatching(/^[\w.-]{1,8}$/);
    fc.assert(
      fc.property(name, name, name, (environment, project, parameter) => {
        const key = renderResource(SLASHES, { environment, project, parameter, push: '', tag: '' });
        expect(createPullPattern(SLASHES, exact).match(key)).toEqual(names(environment, project, parameter));
      }),
    );
  });

  it('matches only keys that its names create', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[ab/-]{0,12}$/),
        fc.constantFrom(SLASHES, HYPHENS, `a${HYPHENS}b`),
        (key, resource) => {
          const match = createPullPattern(resource, exact).match(key);
          if (match) expect(renderResource(resource, { ...match, push: '', tag: '' })).toBe(key);
        },
      ),
    );
  });
});

describe('pullPatternProblem', () => {
  it.each([
    [SLASHES, null],
    [HYPHENS, null],
    [null, 'Insert {{ environment }} once'],
    ['/{{ environment }}/{{ parameter }}', 'Insert {{ project }} once'],
    [`${SLASHES}/{{ project }}`, 'Insert {{ project }} once'],
    [`${SLASHES}/{{ tag }}`, 'There is no {{ tag }}'],
    ['{{ environment }}{{ project }}/{{ parameter }}', 'Write a text between'],
    ['(?P<environment>.*)', 'Insert {{ environment }} once'],
  ])('of %s is %s', (resource, problem) => {
    const message = pullPatternProblem(resource)?.message ?? null;
    expect(message).toEqual(problem === null ? null : expect.stringContaining(problem));
  });

  it('is found at once for a placeholder that does not end', () => {
    const startedAt = performance.now();

    expect(pullPatternProblem(`{{${' '.repeat(1_022)}`)).not.toBeNull();

    expect(performance.now() - startedAt).toBeLessThan(50);
  });
});
