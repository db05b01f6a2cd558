import { type AccessLogAction, formatCount } from '@strata/domain';
import type pg from 'pg';
import { NOTIFY_ALL } from '../notifications/change-notifier.ts';

/**
 * Invalidates all tokens of a person: those of Strata by their version, and those of an external issuer by their time
 * of issue. Sessions have a version, too.
 */
export const END_TOKENS = 'token_version = token_version + 1, tokens_valid_from = clock_timestamp()';

/**
 * Returns SQL that records an action on the people in `changed` in the access log of each of their organizations.
 * `actor` is SQL for the id, name and type of the actor, the interface and the request id.
 */
export const accessLogInsertSql = (action: AccessLogAction, actor: string): string => `
  insert into access_log (organization_id, revision, at, action, object_type, object_id, object_name,
                          actor_id, actor_name, actor_type, surface, request_id)
  select membership.organization_id, head.revision, greatest(clock_timestamp(), head.at), '${action}', 'Membership', membership.id::text,
         coalesce(changed.name, ''), ${actor}
    from changed
    join membership on membership.person_id = changed.id
    join organization_head head on head.organization_id = membership.organization_id`;

const END_ALL = `
with ended as (delete from session returning 1),
     changed as (update person set ${END_TOKENS} where type = 'interactive' returning id, name),
     logged as (${accessLogInsertSql('sign_out_everywhere', `'operator', 'Operator', 'service', 'system', ''`)})
select (select count(*) from ended)::int as sessions, (select count(*) from changed)::int as people`;

/**
 * Ends all sessions of people and programs, and the tokens of all people, in one transaction, and returns a report.
 * Within a second, every running core rejects them and closes their connections. API keys remain valid.
 */
export async function endAllSessions(client: pg.Client): Promise<string> {
  await client.query('begin');
  const { rows } = await client.query<{ sessions: number; people: number }>(END_ALL);
  await client.query(NOTIFY_ALL);
  await client.query('commit');
  return formatReport(rows[0] ?? { sessions: 0, people: 0 });
}

function formatReport({ sessions, people }: { readonly sessions: number; readonly people: number }): string {
  return [
    `Ended ${formatCount(sessions, 'session')}, and all tokens of ${formatCount(people, 'person', 'people')}.`,
    'API keys remain valid. Rotate the ones that may have leaked.',
    '',
  ].join('\n');
}
