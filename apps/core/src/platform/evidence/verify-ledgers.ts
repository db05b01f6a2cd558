import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { decodeText, formatCount } from '@strata/domain';
import {
  assertCosigned,
  type Checkpoint,
  CheckpointError,
  type LedgerQuery,
  type LedgerVerifier,
  ledgerOrigin,
  readCheckpoints,
  readWitnessKey,
  type VerifiedLedger,
  verifyStoredLedger,
} from '@strata/evidence';
import type pg from 'pg';
import type { Finding } from '../doctor/checks.ts';

interface Organization {
  readonly id: string;
  readonly name: string;
}

const SUBJECT = 'Ledger';
const problem = (text: string): Finding => ({ subject: SUBJECT, isFine: false, text });

/** The verified ledgers, by the id of the organization. */
type VerificationState = Readonly<Record<string, VerifiedLedger>>;

/** The files and keys that the arguments of the command name. */
interface Evidence {
  readonly checkpoints: readonly Checkpoint[];
  readonly earlier: VerificationState;
}

const OPTIONS = {
  checkpoints: { type: 'string' },
  key: { type: 'string', multiple: true },
  witness: { type: 'string', multiple: true },
  quorum: { type: 'string' },
  state: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/**
 * Compares the ledgers and contents of all organizations with their links, and with checkpoints of a file. `--checkpoints`
 * names the file, and each `--key` is a public key of checkpoints. Each `--witness` is the key of a witness, and `--quorum` the
 * number of them that must have cosigned each checkpoint; by default all. With `--state`, reads only what was written since
 * the last verification with the same file.
 */
export async function verifyLedgers(client: pg.Client, args: readonly string[]): Promise<readonly Finding[]> {
  const {
    checkpoints: file,
    key: keys = [],
    state: stateFile,
    ...witnessOptions
  } = parseArgs({ args: [...args], options: OPTIONS }).values;
  try {
    const text = file === undefined ? '' : await readText(file);
    const checkpoints = readCheckpoints(text, keys);
    requireWitnesses(text, witnessOptions);
    const earlier = stateFile === undefined ? {} : await readState(stateFile);
    const { findings, state } = await verifyAll(client, { checkpoints, earlier });
    if (stateFile !== undefined && findings.every(({ isFine }) => isFine)) await writeState(stateFile, state);
    return findings;
  } catch (error) {
    const isExpected = error instanceof CheckpointError || (error as NodeJS.ErrnoException).syscall !== undefined;
    if (isExpected) return [{ subject: 'Files', isFine: false, text: (error as Error).message }];
    throw error;
  }
}

/** Throws unless the witnesses have cosigned all checkpoints. */
function requireWitnesses(
  text: string,
  { witness: keys = [], quorum = '' }: { readonly witness?: readonly string[]; readonly quorum?: string },
): void {
  const witnesses = [...new Set(keys)].map(readWitnessKey);
  const required = quorum === '' ? witnesses.length : Number(quorum);
  if (!Number.isInteger(required) || required < 0 || required > witnesses.length)
    throw new CheckpointError(`--quorum must be a whole number up to the number of witnesses: ${witnesses.length}.`);
  if (witnesses.length > 0 && text === '')
    throw new CheckpointError('Witnesses cosign checkpoints: name --checkpoints, too.');
  assertCosigned(text, witnesses, required);
}

async function readText(file: string): Promise<string> {
  const { text, problem: reason } = decodeText(await readFile(file));
  if (text === undefined) throw new CheckpointError(`${file}: ${reason}`);
  return text;
}

/** The first verification creates the file. */
async function readState(file: string): Promise<VerificationState> {
  return existsSync(file) ? (JSON.parse(await readText(file)) as VerificationState) : {};
}

/** Replaces the file at once, so that a crash does not damage it. */
async function writeState(file: string, state: VerificationState): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(state)}\n`);
  await rename(`${file}.new`, file);
}

async function verifyAll(client: pg.Client, { checkpoints, earlier }: Evidence) {
  const query: LedgerQuery = async (text, values) => (await client.query(text, [...values])).rows;
  await client.query('begin transaction isolation level repeatable read read only');
  const organizations = await query<Organization>(
    'select organization.id, organization.name from organization order by organization.name, organization.id',
    [],
  );
  const byOrigin = Map.groupBy(checkpoints, ({ origin }) => origin);
  const findings: Finding[] = [];
  const state: Record<string, VerifiedLedger> = {};
  for (const { id, name } of organizations) {
    const ledgerCheckpoints = byOrigin.get(ledgerOrigin(id)) ?? [];
    byOrigin.delete(ledgerOrigin(id));
    const ledger = await verifyStoredLedger(query, id, { checkpoints: ledgerCheckpoints, previous: earlier[id] });
    findings.push(...describeLedger(name, ledger, ledgerCheckpoints.length));
    state[id] = ledger.verified;
  }
  for (const origin of byOrigin.keys()) findings.push(problem(`The database has no ledger ${origin} of a checkpoint.`));
  for (const id of Object.keys(earlier))
    if (!(id in state)) findings.push(problem(`The database has no ledger of organization ${id} any more.`));
  return { findings, state };
}

function describeLedger(name: string, ledger: LedgerVerifier, checkpoints: number): readonly Finding[] {
  const { problems, unlinked, verified } = ledger;
  if (problems.length > 0)
    return problems.map(({ revision, text }) => problem(`${name}, revision ${revision}: ${text}`));
  const contents = `${formatCount(verified.revision, 'revision')} with ${formatCount(verified.changes, 'change')}`;
  const proof = checkpoints === 0 ? 'their links' : `their links and ${formatCount(checkpoints, 'checkpoint')}`;
  const gaps = unlinked.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)).join(', ');
  const limit = gaps === '' ? '' : `; without links, because an earlier release wrote them: ${gaps}`;
  return [{ subject: SUBJECT, isFine: true, text: `${name}: ${contents} match ${proof}${limit}` }];
}
