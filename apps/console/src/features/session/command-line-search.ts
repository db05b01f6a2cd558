import type { WaitingCommandLine } from '../../data/command-line.ts';
import { parsePositiveInteger, parseText } from '../../ui/search-params.ts';

/** How a sign-in has ended, as the command line reports it. */
const RESULTS = ['done', 'cancelled', 'failed'] as const;

/** The address that the command line opens, or to which it sends the browser back. All members come from the address. */
interface CommandLineSearch {
  readonly challenge?: string | undefined;
  readonly machine?: string | undefined;
  /** The port of the command line on this machine, and the text with which it recognizes the console. */
  readonly port?: number | undefined;
  readonly state?: string | undefined;
  readonly result?: (typeof RESULTS)[number] | undefined;
}

const HASH = /^[\w-]{43}$/;
const MACHINE = /^[\w.-]{1,64}$/;
const PORT_MAX = 65_535;

const matching = (input: unknown, pattern: RegExp): string | undefined => {
  const text = parseText(input);
  return text !== undefined && pattern.test(text) ? text : undefined;
};

export function parseCommandLineSearch(search: Record<string, unknown>): CommandLineSearch {
  const port = parsePositiveInteger(search.port);
  return {
    challenge: matching(search.challenge, HASH),
    machine: matching(search.machine, MACHINE),
    port: port !== undefined && port <= PORT_MAX ? port : undefined,
    state: matching(search.state, HASH),
    result: RESULTS.find((result) => result === search.result),
  };
}

/** Where the command line waits for the answer on this machine. */
interface CommandLineListener {
  readonly port: number;
  readonly state: string;
}

/** A command line that requests a sign-in. Without a listener, the user copies the code to the terminal. */
export interface CommandLineRequest extends WaitingCommandLine {
  readonly listener: CommandLineListener | null;
}

/** Returns null if the address is incomplete. */
export function readRequest({ challenge, machine, port, state }: CommandLineSearch): CommandLineRequest | null {
  if (challenge === undefined || machine === undefined) return null;
  if (port === undefined && state === undefined) return { challenge, machine, listener: null };
  return port === undefined || state === undefined ? null : { challenge, machine, listener: { port, state } };
}

/** Returns the address of the command line with an answer. The host is always this machine, whatever the address of the page says. */
export function answerAddress(
  { port, state }: CommandLineListener,
  codeOrError: { code: string } | { error: string },
): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ ...codeOrError, state })}`;
}
