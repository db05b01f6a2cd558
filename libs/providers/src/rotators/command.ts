import { spawn } from 'node:child_process';
import { z } from 'zod';
import { ProviderError } from '../provider-error.ts';
import type { OpenRotator, RotatorSession } from './rotator.ts';

const TIMEOUT_MS = 30_000;
const OUTPUT_BYTES_MAX = 65_536;

const Settings = z.object({ program: z.string(), input: z.string() });
const Name = z.string().min(1).max(200);
const ANSWERS = {
  identify: z.object({ credential: Name.nullable() }),
  find_other: z.object({ credential: Name.nullable() }),
  create: z.object({ credential: Name, text: z.string().min(1) }),
  check: z.object({ works: z.boolean() }),
  usage: z.object({ last_used_at: z.iso.datetime({ offset: true }).nullable() }),
  revoke: z.object({ is_revoked: z.boolean() }),
} as const;
type Action = keyof typeof ANSWERS;

/**
 * Runs an executable that the operator chose, once per question. The question is one JSON object on its standard input,
 * and the answer is one on its standard output. The process gets no settings of the core.
 */
export const openCommand: OpenRotator = async (input, { environment, tenant, commands }) => {
  const { program: name, input: text } = Settings.parse(input);
  const command = commands[name];
  const mayUse = command?.organizations.some((id) => id === '*' || id === tenant.organizationId);
  if (!command || !mayUse)
    throw invalid('unknown_command', `The operator provides no command ${name} for this organization.`);
  const { fence = null } = environment.guard;
  const ask = async <A extends Action>(action: A, question: object): Promise<z.infer<(typeof ANSWERS)[A]>> => {
    if (fence !== null && !fence.isOpen()) throw temporary('The time for this step has ended.');
    const isWrite = action === 'create' || action === 'revoke';
    environment.onCall({ operation: action, isWrite });
    const request = { version: 1, action, organization: tenant.organizationId, input: text, ...question };
    const answer = await run(command.path, JSON.stringify(request), fence?.signal ?? null);
    const parsed = ANSWERS[action].safeParse(answer);
    if (!parsed.success)
      throw invalid('bad_answer', `The command ${name} answered ${action} without the required members.`);
    return parsed.data as z.infer<(typeof ANSWERS)[A]>;
  };
  const session: RotatorSession = {
    ownsAll: false,
    identify: async (current) => (await ask('identify', { text: current })).credential,
    findOther: async (published) => (await ask('find_other', { published })).credential,
    draft: () => '',
    create: async ({ published, text: current, retired, runId }) => {
      const created = await ask('create', { published, text: current, retired, run: runId });
      return { name: created.credential, text: created.text };
    },
    works: async (current) => (await ask('check', { text: current })).works,
    lastUse: async (credential) => {
      const { last_used_at: at } = await ask('usage', { credential });
      return at === null ? null : new Date(at);
    },
    revoke: async (credential) => (await ask('revoke', { credential })).is_revoked,
    close: async () => undefined,
  };
  return session;
};

/** Runs the executable in a process group of its own, and ends the whole group when the time is over. */
function run(path: string, request: string, signal: AbortSignal | null): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, [], {
      detached: true,
      env: { PATH: process.env.PATH },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const output: Buffer[] = [];
    let bytes = 0;
    const endGroup = () => {
      try {
        // A negative id is the group, with all processes that the executable has started.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The group has ended.
      }
    };
    const fail = (error: ProviderError) => {
      finish();
      reject(error);
    };
    const timer = setTimeout(
      () => fail(temporary(`The command did not answer within ${TIMEOUT_MS / 1_000} s.`)),
      TIMEOUT_MS,
    );
    const onAbort = () => fail(temporary('The time for this step has ended.'));
    signal?.addEventListener('abort', onAbort, { once: true });
    function finish(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      endGroup();
    }
    child.once('error', () => fail(temporary('The command could not be started.')));
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > OUTPUT_BYTES_MAX) fail(invalid('bad_answer', 'The answer of the command is too long.'));
      else output.push(chunk);
    });
    // Processes that the executable left behind would keep the output open.
    child.once('exit', endGroup);
    child.once('close', (code) => {
      finish();
      if (code !== 0) return reject(temporary(`The command failed with the exit code ${code ?? 'of a signal'}.`));
      try {
        resolve(JSON.parse(Buffer.concat(output).toString()));
      } catch {
        reject(invalid('bad_answer', 'The answer of the command is not JSON.'));
      }
    });
    child.stdin.end(`${request}\n`);
  });
}

const invalid = (code: string, detail: string) => new ProviderError({ kind: 'invalid', code, detail });
const temporary = (detail: string) => new ProviderError({ kind: 'retryable', code: 'command_failed', detail });
