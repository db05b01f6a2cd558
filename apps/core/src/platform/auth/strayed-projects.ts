import { type PointInTime, rowsAt } from '../database/versioned-table.ts';

/**
 * What project $3 depended on at a point in time, and does not any more: nobody who lets others into the project now
 * has that in mind, so its own access decides.
 */
export function strayedFrom(at: PointInTime): string {
  if (at === 'now') return 'select null::uuid as id where false';
  const chain = (project: string, from: string) => `
      select p.id, p.depends_on_id from ${project} p where p.id = $3::uuid
      union
      select p.id, p.depends_on_id from ${from} c join ${project} p on p.id = c.depends_on_id`;
  return `
    with recursive past as (${chain(rowsAt('project', at), 'past')}),
    present as (${chain(rowsAt('project', 'now'), 'present')})
    select id from past where id not in (select id from present)`;
}
