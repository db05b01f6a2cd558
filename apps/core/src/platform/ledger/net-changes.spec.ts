import type { AuditAction, ObjectType } from '@strata/domain';
import { reduceToNetChanges } from './net-changes.ts';
import { objectChange } from './object-change.ts';

const P = { id: 'p', name: 'web' };
const change = (action: AuditAction, type: ObjectType, id: string, name = id, project = P) =>
  objectChange(action, type, { id, name }, type === 'Project' ? {} : { project });

const summarize = (changes: Parameters<typeof reduceToNetChanges>[0]) =>
  reduceToNetChanges(changes).map(({ action, objectType, object, project, eventType }) =>
    [action, objectType, object.name, project?.name, eventType].join(' '),
  );

it.each`
  done                                        | comesTo
  ${['create', 'update']}                     | ${['create Parameter x web parameter_created']}
  ${['update', 'update']}                     | ${['update Parameter x web parameter_updated']}
  ${['update', 'delete']}                     | ${['delete Parameter x web parameter_deleted']}
  ${['create', 'delete']}                     | ${[]}
  ${['create', 'update', 'delete']}           | ${[]}
  ${['delete', 'create']}                     | ${['update Parameter x web parameter_updated']}
  ${['create', 'delete', 'create', 'update']} | ${['create Parameter x web parameter_created']}
`('combines $done of one object to $comesTo', ({ done, comesTo }) => {
  expect(summarize(done.map((action: AuditAction) => change(action, 'Parameter', 'x')))).toEqual(comesTo);
});

it('keeps the order in which objects were first changed', () => {
  const changes = [
    change('update', 'Parameter', 'b'),
    change('create', 'Parameter', 'a'),
    change('update', 'Parameter', 'b'),
  ];
  expect(reduceToNetChanges(changes).map(({ object }) => object.id)).toEqual(['b', 'a']);
});

it('uses the final name of each scope', () => {
  const changes = [
    change('update', 'Template', 't'),
    change('update', 'Project', 'p', 'shop'),
    change('create', 'Parameter', 'x', 'x', { id: 'p', name: 'shop' }),
  ];
  expect(summarize(changes)).toEqual([
    'update Template t shop ',
    'update Project shop shop project_updated',
    'create Parameter x shop parameter_created',
  ]);
});

it('keeps the event of a value that was set to the same text and then to another one', () => {
  const silent = { ...change('update', 'Value', 'v'), eventType: null };
  expect(reduceToNetChanges([change('update', 'Value', 'v'), silent]).map(({ eventType }) => eventType)).toEqual([
    'value_updated',
  ]);
  expect(reduceToNetChanges([silent, change('update', 'Value', 'v')]).map(({ eventType }) => eventType)).toEqual([
    'value_updated',
  ]);
});
