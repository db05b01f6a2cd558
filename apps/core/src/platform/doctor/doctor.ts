import { formatCount, publicUrlWarning } from '@strata/domain';
import { type Env, publicAddress } from '../env.ts';
import { withOperatorSession } from '../postgres/operator-session.ts';
import { startErrorMessage } from '../start-errors.ts';
import { readRootKeys } from '../vault/root-key.ts';
import { CHECKS, type Finding, type Folders } from './checks.ts';

export type { Finding } from './checks.ts';

const STATEMENT_TIMEOUT = '10s';

/** Runs all checks. They change nothing. */
export async function diagnose(env: Env, folders: Folders): Promise<readonly Finding[]> {
  return [...(await databaseFindings(env, folders)), linksFinding(env)];
}

/** Reports links that follow the header `Host`, as the core does when it starts with these settings. */
function linksFinding(env: Env): Finding {
  const warning = publicUrlWarning(publicAddress(env));
  return { subject: 'Links', isFine: warning === null, text: warning ?? 'do not follow foreign hosts' };
}

/** Runs the checks of the database. */
async function databaseFindings(env: Env, folders: Folders): Promise<readonly Finding[]> {
  const installation = {
    ...{ databaseUrl: env.DATABASE_URL, standbyUrls: env.STRATA_READ_DATABASE_URLS, rootKeys: readRootKeys(env) },
    ...folders,
  };
  try {
    return await withOperatorSession(env, { statement_timeout: STATEMENT_TIMEOUT }, async (client) => {
      const findings: Finding[] = [];
      for (const { subject, fine, problems } of CHECKS) {
        const texts = await problems(client, installation).catch((error: unknown) => [notChecked(error)]);
        if (texts.length === 0) findings.push({ subject, isFine: true, text: fine });
        else findings.push(...texts.map((text) => ({ subject, isFine: false, text })));
      }
      return findings;
    });
  } catch (error) {
    return [{ subject: 'PostgreSQL', isFine: false, text: startErrorMessage(error) ?? String(error) }];
  }
}

/** Without a schema, most checks have nothing to look at. */
const notChecked = (error: unknown): string =>
  startErrorMessage(error) ?? `cannot be checked: ${(error as Error).message}`;

/** Returns the findings as lines for a terminal. */
export function printedFindings(findings: readonly Finding[]): string {
  const lines = findings.map(({ subject, isFine, text }) => `${isFine ? '✓' : '✗'} ${subject.padEnd(11)} ${text}`);
  const count = findings.filter(({ isFine }) => !isFine).length;
  const sum = count === 0 ? 'No problems found.' : `${formatCount(count, 'problem')} found.`;
  return [...lines, '', sum, ''].join('\n');
}
