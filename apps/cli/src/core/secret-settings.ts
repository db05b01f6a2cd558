import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { decodeText } from '@strata/domain';

/** The settings that may also come from a file (`<name>_FILE`) or from a program (`<name>_COMMAND`). */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'STRATA_OWNER_DATABASE_URL',
  'STRATA_ROOT_KEY',
  'STRATA_PREVIOUS_ROOT_KEY',
  'STRATA_CHECKPOINT_KEY',
  'STRATA_SESSION_KEY',
  'STRATA_IDENTITY_PROVIDERS',
  'STRATA_BOOTSTRAP_API_KEY',
  'STRATA_BOOTSTRAP_PASSWORD',
  'STRATA_GITHUB_PRIVATE_KEY',
  'STRATA_READ_DATABASE_URLS',
  'STRATA_EDGE_KEY',
] as const;

const COMMAND_MS_MAX = 10_000;

/** An error that an operator can fix, with a message that never contains the text of a secret. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';

  /** The exit code 2 means that a command or a setting is invalid, and 1 that the command failed. */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 2,
  ) {
    super(message);
  }
}

type Settings = Readonly<Record<string, string | undefined>>;

/** Returns the environment with the text of each file and program under the name of its setting. */
export function withSecrets(env: Settings): Settings {
  const settings = { ...env };
  for (const name of SECRET_SETTINGS) {
    const setSources = [name, `${name}_FILE`, `${name}_COMMAND`].filter((source) => env[source]);
    if (setSources.length > 1) throw new OperatorError(`${setSources.join(' and ')} are set. Set one of them.`);
    const [source = name] = setSources;
    if (source !== name) settings[name] = source.endsWith('_FILE') ? fromFile(source, env) : fromCommand(source, env);
    delete settings[`${name}_FILE`];
    delete settings[`${name}_COMMAND`];
  }
  return settings;
}

function fromFile(source: string, env: Settings): string {
  const file = env[source] ?? '';
  try {
    return requireText(fs.readFileSync(file), `${source}: ${file}`);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${source}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Runs a program without a shell. The words of its command line are separated by spaces. */
function fromCommand(source: string, env: Settings): string {
  const [program = '', ...args] = (env[source] ?? '').trim().split(/ +/);
  const { error, status, signal, stdout } = spawnSync(program, args, {
    timeout: COMMAND_MS_MAX,
    // This process would wait for a program that ignores SIGTERM.
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const reason =
    (error as NodeJS.ErrnoException | undefined)?.code ?? (status === 0 ? null : (signal ?? `code ${status}`));
  if (reason === 'ETIMEDOUT')
    throw new OperatorError(`${source}: ${program} did not end within ${COMMAND_MS_MAX / 1_000} s.`);
  if (reason !== null) throw new OperatorError(`${source}: ${program} failed (${reason}).`);
  return requireText(stdout, `${source}: ${program}`);
}

function requireText(bytes: Buffer, source: string): string {
  const { text, problem } = decodeText(bytes);
  if (text === undefined) throw new OperatorError(`${source}: ${problem}`);
  const trimmedText = text.replace(/[\r\n]+$/, '');
  if (trimmedText === '') throw new OperatorError(`${source} returns no text.`);
  return trimmedText;
}
