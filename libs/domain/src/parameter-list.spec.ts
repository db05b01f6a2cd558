import fc from 'fast-check';
import { nameList } from './name-list.ts';
import { parameterList } from './parameter-list.ts';
import { NO_SCOPES, type Permissions } from './scope.ts';

const EVERYWHERE: Permissions = { role: 'CONTRIB', scopes: NO_SCOPES };
const NOT_IN_P: Permissions = { role: 'CONTRIB', scopes: new Map([['p', null]]) };
const parameter = (name: string, projectId = 'p') => ({ name, projectId, project: `project ${projectId}` });

describe('nameList', () => {
  it('lists a few names completely, and otherwise says how many more there are', () => {
    fc.assert(
      fc.property(fc.nat({ max: 60 }), (count) => {
        const names = Array.from({ length: count }, (_, index) => `n${index}`);
        const { message, params } = nameList(names);
        const [shown = '', more] = message.split(' and ');
        const listed = shown === '' ? [] : shown.split(', ');
        expect(listed).toHaveLength(Math.min(count, 20));
        expect(more).toBe(count > 20 ? `${count - 20} more` : undefined);
        expect(params).toEqual({ names: listed, ...(count > 20 && { more: count - 20 }) });
      }),
    );
  });
});

describe('parameterList', () => {
  it.each`
    parameters                                    | expected
    ${[]}                                         | ${''}
    ${[parameter('b'), parameter('a')]}           | ${'a, b'}
    ${[parameter('a', 'q'), parameter('a', 'p')]} | ${'a (in project p), a (in project q)'}
    ${[parameter('a', 'q'), parameter('b', 'p')]} | ${'a, b'}
  `('sorts by name and adds the project to names that occur twice: $expected', ({ parameters, expected }) => {
    expect(parameterList(EVERYWHERE, parameters).message).toBe(expected);
  });

  it('counts the parameters of forbidden projects without naming them', () => {
    const list = (...parameters: ReturnType<typeof parameter>[]) => parameterList(NOT_IN_P, parameters);
    expect(list(parameter('a', 'q'), parameter('b'), parameter('c'))).toEqual({
      message: 'a, and 2 in projects that you have no access to',
      params: { names: ['a'], hidden: 2 },
    });
    expect(list(parameter('b')).message).toBe('1 in projects that you have no access to');
    expect(list(parameter('a', 'q'), parameter('a')).message).toBe('a, and 1 in projects that you have no access to');
  });
});
