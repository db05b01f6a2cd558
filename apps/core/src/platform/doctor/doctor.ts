import pg from 'pg';
import type { Env } from '../env.ts';
import { startErrorMessage } from '../start-errors.ts';
import { CHECKS, type Finding } from './checks.ts';

export type { Finding } from './checks.ts';

const TIMEOUT_MS = 10_000;

/** Runs all checks as the owner of the schema. They change nothing. `dataDir` contains an embedded database. */
export async function diagnose(env: Env, dataDir?: string): Promise<readonly Finding[]> {
  const client = new pg.Client({
    connectionString: env.DATABASE_URL,
    connectionTimeoutMillis: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
    options: '-c timezone=UTC',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const installation = { rootKey: env.STRATA_ROOT_KEY, dataDir };
    const findings: Finding[] = [];
    for (const { subject, fine, problems } of CHECKS) {
      const texts = await problems(client, installation).catch((error: unknown) => [notChecked(error)]);
      if (texts.length === 0) findings.push({ subject, isFine: true, text: fine });
      else findings.push(...texts.map((text) => ({ subject, isFine: false, text })));
    }
    return findings;
  } catch (error) {
    return [{ subject: 'PostgreSQL', isFine: false, text: startErrorMessage(error) ?? String(error) }];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Without a schema, most checks have nothing to look at. */
const notChecked = (error: unknown): string =>
  startErrorMessage(error) ?? `cannot be checked: ${(error as Error).message}`;

/** Returns the findings as lines for a terminal. */
export function printedFindings(findings: readonly Finding[]): string {
  const lines = findings.map(({ subject, isFine, text }) => `${isFine ? '✓' : '✗'} ${subject.padEnd(11)} ${text}`);
  const count = findings.filter(({ isFine }) => !isFine).length;
  const sum = count === 0 ? 'No problems found.' : `${count} ${count === 1 ? 'problem' : 'problems'} found.`;
  return [...lines, '', sum, ''].join('\n');
}
