// A project with 10,000 parameters in 30 environments, for measurements of searches and of the console.
import { plant } from './size.mjs';

export const SEARCHED_PARAMETERS = 10_000;
export const SEARCHED_ENVIRONMENTS = 30;
export const SEARCHED_PROJECT = 'searched';

const ENVIRONMENTS = `
insert into environment (organization_id, id, name, parent_id)
select $1, md5('environment ' || n)::uuid, 'searched-' || n,
       (select id from environment where organization_id = $1 and parent_id is null)
  from generate_series(1, ${SEARCHED_ENVIRONMENTS}) as n`;

const PROJECT = `
insert into project (organization_id, id, name) values ($1, md5('searched')::uuid, '${SEARCHED_PROJECT}')`;

const PARAMETERS = `
insert into parameter (organization_id, id, project_id, name, type_id)
select $1, md5('parameter ' || n)::uuid, md5('searched')::uuid, 'SETTING_' || n,
       (select id from parameter_type where organization_id = $1 and name = 'string')
  from generate_series(1, ${SEARCHED_PARAMETERS}) as n`;

const VALUES = `
insert into value (organization_id, id, parameter_id, environment_id, text)
select $1, md5('value ' || n || '.' || e)::uuid, md5('parameter ' || n)::uuid, md5('environment ' || e)::uuid,
       'https://service-' || n || '.internal/v' || e
  from generate_series(1, ${SEARCHED_PARAMETERS}) as n, generate_series(1, ${SEARCHED_ENVIRONMENTS}) as e`;

/** Inserts the project, and updates the statistics of the database. */
export async function plantSearched(database) {
  await plant(database, [[ENVIRONMENTS], [PROJECT], [PARAMETERS], [VALUES]]);
  await database.query('vacuum analyze');
}

/** Statements that find the same as a search of names, and of values. */
export const NAMES_SEARCH = `
select p.name from parameter p where p.name ilike $1 or p.description ilike $1 order by p.name collate human limit 50`;

export const VALUES_SEARCH = `
select p.name, count(*) from value v join parameter p on p.organization_id = v.organization_id and p.id = v.parameter_id
 where p.name ilike $1 or v.text ilike $1 group by p.name order by p.name limit 50`;
