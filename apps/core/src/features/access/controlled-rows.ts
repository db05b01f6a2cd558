/**
 * Rows of projects or environments, each with whether it is under access control and the role that a member was
 * granted on it, directly or by a group. $5 is the membership (`values` of the page query). One small table joined
 * once, so that rows cost nothing where nothing is controlled.
 */
export function controlledRows(rows: string, noun: 'project' | 'environment'): string {
  return `(select t.*, c.id is not null as access_controlled, c.role from ${rows} t
    left join (
      select a.${noun}_id as id,
             (array_agg(a.role order by array_position('{OWNER,ADMIN,CONTRIB,VIEWER}', a.role))
                filter (where a.membership_id = $5::uuid or s.membership_id is not null))[1] as role
        from access_grant a
        left join group_member s
          on s.organization_id = a.organization_id and s.group_id = a.group_id and s.membership_id = $5::uuid
       where a.organization_id = $1 and a.${noun}_id is not null group by 1) c on c.id = t.id)`;
}
