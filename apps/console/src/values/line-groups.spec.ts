import { inGroups, type ValueLine } from './line-groups.ts';

const line = (name: string, projectId: string): ValueLine =>
  ({ parameter: { name, projectId, projectName: projectId }, cells: [] }) as unknown as ValueLine;

it('parameters of the project itself come before those that it has from others', () => {
  const lines = [line('A', 'base'), line('B', 'web'), line('C', 'base'), line('D', 'ground'), line('E', 'web')];

  const groups = inGroups(lines, 'web').map((group) => [
    group.projectName,
    group.lines.map(({ parameter }) => parameter.name).join(''),
  ]);

  expect(groups).toEqual([
    ['web', 'BE'],
    ['base', 'AC'],
    ['ground', 'D'],
  ]);
});
