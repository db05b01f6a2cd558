import { hash, randomBytes } from 'node:crypto';
import { on, once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { finished } from 'node:stream/promises';
import { comparisonNumber } from '@strata/domain';
import { openInBrowser } from '../../../core/console-page.ts';
import { CommandError, EXIT } from '../../../core/errors.ts';
import { type HttpResponse, httpRequest, readSingleHeader } from '../../../core/http-request.ts';
import { printNote } from '../../../core/output.ts';
import { promptSecret, readStdin } from '../../../core/prompt.ts';

/** The user may have to sign in with an identity provider first. */
const TIMEOUT_MS = 5 * 60_000;
const PAGE_TIMEOUT_MS = 5_000;
const SECRET_BYTES = 32;
const PAGE = '/command-line';

/** A code that a person has approved, with the proof that this process has requested it. */
interface ApprovedCode {
  readonly code: string;
  readonly verifier: string;
}

interface BrowserSignIn<Result> {
  /** The address of the console. */
  readonly origin: string;
  /** Whether this machine has a browser. Otherwise the user opens the page elsewhere and pastes the code. */
  readonly hasBrowser: boolean;
  /** Signs in with the code. */
  complete(approved: ApprovedCode): Promise<Result>;
}

/** Lets a person approve the sign-in in the console, and completes it with the code that the console returns (RFC 8252). */
export async function signInByBrowser<Result>(signIn: BrowserSignIn<Result>): Promise<Result> {
  const verifier = randomBytes(SECRET_BYTES).toString('base64url');
  const page = new ApprovalPage(signIn.origin, hash('sha256', verifier, 'base64url'));
  const completeSignIn = (code: string) => signIn.complete({ code, verifier });
  const receivedSignIn = signIn.hasBrowser ? await receivedCode(page, completeSignIn) : null;
  return receivedSignIn === null ? completeSignIn(await pastedCode(page)) : receivedSignIn.result;
}

/** Throws if there is no console at an address. This machine may be unable to reach a console that others can use. */
export async function assertPage(origin: string): Promise<void> {
  const request = { method: 'GET', headers: { accept: 'text/html' }, timeoutMs: PAGE_TIMEOUT_MS };
  const page = await httpRequest(`${origin}${PAGE}`, request).catch(() => null);
  if (page === null || (page.status !== 404 && (page.status !== 200 || isHtml(page)))) return;
  throw new CommandError(EXIT.notSignedIn, `There is no console at ${origin}, so you cannot sign in by browser.`, {
    hint: 'Select its address with `--console`, or sign in with `--email` or `--key`.',
  });
}

const isHtml = ({ headers }: HttpResponse): boolean =>
  readSingleHeader(headers, 'content-type')?.startsWith('text/html') === true;

/** The page of the console that approves a sign-in. Both sides show the number, which the person compares. */
class ApprovalPage {
  constructor(
    private readonly origin: string,
    private readonly challenge: string,
  ) {}

  get number(): string {
    return comparisonNumber(this.challenge);
  }

  /** Returns the address of the page. Without a listener, the page shows the code. */
  addressFor(listener: { readonly port: string; readonly state: string } | null): string {
    return this.withQuery({ challenge: this.challenge, machine: machineName(), ...listener });
  }

  /** Returns the address of the page that shows how the sign-in has ended. */
  endedAs(result: 'done' | 'cancelled' | 'failed'): string {
    return this.withQuery({ result });
  }

  private withQuery(query: Readonly<Record<string, string>>): string {
    return `${this.origin}${PAGE}?${new URLSearchParams(query)}`;
  }
}

/** The console accepts only these characters, so that a name cannot imitate another program in the list of sessions. */
const machineName = (): string =>
  os
    .hostname()
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 64) || 'unknown';

async function pastedCode(page: ApprovalPage): Promise<string> {
  printNote(`Open this address in a browser:\n\n  ${page.addressFor(null)}\n`);
  printNote(`Allow the sign-in if the page shows the number ${page.number}, and enter the code that it shows then.`);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return (process.stdin.isTTY ? await promptSecret('Code', signal) : await readStdin(signal)).trim();
  } catch (error) {
    throw signal.aborted ? notApproved() : error;
  }
}

/** Receives the code from the browser of this machine. Returns null if no browser can be started. */
async function receivedCode<Result>(
  page: ApprovalPage,
  completeSignIn: (code: string) => Promise<Result>,
): Promise<{ readonly result: Result } | null> {
  const state = randomBytes(SECRET_BYTES).toString('base64url');
  const server = http.createServer();
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const port = String((server.address() as AddressInfo).port);
    const address = page.addressFor({ port, state });
    if (!(await openInBrowser(address))) return null;
    printNote(`Allow the sign-in in the browser if the page shows the number ${page.number}.`);
    printNote(`If no browser opens, run \`strata login --no-browser\`, or open this address here:\n\n  ${address}\n`);
    const firstResponse = await firstAnswer(server, `127.0.0.1:${port}`, state);
    return { result: await completedBy(firstResponse, page, completeSignIn) };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Completes the sign-in with the answer of the console, and sends the browser back to it, which shows the result. */
async function completedBy<Result>(
  { answer: signInResult, response }: Awaited<ReturnType<typeof firstAnswer>>,
  page: ApprovalPage,
  completeSignIn: (code: string) => Promise<Result>,
): Promise<Result> {
  const leave = async (result: Parameters<ApprovalPage['endedAs']>[0]) => {
    response.writeHead(303, { ...HEADERS, location: page.endedAs(result) }).end();
    // The browser may have closed the connection.
    await finished(response).catch(() => undefined);
  };
  if (signInResult.code === null) {
    await leave('cancelled');
    throw new CommandError(EXIT.notSignedIn, 'The sign-in was cancelled in the browser.');
  }
  const [outcome] = await Promise.allSettled([completeSignIn(signInResult.code)]);
  await leave(outcome.status === 'fulfilled' ? 'done' : 'failed');
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

interface Answer {
  /** Null if the person cancelled the sign-in. */
  readonly code: string | null;
}

/** Waits for the request with which the console returns a code or an error. Other requests have no effect. */
async function firstAnswer(server: http.Server, host: string, state: string) {
  try {
    for await (const [request, response] of on(server, 'request', { signal: AbortSignal.timeout(TIMEOUT_MS) })) {
      const signInResult = answerIn(request, host, state);
      if (signInResult !== null) return { answer: signInResult, response: response as http.ServerResponse };
      response.writeHead(404, HEADERS).end();
    }
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
  }
  throw notApproved();
}

const notApproved = () =>
  new CommandError(EXIT.notSignedIn, 'The sign-in was not approved within 5 minutes.', {
    hint: 'Run `strata login` again.',
  });

/** The code is in the address of the request, which must not appear elsewhere. */
const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', connection: 'close' };

/** Only the console knows the state. A page that has guessed the port does not. */
function answerIn({ method, url, headers }: http.IncomingMessage, host: string, state: string): Answer | null {
  if (method !== 'GET' || headers.host !== host || !url?.startsWith('/?')) return null;
  const query = new URLSearchParams(url.slice(2));
  return query.get('state') === state ? { code: query.get('code') } : null;
}
