import { execFile } from 'node:child_process';
import path from 'node:path';
import { getIDToken, getInput, setSecret } from '@actions/core';
import { isFromFork, StepFailure } from './run-action.ts';

/** The copy of the command line that was built from the same commit. */
const PROGRAM = path.join(import.meta.dirname, '../strata/main.js');
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;
/** Inputs and tokens of the action, settings of a command line that other steps use, and colours. */
const NOT_INHERITED = /^((INPUT|ACTIONS|STRATA)_|(GITHUB_TOKEN|FORCE_COLOR)$)/;

type Variables = Readonly<Record<string, string | undefined>>;

interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line with the address and the credential of the inputs. */
export class Strata {
  private constructor(private readonly env: Variables) {}

  static async connect(): Promise<Strata> {
    const url = getInput('url', { required: true });
    const inherited = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name));
    return new Strata({
      ...Object.fromEntries(inherited),
      ...{ NO_COLOR: '1', STRATA_KEYRING: 'off', STRATA_URL: url },
      ...{ STRATA_PROJECT: getInput('project'), STRATA_ENVIRONMENT: getInput('environment') },
      ...(await credential(url)),
    });
  }

  /** Runs a command to its end. */
  run(args: readonly string[]): Promise<Output> {
    const options = { env: this.env, maxBuffer: OUTPUT_BYTES_MAX };
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [PROGRAM, ...args], options, (error, stdout, stderr) => {
        if (error === null) resolve({ code: 0, stdout, stderr });
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
        else reject(new Error(`The command line has not ended normally (${error.code ?? error.signal}).`));
      }).stdin?.end();
    });
  }

  /** Returns the JSON that a command prints. Throws the error of the command. */
  async json<T>(args: readonly string[]): Promise<T> {
    const output = await this.run(args);
    if (output.code !== 0) throw parseFailure(output);
    return JSON.parse(output.stdout) as T;
  }
}

/** Returns the error that a command has printed, as text or as JSON. */
export function parseFailure({ code, stderr }: Output): StepFailure {
  // Node can print warnings before it.
  const json = stderr.split('\n').find((line) => line.startsWith('{"error":'));
  if (json === undefined) return new StepFailure(stderr.trim().replace(/^Error: /m, ''), code);
  const { message, hint, request_id: requestId } = (JSON.parse(json) as PrintedError).error;
  return new StepFailure([message, hint, requestId && `Request id: ${requestId}`].filter(Boolean).join('\n'), code);
}

interface PrintedError {
  readonly error: { readonly message: string; readonly hint?: string; readonly request_id?: string };
}

async function credential(url: string): Promise<Variables> {
  const key = getInput('api-key');
  const account = getInput('service-account');
  if (key) setSecret(key);
  if (key && account) throw new StepFailure('Give either api-key or service-account, not both.');
  if (key) return { STRATA_API_KEY: key };
  if (isFromFork())
    throw new StepFailure(
      'This pull request comes from a fork, and its jobs have neither secrets nor id tokens. Skip this step for forks: if: github.event.pull_request.head.repo.full_name == github.repository',
    );
  if (!account)
    throw new StepFailure('There is no credential. Give service-account, or api-key with an existing secret.');
  if (!process.env.ACTIONS_ID_TOKEN_REQUEST_URL)
    throw new StepFailure('The job has no id token. Add "id-token: write" to its permissions.');
  const token = await getIDToken(getInput('audience') || url);
  return { STRATA_ID_TOKEN: token, STRATA_SERVICE_ACCOUNT: account };
}
