import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';

/** A database of one spec file, with the core's schema and the bootstrap organization in it. */
export interface TestDatabase {
  /** The owner's URL, as DATABASE_URL. */
  readonly url: string;
  /** Disconnects whoever is left and removes it. */
  drop(): Promise<void>;
}

/** Who exists in every test database: what `npm start` would print for a real one. Fresh for each run of the tests. */
export interface TestCredentials {
  readonly apiKey: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
  /** 32 bytes, base64: STRATA_ROOT_KEY of a core on a test database. */
  readonly rootKey: string;
}

const TEMPLATE = 'strata_template';

let template: Promise<void> | undefined;

/** Makes a migrated database, copied from a template that is migrated once per run. `npm test` provides the server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  template ??= makeTemplate();
  await template;
  return createDatabase(`template ${TEMPLATE}`);
}

/** Makes a database with nothing in it, for tests of the migrations themselves. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template template0');
}

/** The credentials that the bootstrap organization of every test database was made with. */
export function testCredentials(): TestCredentials {
  return {
    apiKey: setting('STRATA_TEST_API_KEY'),
    ownerEmail: setting('STRATA_TEST_OWNER_EMAIL'),
    ownerPassword: setting('STRATA_TEST_OWNER_PASSWORD'),
    rootKey: setting('STRATA_TEST_ROOT_KEY'),
  };
}

async function createDatabase(options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name} ${options}`);
  const url = new URL(setting('STRATA_TEST_DATABASE_URL'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) };
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: setting('STRATA_TEST_DATABASE_URL') });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** In its own process: it may have to build the core, and must see the project's files rather than the test's view of them. */
async function makeTemplate(): Promise<void> {
  const script = fileURLToPath(new URL('../../../tools/jest/template.mjs', import.meta.url));
  await promisify(execFile)(process.execPath, [script]).catch((error: Error & { stderr?: string; stdout?: string }) => {
    throw new Error(`The test database could not be migrated: ${error.stderr || error.stdout || error.message}`);
  });
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this through npm test, which starts a database`);
  return value;
}
