import { findTablesWithoutOrganization } from './tenant-conditions.ts';

const TENANT_TABLES = new Set(['project', 'parameter', 'value']);
const find = (text: string) => findTablesWithoutOrganization(text, TENANT_TABLES);

describe('the tables of tenants that a statement does not limit to an organization', () => {
  it.each([
    ['a table without a condition', 'select id from project', ['project']],
    ['a table with another condition', 'delete from project where id = $1', ['project']],
    [
      'a joined table',
      'select from project source join parameter target on target.project_id = source.id where source.organization_id = $1',
      ['parameter'],
    ],
    [
      'an update',
      'update value target set text = $2 from parameter source where source.organization_id = $1 and source.id = target.id',
      ['value'],
    ],
    [
      'a query in parentheses',
      'select (select count(*) from project) from value where organization_id = $1',
      ['project'],
    ],
    ['a part of a union', 'select id from project where organization_id = $1 union select id from value', ['value']],
    ['a comparison that is no equality', 'select id from project where organization_id <> $1', ['project']],
    ['a row without the organization', 'insert into project (id) values ($1)', ['project']],
  ])('contain %s', async (_, text, tables) => {
    expect(await find(text)).toEqual(tables);
  });

  it.each([
    ['a condition', 'select id from project where organization_id = $1'],
    ['several organizations', 'select id from project where organization_id = any($1)'],
    ['an alias', 'select source.id from project source where source.organization_id = $1'],
    [
      'a join',
      'select from project source join value target on target.organization_id = source.organization_id where source.organization_id = $1',
    ],
    ['a common column', 'select from project join value using (organization_id) where project.organization_id = $1'],
    ['a row of columns', 'delete from value where (organization_id, id) in (select $1::uuid, $2::uuid)'],
    [
      'the statement around it',
      'select from project source where source.organization_id = $1 and exists (select from value target where target.organization_id = source.organization_id)',
    ],
    ['a query with the name of a table', 'with value as (select 1 as id) select id from value'],
    ['a row with its organization', 'insert into project (organization_id, id) values ($1, $2)'],
    ['a table of the installation', 'select id from person'],
  ])('do not contain a table with %s', async (_, text) => {
    expect(await find(text)).toEqual([]);
  });
});
