import { setTimeout } from 'node:timers/promises';
import { loadContext } from '../core/context.ts';
import { defineCommand } from '../core/define-command.ts';
import { CommandError, EXIT } from '../core/errors.ts';
import { URL_OPTIONS } from '../core/options.ts';
import { printNote } from '../core/output.ts';
import { assertReadsOnly } from './credential.ts';
import { MaskedClient } from './masked-client.ts';

/** Clients of the protocol wait for a server to start, some only for ten seconds. */
const CHECK_MS_MAX = 5_000;

/** Serves tools for agents over standard input and output, until the input ends. */
export const command = defineCommand({
  description:
    'serve tools for agents over standard input and output (Model Context Protocol); they read masked configuration and plan changes',
  options: URL_OPTIONS,
  async run(_, options) {
    const { url, credential } = (await loadContext(options)).client;
    const client = new MaskedClient(url, credential);
    await checkCredential(client);
    // The help and completions load this file, and need no server.
    const [{ serveStdio }, { createServer }] = await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('./server.ts'),
    ]);
    // A request to Strata would keep the process alive after its client has gone.
    process.stdin.once('close', () => process.exit(0));
    serveStdio(() => createServer(client), { onerror: ({ name }) => printNote(`The connection reported ${name}.`) });
  },
});

/**
 * Throws if the credential can do more than it should. If Strata cannot be reached now, the server starts, because each
 * call checks the credential again.
 */
async function checkCredential(client: MaskedClient): Promise<void> {
  const timeout = setTimeout(CHECK_MS_MAX, undefined, { ref: false }).then(() => {
    throw new CommandError(EXIT.unreachable, `Strata does not respond at ${client.url}.`);
  });
  try {
    await Promise.race([assertReadsOnly(client), timeout]);
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode !== EXIT.unreachable) throw error;
    const text = [error.message, error.details.hint].filter(Boolean).join(' ');
    printNote(`${text} The tools return errors until Strata can be reached.`);
  }
}
