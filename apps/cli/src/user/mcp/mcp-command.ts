import { setTimeout } from 'node:timers/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { CommandError, EXIT } from '../command-error.ts';
import { contextOf, type TargetOptions } from '../context.ts';
import { note } from '../output.ts';
import { assertReadsOnly } from './credential.ts';
import { MaskedClient } from './masked-client.ts';
import { createServer } from './server.ts';

/** Clients of the protocol wait for a server to start, some only for ten seconds. */
const CHECK_MS_MAX = 5_000;

/** Serves tools for agents over standard input and output, until the input ends. */
export async function mcp(options: TargetOptions): Promise<void> {
  const { url, credential } = (await contextOf(options)).client;
  const client = new MaskedClient(url, credential);
  await checkCredential(client);
  // A request to Strata would keep the process alive after its client has gone.
  process.stdin.once('close', () => process.exit(0));
  serveStdio(() => createServer(client), { onerror: ({ name }) => note(`The connection reported ${name}.`) });
}

/**
 * Throws if the credential can do more than it should. If Strata cannot be reached now, the server starts, because each
 * call checks the credential again.
 */
async function checkCredential(client: MaskedClient): Promise<void> {
  const late = setTimeout(CHECK_MS_MAX, undefined, { ref: false }).then(() => {
    throw new CommandError(EXIT.unreachable, `Strata does not respond at ${client.url}.`);
  });
  try {
    await Promise.race([assertReadsOnly(client), late]);
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode !== EXIT.unreachable) throw error;
    const text = [error.message, error.details.hint].filter(Boolean).join(' ');
    note(`${text} The tools return errors until Strata can be reached.`);
  }
}
