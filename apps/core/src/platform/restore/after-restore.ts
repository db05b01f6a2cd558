import { formatCount } from '@strata/domain';
import type pg from 'pg';
import type { Finding } from '../doctor/checks.ts';
import { type KeyRow, type OrganizationKeys, SELECT_ALL_KEYS, unwrapKeys } from '../vault/organization-keys.ts';
import type { RootKeys } from '../vault/root-key.ts';
import { isReadable, readSealed } from '../vault/sealed-text.ts';
import { describeDatabase, restoreProblem } from './backup-description.ts';
import { HOLD_INTEGRATIONS, HOLD_ROTATIONS, SUSPEND_DESTINATIONS } from './held-work.ts';

/** Decrypting more would take long and prove little: one data key encrypts all secrets of an organization. */
const SECRETS_MAX = 1_000;

/**
 * Makes a restored database ready for its cores. Replaces the epochs, so that no client continues with a cursor of a
 * different history, ends all sessions, and checks the ledger and a sample of the secrets. `client` belongs to the owner of the schema.
 */
export async function afterRestore(client: pg.Client, rootKeys: RootKeys): Promise<readonly Finding[]> {
  const problem = (await connectionProblem(client)) ?? restoreProblem(await describeDatabase(client), rootKeys);
  if (problem) return [{ subject: 'Database', isFine: false, text: problem }];
  return [
    await replaceEpochs(client),
    await endSessions(client),
    await suspendDestinations(client),
    await checkLedger(client),
    await checkSecrets(client, rootKeys),
    ...(await holdIntegrations(client)),
    ...(await holdRotations(client)),
  ];
}

/**
 * Stops the runs of all integrations. The restored configuration is older than the texts that were pushed after the
 * backup, so an operator decides when pushes continue. Older schemas have no runs.
 */
async function holdIntegrations(client: pg.Client): Promise<readonly Finding[]> {
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('sync_key') is not null as known`);
  if (!rows[0]?.known) return [];
  const { rowCount } = await client.query(HOLD_INTEGRATIONS, [null]);
  if (!rowCount) return [];
  const waitingText = formatCount(rowCount, 'integration waits', 'integrations wait');
  const text = `${waitingText}: check the restored configuration, then run strata continue-pushes`;
  return [{ subject: 'Pushes', isFine: true, text }];
}

/**
 * Stops all rotations. The restored secrets may contain credentials that were revoked after the backup. Older schemas have
 * no rotations.
 */
async function holdRotations(client: pg.Client): Promise<readonly Finding[]> {
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('rotation') is not null as known`);
  if (!rows[0]?.known) return [];
  const { rowCount } = await client.query(HOLD_ROTATIONS, [null]);
  if (!rowCount) return [];
  const waitingText = formatCount(rowCount, 'rotation waits', 'rotations wait');
  const text = `${waitingText}: check that the restored credentials work, then run strata continue-pushes`;
  return [{ subject: 'Rotations', isFine: true, text }];
}

/** Lets the runs of integrations, and rotations, continue after a restore. Returns the text to print. */
export async function continuePushes(client: pg.Client): Promise<string> {
  const { rowCount } = await client.query('update integration set held_because = null where held_because is not null');
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('rotation') is not null as known`);
  const rotationsText = rows[0]?.known
    ? await client.query('update rotation set held_because = null where held_because is not null')
    : { rowCount: 0 };
  const integrations = formatCount(rowCount ?? 0, 'integration continues', 'integrations continue');
  return `${integrations}, ${formatCount(rotationsText.rowCount ?? 0, 'rotation continues', 'rotations continue')}.\n`;
}

async function connectionProblem(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return null;
  return `${formatCount(count, 'other connection uses', 'other connections use')} this database. Stop all cores and other clients, then run strata after-restore again.`;
}

async function replaceEpochs(client: pg.Client): Promise<Finding> {
  const { rowCount } = await client.query('update organization_head set epoch = gen_random_uuid()');
  const heads = formatCount(rowCount ?? 0, 'organization has a new epoch', 'organizations have a new epoch');
  return { subject: 'Epoch', isFine: true, text: `${heads}: clients with a cursor get 410 and read everything again` };
}

/** Sessions that were ended after the backup would be valid again. Older schemas have no sessions. */
async function endSessions(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('session') is not null as known`);
  const { rowCount } = rows[0]?.known ? await client.query('delete from session') : { rowCount: 0 };
  const text = `${formatCount(rowCount ?? 0, 'session')} ended: users sign in again`;
  return { subject: 'Sessions', isFine: true, text };
}

