import type pg from 'pg';
import { endAllSessions } from './auth/end-sessions.ts';
import { rotateTokenKey } from './auth/rotate-token-key.ts';
import type { Finding } from './doctor/checks.ts';
import { diagnose, printedFindings } from './doctor/doctor.ts';
import type { Env } from './env.ts';
import { verifyLedgers } from './evidence/verify-ledgers.ts';
import { withOperatorSession } from './postgres/operator-session.ts';
import { afterRestore, continuePushes } from './restore/after-restore.ts';
import { type BackupDescription, describeDatabase, restoreProblem } from './restore/backup-description.ts';
import { rotateDataKeys } from './vault/data-key-rotation.ts';
import { printKeyStatus, readKeyStatus } from './vault/key-status.ts';
import { readRootKeys } from './vault/root-key.ts';
import { rotateRootKey } from './vault/root-key-rotation.ts';

interface Arguments {
  readonly env: Env;
  /** The words after the command. */
  readonly commandArguments: readonly string[];
  /** The settings that only `strata start` and its commands read. */
  readonly folders: { readonly dataDir: string | undefined; readonly backupDir: string | undefined };
}

/** The commands that the program `strata` runs in this process. Each returns what to print, and the exit code. */
const COMMANDS: Readonly<Record<string, (args: Arguments) => Promise<readonly [text: string, code: number]>>> = {
  doctor: async ({ env, commandArguments, folders }) =>
    reported([...(await diagnose(env, folders)), ...otherFindings(commandArguments)], commandArguments),
  'after-restore': async ({ env, commandArguments }) =>
    reported(await withOperatorSession(env, {}, (client) => afterRestore(client, readRootKeys(env))), commandArguments),
  'continue-pushes': async ({ env }) => [await withOperatorSession(env, {}, continuePushes), 0],
  'rotate-signing-key': async ({ env, commandArguments }) => {
    const isRevocation = commandArguments.includes('--revoke');
    const rotate = (client: pg.Client) => rotateTokenKey(client, readRootKeys(env), isRevocation);
    return [await withOperatorSession(env, {}, rotate), 0];
  },
  'end-sessions': async ({ env }) => [await withOperatorSession(env, {}, endAllSessions), 0],
  'verify-ledgers': async ({ env, commandArguments }) =>
    reported(await withOperatorSession(env, {}, (client) => verifyLedgers(client, commandArguments)), commandArguments),
  'rotate-root-key': async ({ env }) => [
    await withOperatorSession(env, {}, (client) =>
      rotateRootKey(client, readRootKeys(env), (line) => process.stderr.write(`${line}\n`)),
    ),
    0,
  ],
  'rotate-data-keys': async ({ env, commandArguments: [organizationId] }) => [
    await withOperatorSession(env, {}, (client) => rotateDataKeys(client, readRootKeys(env), organizationId ?? null)),
    0,
  ],
  'list-keys': async ({ env, commandArguments }) => {
    const status = await withOperatorSession(env, {}, (client) => readKeyStatus(client, readRootKeys(env)));
    return [commandArguments.includes('--json') ? `${JSON.stringify(status, null, 2)}\n` : printKeyStatus(status), 0];
  },
  'describe-database': async ({ env }) => [JSON.stringify(await withOperatorSession(env, {}, describeDatabase)), 0],
  'check-backup': async ({ env, commandArguments: [description = '{}'] }) => {
    const problem = restoreProblem(JSON.parse(description) as BackupDescription, readRootKeys(env));
    return [problem ?? '', problem ? 1 : 0];
  },
};

/** Runs a command of operators. Returns null if there is no such command. */
export async function runOperatorCommand(
  command: string | undefined,
  args: Arguments,
): Promise<readonly [text: string, code: number] | null> {
  const run = COMMANDS[command ?? ''];
  return run ? run(args) : null;
}

/** Returns the findings of the program `strata`, which knows the other processes. */
function otherFindings(commandArguments: readonly string[]): readonly Finding[] {
  const at = commandArguments.indexOf('--also');
  return at === -1 ? [] : (JSON.parse(commandArguments[at + 1] ?? '[]') as Finding[]);
}

function reported(findings: readonly Finding[], commandArguments: readonly string[]): readonly [string, number] {
  const isJson = commandArguments.includes('--json');
  const text = isJson ? `${JSON.stringify(findings, undefined, 2)}\n` : printedFindings(findings);
  return [text, findings.every(({ isFine }) => isFine) ? 0 : 1];
}
