import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { StartError } from '../start-errors.ts';
import { APPLICATION_ROLE } from './session.ts';

/** Marks the accounts that a migration created, so that later migrations set their passwords again. */
const COMMENT = 'Account of Strata. strata migrate sets its password.';

const SCRAM_ROUNDS = 4_096;

/**
 * Ensures that the account in `DATABASE_URL` can use the application role. Creates it with the password in the URL if
 * it does not exist, and sets the password of an account that it created. Does nothing if the account is the owner.
 */
export async function prepareServiceAccount(owner: DataSource, databaseUrl: string): Promise<void> {
  const { user, password } = new pg.Client({ connectionString: databaseUrl });
  const [account] = await owner.query<{ isOwner: boolean; exists: boolean; isOurs: boolean; isMember: boolean }[]>(
    `select $1 = session_user as "isOwner", role.oid is not null as exists,
            coalesce(shobj_description(role.oid, 'pg_authid') = $2, false) as "isOurs",
            role.oid is not null and pg_has_role(role.oid, $3, 'member') as "isMember"
       from (select) one left join pg_roles role on role.rolname = $1`,
    [user, COMMENT, APPLICATION_ROLE],
  );
  if (!user || !account || account.isOwner) return;
  const name = pg.escapeIdentifier(user);
  const verifier = password ? `password ${pg.escapeLiteral(scramVerifier(password))}` : '';
  const create = [`create role ${name} login ${verifier}`, `comment on role ${name} is ${pg.escapeLiteral(COMMENT)}`];
  const statements = [
    ...(account.exists ? [] : create),
    ...(account.isOurs && verifier ? [`alter role ${name} login ${verifier}`] : []),
    ...(account.isMember ? [] : [`grant ${APPLICATION_ROLE} to ${name}`]),
  ];
  try {
    for (const statement of statements) await owner.query(statement);
  } catch (error) {
    if (!isPermissionDenied(error)) throw error;
    const byHand = [
      ...(account.exists ? [] : [`create role ${name} login password '…';`]),
      `grant ${APPLICATION_ROLE} to ${name};`,
    ];
    throw new StartError(
      `The account in STRATA_OWNER_DATABASE_URL may not prepare the account in DATABASE_URL. Let an administrator run: ${byHand.join(' ')}`,
    );
  }
}

/** The error of the driver, or the one in which TypeORM wraps it. */
const isPermissionDenied = (error: unknown): boolean =>
  ((error as { driverError?: { code?: string } }).driverError ?? (error as { code?: string })).code === '42501';

/** Returns what PostgreSQL stores for a password (RFC 5803), so that no log of statements can contain the password. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const saltedPassword = pbkdf2Sync(password.normalize('NFKC'), salt, SCRAM_ROUNDS, 32, 'sha256');
  const mac = (text: string) => createHmac('sha256', saltedPassword).update(text).digest();
  const storedKey = createHash('sha256').update(mac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${SCRAM_ROUNDS}:${salt.toString('base64')}$${storedKey}:${mac('Server Key').toString('base64')}`;
}

/** A table of the schema, whose owner owns all others. */
const OWNED_TABLE = 'organization_head';

const PRIVILEGES = `
select (select rolsuper from pg_roles where rolname = session_user) as "isSuperuser",
       coalesce(pg_has_role(session_user, relowner, 'member'), false) as "isOwner",
       has_database_privilege(session_user, current_database(), 'temporary') as "createsTables"
  from (select) one left join pg_class on pg_class.oid = to_regclass('${OWNED_TABLE}')`;

const CREATES_TABLES =
  'The account in DATABASE_URL may create temporary tables, with which an attacker on a connection of the core could hide the real ones. Let the owner of the database run: revoke temporary on database … from public;';

/** Returns what an attacker could do who runs statements on the connections of the core; null if nothing beyond its role. */
export async function privilegeProblem(client: Pick<pg.ClientBase, 'query'>): Promise<string | null> {
  const { rows } = await client.query<{ isSuperuser: boolean; isOwner: boolean; createsTables: boolean }>(PRIVILEGES);
  const [privileges] = rows;
  if (!privileges?.isSuperuser && !privileges?.isOwner) return privileges?.createsTables ? CREATES_TABLES : null;
  const account = privileges.isSuperuser ? 'is a superuser' : 'owns the tables';
  return `The account in DATABASE_URL ${account}, so statements of an attacker on a connection of the core could change the history. Use an account without rights, and set STRATA_OWNER_DATABASE_URL for strata migrate.`;
}