/**
 * Messages that were sent after the backup would be sent again, and the restored state may be older than what receivers
 * know. So each destination waits until a member enables it. Older schemas have no destinations.
 */
async function suspendDestinations(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('destination') is not null as known`);
  const { rowCount } = rows[0]?.known ? await client.query(SUSPEND_DESTINATIONS, [null]) : { rowCount: 0 };
  const text = `${formatCount(rowCount ?? 0, 'destination')} suspended: members enable them once the restored state is right`;
  return { subject: 'Destinations', isFine: true, text };
}

/** The changesets of an organization have the numbers from 1 to the revision of its head, and the head has the time of the last one. */
const LEDGER = `
  with stored as (
    select organization_id, count(*) as revisions, min(revision) as first, max(revision) as last from changeset group by 1)
  select count(*)::int as organizations, coalesce(sum(revision), 0)::int as revisions, max(head.at) as latest,
         coalesce(json_agg(organization.name order by organization.name) filter (
           where coalesce(stored.revisions, 0) <> head.revision or coalesce(stored.last, 0) <> head.revision or stored.first > 1
              or exists (select from changeset where changeset.organization_id = head.organization_id
                                                 and changeset.revision = head.revision and changeset.at <> head.at)
         ), '[]') as incomplete,
         (select count(*)::int from change left join changeset using (organization_id, revision)
           where changeset.revision is null) as strays
    from organization_head head join organization on organization.id = head.organization_id left join stored using (organization_id)`;

interface LedgerRow {
  readonly organizations: number;
  readonly revisions: number;
  readonly latest: Date | null;
  readonly incomplete: readonly string[];
  readonly strays: number;
}

async function checkLedger(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<LedgerRow>(LEDGER);
  const { organizations = 0, revisions = 0, latest = null, incomplete = [], strays = 0 } = rows[0] ?? {};
  const [subject, advice] = ['Ledger', 'The backup is damaged: restore another one.'];
  if (incomplete.length > 0)
    return { subject, isFine: false, text: `Revisions are missing in ${incomplete.join(', ')}. ${advice}` };
  if (strays > 0)
    return { subject, isFine: false, text: `${formatCount(strays, 'change')} without a changeset. ${advice}` };
  const sum = `${formatCount(revisions, 'revision')} of ${formatCount(organizations, 'organization')}`;
  const lastText = latest && revisions > 0 ? `, the last one of ${latest.toISOString()}` : '';
  return { subject, isFine: true, text: `${sum}, without gaps${lastText}` };
}

interface SecretRow {
  readonly organization_id: string;
  readonly id: string;
  readonly sealed: Buffer;
  readonly total: number;
}

async function checkSecrets(client: pg.Client, rootKeys: RootKeys): Promise<Finding> {
  const { rows: keyRows } = await client.query<KeyRow & { organization_id: string }>(await selectKeys(client));
  const keys = new Map<string, OrganizationKeys | null>();
  for (const [id, rowsOfOrganization] of Map.groupBy(keyRows, ({ organization_id: id }) => id))
    keys.set(id, unwrapKeys(rootKeys, id, rowsOfOrganization));
  const { rows } = await client.query<SecretRow>(
    `select organization_id, id, ${readSealed('value')} as sealed, (count(*) over ())::int as total
       from value where sealed is not null order by random() limit $1`,
    [SECRETS_MAX],
  );
  const unreadableSecrets = rows.filter(({ organization_id: organizationId, id, sealed }) => {
    const organizationKeys = keys.get(organizationId);
    return !organizationKeys || !isReadable(organizationKeys, organizationId, id, sealed);
  });
  const checkedText = `${rows.length} of ${formatCount(rows[0]?.total ?? 0, 'secret')}`;
  if (unreadableSecrets.length > 0)
    return {
      subject: 'Secrets',
      isFine: false,
      text: `${unreadableSecrets.length} of ${rows.length} secrets cannot be decrypted, such as the value ${unreadableSecrets[0]?.id}. The backup is damaged: restore another one.`,
    };
  return {
    subject: 'Secrets',
    isFine: true,
    text: `${checkedText} decrypted, with the data keys of ${formatCount(keys.size, 'organization')}`,
  };
}

/** Older schemas have no ids of root keys, and no numbered keys. */
async function selectKeys(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('data_key') is not null as known`);
  return rows[0]?.known
    ? SELECT_ALL_KEYS
    : 'select organization_id, null::integer as number, wrapped_key, null::bytea as root_key_id, true as is_usable from organization_key';
}
