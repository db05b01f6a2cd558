import { randomUUID } from 'node:crypto';
import type { OperationArguments, OperationClient, OperationId, OperationResponse, Page } from '@strata/contract';
import { type AnyRequest, findRoute, queryString, toFailure, UnexpectedResponseError } from '@strata/rest-client';
import { CommandError, EXIT, type ExitCode } from './errors.ts';
import { type HttpRequest, type HttpResponse, httpRequest, readSingleHeader } from './http-request.ts';
import type { NamedList } from './not-found.ts';
import { CREDENTIAL_VARIABLES } from './programs/child-environment.ts';

export interface SendOptions {
  readonly accept?: string;
  /** Sends an idempotency key, so that the request can be sent again if its response is lost. */
  readonly isWrite?: boolean;
  /** Hints for error codes that differ from the usual ones. */
  readonly hints?: CodeHints | undefined;
}

/** The next steps of the user by the error code of Strata. */
export type CodeHints = Readonly<Record<string, string>>;

export interface ClientReply<T> {
  readonly body: T;
  readonly headers: HttpResponse['headers'];
}

/** The header with a credential, or the function that exchanges the token of a job or a pod for that of a session. */
export type ClientCredential = string | { readonly token: () => Promise<string> };

/** A plan can take 64 s, and a changeset as long. */
const TIMEOUT_MS = 75_000;
const WRITE_ATTEMPTS = 2;

const EXIT_CODES: Readonly<Record<number, ExitCode>> = {
  401: EXIT.notSignedIn,
  403: EXIT.forbidden,
  404: EXIT.notFound,
  412: EXIT.outdated,
  429: EXIT.unreachable,
  502: EXIT.unreachable,
  503: EXIT.unreachable,
  504: EXIT.unreachable,
};

const HINTS: Readonly<Record<number, string>> = {
  403: 'Ask an ADMIN or an OWNER of the scope for access. `strata whoami` prints your role.',
  412: 'The configuration has changed since the plan. Plan again, with `strata plan` or --dry-run.',
  429: 'Wait, and run the command again.',
  503: 'Wait, and run the command again.',
};

/** Returns what to do if Strata does not accept the credential. */
function signInHint(): string {
  const source = CREDENTIAL_VARIABLES.find((name) => process.env[name]);
  return source === undefined ? 'Run `strata login`.' : `Unset or correct ${source}.`;
}

/** Sentences in the words of the command line, for errors whose own sentence names parameters of the API. */
const SENTENCES: Readonly<Record<string, string>> = {
  reveal_forbidden: 'You may not reveal secrets.',
};

export const HINTS_OF_CODES: CodeHints = {
  reveal_forbidden:
    'Leave out --reveal; use --masked for `export`, and --without-secrets for `run`. Or ask an ADMIN for the ability to reveal secrets.',
  revert_conflicts:
    'Add --on-conflict skip to leave these objects as they are, or --on-conflict overwrite to replace their later changes.',
  recently_read: 'Stop the program that reads it.',
  unknown_parameter: 'Check the name, or add --create to create the parameter.',
  parameter_mismatch:
    'For a secret, give only the name, because other users of this machine can read arguments. The value is then read from the terminal or standard input.',
};

/** Sends requests to the REST API with one credential. Throws a CommandError for each error. */
export class Client implements OperationClient {
  private session: Promise<string> | null = null;

  constructor(
    readonly url: string,
    readonly credential: ClientCredential | null,
  ) {}

  /** Returns the header with the credential. The first call exchanges the token of a job or a pod. */
  async authorization(): Promise<string | null> {
    const { credential } = this;
    if (credential === null || typeof credential === 'string') return credential;
    const session = this.session ?? credential.token();
    this.session = session;
    try {
      return `Bearer ${await session}`;
    } catch (error) {
      this.expire(session);
      throw error;
    }
  }

  async call<Id extends OperationId>(
    id: Id,
    ...[request, options]: OperationArguments<Id, SendOptions>
  ): Promise<OperationResponse<Id>> {
    return (await this.send<OperationResponse<Id>>(id, request as AnyRequest | undefined, options)).body;
  }

  async send<T>(id: OperationId, request: AnyRequest = {}, options: SendOptions = {}): Promise<ClientReply<T>> {
    const response = await this.reply(id, request, options);
    if (response.status < 200 || response.status > 299) throw await this.rejection(response, request, options.hints);
    return { body: (await this.parsed(response)) as T, headers: response.headers };
  }

  /** Sends a request to a path below the API. The contract has these operations once per provider, so they are not typed. */
  async sendTo<T>(method: string, path: string, request: AnyRequest = {}): Promise<T> {
    const response = await this.replyTo(`/api/v1/${path}`, method, request);
    if (response.status < 200 || response.status > 299) throw await this.rejection(response, request);
    return (await this.parsed(response)) as T;
  }

  /** Sends a request, and returns the response even if Strata rejected the request. */
  reply(id: OperationId, request: AnyRequest, options: SendOptions = {}): Promise<HttpResponse> {
    const { method, path } = findRoute(id, request.path);
    return this.replyTo(path, method, request, options);
  }

  private async replyTo(path: string, method: string, request: AnyRequest, options: SendOptions = {}) {
    const { accept = 'application/json', isWrite = false } = options;
    const { query, body } = request;
    const headers = {
      accept: `${accept}, application/problem+json`,
      ...(body && { 'content-type': 'application/json' }),
      ...(isWrite && { 'idempotency-key': randomUUID() }),
    };
    const sentRequest = { method, headers, body: body && JSON.stringify(body), timeoutMs: TIMEOUT_MS };
    const url = `${this.url}${path}${queryString(query)}`;
    const attempts = isWrite ? WRITE_ATTEMPTS : 1;
    const session = this.session;
    const response = await this.authorized(url, sentRequest, attempts);
    // A session that was used before can have expired.
    if (session === null || !isCredentialRejected(response)) return response;
    this.expire(session);
    return this.authorized(url, sentRequest, attempts);
  }

