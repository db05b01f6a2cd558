import fc from 'fast-check';
import { renderResource } from './push.ts';
import { closeScopes, type PushKeySource, sharedKeys } from './push-overlap.ts';

const scope = (project: string, parameters: readonly string[], environment = 'production') => ({
  project,
  environment,
  tag: 'stable',
  parameters,
});
const source = (resource: string, ...scopes: PushKeySource['scopes']): PushKeySource => ({
  resource,
  push: 'p',
  scopes,
});
const asKey = (name: string) => name.toLowerCase().replace(/_/g, '-');

function findSharedKey(left: PushKeySource, right: PushKeySource): string | null {
  const scopes = closeScopes(left, asKey)(right);
  return sharedKeys(left, asKey, 100)({ ...right, scopes });
}

describe('the key that two pushes share', () => {
  it.each`
    case                                | left                                                           | right                                                                  | key
    ${'the same project and resource'}  | ${source('/{{ parameter }}', scope('shop', ['A']))}            | ${source('/{{ parameter }}', scope('shop', ['A']))}                    | ${'/a'}
    ${'another parameter'}              | ${source('/{{ parameter }}', scope('shop', ['A']))}            | ${source('/{{ parameter }}', scope('web', ['B']))}                     | ${null}
    ${'another project in the key'}     | ${source('/{{project}}/{{parameter}}', scope('x', ['A']))}     | ${source('/{{ project }}/{{parameter}}', scope('y', ['A']))}           | ${null}
    ${'a start that another one has'}   | ${source('/{{parameter}}', scope('x', ['a_b']))}               | ${source('/a-{{ parameter }}', scope('y', ['B']))}                     | ${'/a-b'}
    ${'names that the store equates'}   | ${source('{{ parameter }}', scope('x', ['DB_HOST']))}          | ${source('{{ parameter }}', scope('y', ['db-host']))}                  | ${'db-host'}
    ${'no project'}                     | ${source('/{{ parameter }}')}                                  | ${source('/{{ parameter }}', scope('y', ['A']))}                       | ${null}
    ${'another environment in the key'} | ${source('/{{environment}}-{{parameter}}', scope('x', ['A']))} | ${source('/{{environment}}-{{parameter}}', scope('x', ['A'], 'test'))} | ${null}
  `('of $case is $key', ({ left, right, key }) => {
    expect(findSharedKey(left, right)).toBe(key);
    expect(findSharedKey(right, left)).toBe(key);
  });

  it('is found if and only if the lists of all keys have a common one', () => {
    const name = fc.constantFrom('a', 'ab', 'b', 'A_b', 'x-a');
    const resource = fc
      .array(fc.constantFrom('/', 'a', '-', '{{ project }}', '{{environment}}', '{{ push }}'), { maxLength: 3 })
      .chain((start) => fc.constantFrom('', 'b').map((end) => `${start.join('')}{{ parameter }}${end}`));
    const scopes = fc.array(
      fc.record({ project: name, environment: name, tag: name, parameters: fc.array(name, { maxLength: 3 }) }),
      { maxLength: 3 },
    );
    const push = fc.record({ resource, push: name, scopes });
    const keys = ({ resource: text, push: pushName, scopes: all }: PushKeySource) =>
      all.flatMap(({ parameters, ...names }) =>
        parameters.map((parameter) => asKey(renderResource(text, { ...names, push: pushName, parameter }))),
      );
    fc.assert(
      fc.property(push, push, (left, right) => {
        const common = keys(left).filter((key) => keys(right).includes(key));
        const shared = findSharedKey(left, right);
        if (shared === null) expect(common).toEqual([]);
        else expect(common).toContain(shared);
      }),
      { numRuns: 500 },
    );
  });

  it('is searched among a limited number of keys', () => {
    const left = source('/{{ parameter }}', scope('shop', ['A']));
    const others = [source('/{{ parameter }}', scope('web', ['B', 'C'])), left];

    expect(others.map(sharedKeys(left, asKey, 3))).toEqual([null, '/a']);
    expect(others.map(sharedKeys(left, asKey, 2))).toEqual([null, null]);
  });
});
