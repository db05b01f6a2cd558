import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import net from 'node:net';
import { addressGuard, PRIVATE_ADDRESS } from '@strata/outbound';
import type pg from 'pg';
import { z } from 'zod';
import type { ProviderEnvironment } from '../provider.ts';
import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';
import { parseCredential, parseReplaceable } from './credential-text.ts';
import type { CreationRequest, OpenRotator, RotatorSession } from './rotator.ts';

const TIMEOUT_MS = 10_000;
/** A server could send any amount. The answers that are read here are short. */
const ANSWER_BYTES_MAX = 1_000_000;

const Settings = z.object({
  host: z.string(),
  port: z.number(),
  database: z.string(),
  user: z.string(),
  roles: z.tuple([z.string(), z.string()]),
  tls: z.boolean(),
  ca: z.string().nullable(),
});
type Settings = z.infer<typeof Settings>;

const MEMBERS = { name: ['username', 'user'], secret: ['password'] };

/** The errors that a person must correct, by SQLSTATE. Messages of the server are not shown. */
const REASONS: Readonly<Record<string, readonly [ProviderErrorKind, string]>> = {
  '28P01': ['denied', 'The server rejected the password that Strata connects with. Set credential of the rotation.'],
  '28000': ['denied', 'The server does not let Strata connect. Check its pg_hba.conf and the role.'],
  '3D000': ['invalid', 'The database does not exist.'],
  '42501': ['denied', 'The role that Strata connects with may not alter the two roles. Grant it ADMIN OPTION on both.'],
  '42704': ['invalid', 'One of the two roles does not exist. Create it.'],
  '53300': ['retryable', 'The server has no connection left.'],
};

/** The errors of a server that rejects a role or its password. */
const REJECTED_LOGINS: ReadonlySet<string> = new Set(['28P01', '28000']);

/**
 * Alternates two roles. The role that is not published gets a new password, and can log in again. A revoked role cannot
 * log in. A password is sent as a SCRAM verifier, so that no log of the server contains it.
 */
export const openPostgresql: OpenRotator = async (input, { environment, credential }) => {
  const settings = Settings.parse(input);
  const { query, logsIn, close } = await openServer(settings, environment, credential ?? '');
  const otherRole = (name: string) => settings.roles.find((candidate) => candidate !== name) ?? '';
  const countSessions = async (role: string) =>
    Number((await query<{ count: string }>(SESSIONS, [role]))[0]?.count ?? 0);

  const session: RotatorSession = {
    ownsAll: true,
    identify: async (text) => {
      const name = parseCredential(text, MEMBERS)?.name ?? null;
      return name !== null && settings.roles.includes(name) ? name : null;
    },
    findOther: async (published) => otherRole(published),
    draft: () => randomBytes(32).toString('base64url'),
    create: async ({ published, text, draft }: CreationRequest) => {
      const role = otherRole(published);
      const parsed = parseReplaceable(text, MEMBERS);
      const created = { name: role, text: parsed.replace(role, draft) };
      if (await logsIn(role, draft)) return created;
      const [row] = await query<{ rolcanlogin: boolean }>(CAN_LOG_IN, [role]);
      if (!row) throw createError('42704');
      if (row.rolcanlogin) throw enabledByOthers(role);
      await query(`alter role ${quoted(role)} login password '${scramVerifier(draft)}'`);
      if (!(await logsIn(role, draft))) throw createError('28000');
      return created;
    },
    works: async (text) => {
      const parsed = parseCredential(text, MEMBERS);
      return parsed !== null && (await logsIn(parsed.name, parsed.secret));
    },
    lastUse: async (role) => ((await countSessions(role)) > 0 ? new Date() : null),
    revoke: async (role) => {
      await query('begin');
      await query(`alter role ${quoted(role)} nologin password null`);
      // A session may have begun since the last check. Then the role stays as it is.
      const isUsed = (await countSessions(role)) > 0;
      await query(isUsed ? 'rollback' : 'commit');
      return !isUsed;
    },
    close,
  };
  return session;
};

// Everything is qualified, because the owner of the database can create other objects with these names.
const SESSIONS =
  'select pg_catalog.count(*) as count from pg_catalog.pg_stat_activity where usename operator(pg_catalog.=) $1::pg_catalog.name';