  /** Returns the error for a request that Strata rejected. */
  async rejection(response: HttpResponse, request: AnyRequest, hints?: CodeHints): Promise<CommandError> {
    const error = await addressError(this.url, response);
    return error ?? this.explained(this.toError(response, hints), request);
  }

  /** Returns the id of a project, which paths contain. */
  projectId(name: string): Promise<string> {
    return this.requireId('projects_list', name, 'project');
  }

  /** Returns the id of an environment, which paths contain. */
  environmentId(name: string): Promise<string> {
    return this.requireId('environments_list', name, 'environment');
  }

  /** Returns the id of the object with a name; null if there is none. */
  async findId(id: NamedList, name: string, path?: AnyRequest['path']): Promise<string | null> {
    const { body } = await this.send<Page<{ readonly id: string }>>(id, { path, query: { name, page_size: 1 } });
    return body.results[0]?.id ?? null;
  }

  /** Returns the id of the object with a name. Throws if there is none. */
  async requireId(id: NamedList, name: string, kind: string, path?: AnyRequest['path']): Promise<string> {
    const match = await this.findId(id, name, path);
    if (match !== null) return match;
    const { fetchNames: namesIn, unknownNameError: unknownName } = await import('./not-found.ts');
    throw unknownName(kind, name, await namesIn(this, id, path));
  }

  /** Completes an error for something that does not exist by the names of what exists. */
  async explained(error: CommandError, request: AnyRequest): Promise<CommandError> {
    if (error.exitCode !== EXIT.notFound) return error;
    return (await import('./not-found.ts')).notFoundError(this, error, request);
  }

  private async authorized(url: string, request: HttpRequest, attempts: number): Promise<HttpResponse> {
    const authorization = await this.authorization();
    const headers = { ...request.headers, ...(authorization !== null && { authorization }) };
    return this.response(url, { ...request, headers }, attempts);
  }

  /** Makes the next request exchange the token again, unless another one has done so. */
  private expire(session: Promise<string>): void {
    if (this.session === session) this.session = null;
  }

  private async response(url: string, request: HttpRequest, attempts: number): Promise<HttpResponse> {
    try {
      return await httpRequest(url, request);
    } catch (error) {
      if (attempts > 1) return this.response(url, request, attempts - 1);
      throw await (await import('./wrong-address.ts')).connectionError(this.url, error);
    }
  }

  private async parsed(response: HttpResponse): Promise<unknown> {
    const { status, headers, text } = response;
    if (status === 204) return null;
    if (headers['content-type']?.startsWith('text/plain')) return text;
    try {
      return JSON.parse(text);
    } catch {
      throw await (await import('./wrong-address.ts')).foreignResponseError(this.url, response);
    }
  }

  private toError({ status, headers, text }: HttpResponse, hints: CodeHints = {}): CommandError {
    const code = readSingleHeader(headers, 'x-error-code');
    const requestId = readSingleHeader(headers, 'x-request-id');
    const retryAfter = readSingleHeader(headers, 'retry-after');
    const failure = toFailure({
      status,
      code,
      requestId,
      text,
      rules: readSingleHeader(headers, 'x-error-rule'),
      retryAfter,
    });
    if (failure instanceof UnexpectedResponseError)
      return new CommandError(EXIT.failed, `Strata returned ${status}.`, { requestId });
    // A credential that Strata does not accept has the status 403, as existing clients expect.
    const meaning = code === 'bad_credential' ? 401 : status;
    const problems = failure.problems.filter(({ field }) => !isNamedInMessage(field));
    const lines = problems.map(({ field, message }) => `  ${[named(field), message].filter(Boolean).join(': ')}`);
    const sentence = SENTENCES[code ?? ''] ?? failure.message;
    const first = lines.length > 0 ? 'Strata rejected the request:' : sentence;
    const details = {
      hint: { ...HINTS_OF_CODES, ...hints }[code ?? ''] ?? (meaning === 401 ? signInHint() : HINTS[meaning]),
      requestId,
      code: code ?? undefined,
      // The error of a changeset as a whole only counts its rejected operations.
      pointer: failure.problems[0]?.pointer ?? failure.pointer,
      params: failure.problems[0]?.params ?? failure.params,
    };
    return new CommandError(EXIT_CODES[meaning] ?? EXIT.failed, [first, ...lines].join('\n'), details);
  }
}

const isCredentialRejected = ({ status, headers }: HttpResponse): boolean =>
  status === 401 || readSingleHeader(headers, 'x-error-code') === 'bad_credential';

async function addressError(url: string, response: HttpResponse): Promise<CommandError | null> {
  // Strata names the code of each error, except for some unknown paths.
  const code = readSingleHeader(response.headers, 'x-error-code');
  if (code !== null && code !== 'unknown_route') return null;
  return (await import('./wrong-address.ts')).addressError(url, response);
}

/** Returns whether the message of an error describes a problem, with the name of its object. */
const isNamedInMessage = (field: string): boolean => field === 'non_field_errors' || field.startsWith('conflicts.');

/** Returns the field of a problem. The first operation is the only one of most changesets. */
function named(field: string): string {
  const [list, index, ...members] = field.split('.');
  if (list !== 'operations' || index === undefined) return field;
  const member = members.join('.');
  return index === '0' ? member : `operation ${index} ${member}`.trim();
}
