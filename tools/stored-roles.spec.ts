import { describeUnexpectedDecisions, roleDecisions } from './stored-roles.ts';

describe('the check of decisions by roles', () => {
  it.each`
    what                              | content
    ${'the role of a row'}            | ${"if (row.role === 'OWNER') remove();"}
    ${'the role of a member'}         | ${"return member.role !== 'VIEWER' && member.isActive;"}
    ${'the role of the caller'}       | ${"const may = caller.role === 'ADMIN';"}
    ${'a role in a list'}             | ${"if (['ADMIN', 'OWNER'].includes(found.role)) return;"}
    ${'the position of a role'}       | ${'if (ROLES.indexOf(row.role) > 1) return;'}
    ${'a switch'}                     | ${"switch (row.user.role) { case 'OWNER': remove(); }"}
    ${'a function that takes a role'} | ${"if (!roleIncludes(row.role, 'change_organization')) throw forbidden();"}
    ${'a condition in SQL'}           | ${"em.query(`select 1 from membership member where member.role = 'OWNER'`);"}
    ${'a list of roles in SQL'}       | ${"const sql = `case when m.role in ('ADMIN', 'OWNER') then 1 end`;"}
    ${'a choice in SQL'}              | ${"const sql = `case m.role when 'OWNER' then true end`;"}
    ${'an order of roles in SQL'}     | ${"const sql = `order by array_position('{OWNER,ADMIN}', a.role) limit 1`;"}
  `('reports $what', ({ content }) => {
    expect(roleDecisions('a.ts', content).length).toBeGreaterThan(0);
  });

  it.each`
    what                             | content
    ${'permissions'}                 | ${"if (!can(caller, 'change_organization')) throw forbidden();"}
    ${'a missing role'}              | ${'const name = row.role === null ? none : word(row.role);'}
    ${'an assignment in SQL'}        | ${'em.query(`update membership set role = $3 where id = $1`);'}
    ${'the role of a connection'}    | ${'const options = `-c role=` + name;'}
    ${'a role that is only shown'}   | ${'return { id: row.id, role: row.role };'}
    ${'roles of elements of a page'} | ${'document.querySelector(\'[role="grid"]\');'}
    ${'a sentence'}                  | ${'const text = `Your role is OWNER. The role in the organization decides.`;'}
  `('accepts $what', ({ content }) => {
    expect(roleDecisions('a.ts', content)).toEqual([]);
  });

  it('reports a planted decision, a removed one and a file that does not exist', () => {
    const planted = "if (!roleIncludes(row.role, 'change_organization')) throw Failure.forbidden();";
    const files = new Map([
      ['new.ts', planted],
      ['old.ts', 'return 1;'],
      ['same.ts', "if (role === 'VIEWER') return;"],
    ]);
    const accepted = { 'old.ts': [1, 'x'], 'same.ts': [1, 'x'], 'gone.ts': [1, 'x'] } as const;

    expect(describeUnexpectedDecisions(files, accepted)).toEqual([
      expect.stringContaining(`new.ts:1 roleIncludes(row.role, 'change_organization')`),
      expect.stringContaining('old.ts compares roles 0 times, expected 1'),
      expect.stringContaining('gone.ts does not exist'),
    ]);
  });
});