const CAN_LOG_IN =
  'select rolcanlogin from pg_catalog.pg_roles where rolname operator(pg_catalog.=) $1::pg_catalog.name';

/** Connects with the first statement. */
async function openServer(settings: Settings, environment: ProviderEnvironment, credential: string) {
  const { Client } = (await import('pg')).default;
  const connect = (user: string, password: string) => openClient(Client, settings, environment, user, password);
  const { fence = null } = environment.guard;
  let admin: Promise<pg.Client> | null = null;
  return {
    query: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> => {
      admin ??= connect(settings.user, credential);
      try {
        const client = await admin;
        if (fence !== null && !fence.isOpen()) throw networkError('FENCE_CLOSED');
        return (await client.query<Row>(sql, values)).rows;
      } catch (error) {
        throw classify(error);
      }
    },
    logsIn: async (user: string, password: string): Promise<boolean> => {
      try {
        await (await connect(user, password)).end();
        return true;
      } catch (error) {
        if (REJECTED_LOGINS.has((error as { code?: string }).code ?? '')) return false;
        throw classify(error);
      }
    },
    close: async (): Promise<void> => {
      await (await admin?.catch(() => null))?.end().catch(() => undefined);
    },
  };
}

/** Connects through the guard of addresses. */
async function openClient(
  Client: typeof pg.Client,
  { host, port, database, tls, ca }: Settings,
  { guard, onCall }: ProviderEnvironment,
  user: string,
  password: string,
): Promise<pg.Client> {
  const { lookup, assertHost, fence } = addressGuard(guard);
  assertHost({ hostname: host });
  if (fence !== null && !fence.isOpen()) throw networkError('FENCE_CLOSED');
  onCall({ operation: 'connect', isWrite: false });
  const socket = new net.Socket();
  const connectSocket = socket.connect.bind(socket) as (options: net.NetConnectOpts) => net.Socket;
  // The client calls this with a port and a host.
  socket.connect = ((toPort: number, toHost: string) =>
    connectSocket({ port: toPort, host: toHost, lookup })) as typeof socket.connect;
  const watch = setInterval(() => {
    if (socket.bytesRead > ANSWER_BYTES_MAX) socket.destroy();
  }, 100).unref();
  socket.once('close', () => clearInterval(watch));
  const client = new Client({
    ...{ host, port, database, user, application_name: 'strata', stream: () => socket },
    options: '-c search_path=pg_catalog',
    // A function, because the client would replace an empty password by one of the environment of the core.
    password: () => password,
    ssl: tls && { rejectUnauthorized: true, ...(ca !== null && { ca }) },
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => socket.destroy());
  fence?.signal.addEventListener('abort', () => socket.destroy(), { once: true });
  try {
    await client.connect();
    return client;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;

/** RFC 5803. The password has ASCII characters only, so SASLprep does not change it. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const iterations = 4_096;
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  const serverKey = sign('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

function classify(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const { code = 'connection_failed', severity } = error as { code?: string; severity?: string };
  if (code === PRIVATE_ADDRESS) {
    const detail = 'The address of the server is private or link-local, and this installation does not allow it.';
    return new ProviderError({ kind: 'invalid', code, detail });
  }
  if (severity === undefined) return networkError(code);
  // The server can send any text.
  if (!/^[0-9A-Z]{5}$/.test(code)) return networkError('unknown_code');
  if (REASONS[code]) return createError(code);
  return new ProviderError({ kind: 'retryable', code, detail: `The server rejected a statement (SQLSTATE ${code}).` });
}

function createError(code: string): ProviderError {
  const [kind, detail] = REASONS[code] ?? ['retryable', 'The server could not be reached.'];
  return new ProviderError({ kind, code, detail });
}

const networkError = (code: string): ProviderError =>
  new ProviderError({
    kind: 'retryable',
    code,
    detail: 'The server could not be reached, or did not respond in time.',
  });

const enabledByOthers = (role: string): ProviderError =>
  new ProviderError({
    kind: 'conflict',
    code: 'enabled_by_others',
    detail: `The role ${role} can log in again, although this rotation revoked it. Abort the rotation, and rotate again: it then waits until the role is unused.`,
  });
