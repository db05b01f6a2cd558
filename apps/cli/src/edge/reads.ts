import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EffectiveBatch, FlagEvaluation, FlagSet } from '@strata/contract';
import type { Access } from './callers.ts';
import type { ValueSelection } from './documents.ts';
import type { FollowedScope } from './followed-scope.ts';
import type { Admission, Admitted, Gate } from './gate.ts';
import { choose, parseQuery } from './read-query.ts';
import { type ReadRecord, RecordFullError, toMinute } from './record.ts';
import { EdgeError, hasCopy, notAtEdgeError } from './responses.ts';

/** A request with what all handlers need of it. */
export interface EdgeCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly authorization: string;
}

/** `pass_on`: the core has to answer the request. */
export type EdgeOutcome = 'served' | 'stale' | 'pass_on';

const WAIT_SECONDS_MAX = 30;
const NO_STORE = 'private, no-store';
const REVALIDATE = 'private, no-cache';

/** The decision about a request without secrets, for equal requests. */
interface RepeatedRead {
  readonly scope: FollowedScope;
  readonly version: number;
  readonly selection: ValueSelection;
  readonly access: Access;
  /** The minute in which the record last got this read, which it keeps once a minute. */
  notedMinute: number;
}

/** Limits memory. Beyond it, requests are decided again. */
const REPEATED_MAX = 10_000;

/** Answers requests for effective values and flags. */
export class Reads {
  readonly #repeated = new Map<string, RepeatedRead>();
  readonly #flags = new WeakMap<object, ReadonlyMap<string, FlagEvaluation>>();
  /** Called for each confirmation that an instance runs a configuration. */
  onInstance: (call: EdgeCall, scope: FollowedScope, selection: ValueSelection) => void = () => undefined;

  constructor(
    private readonly gate: Gate,
    private readonly record: ReadRecord,
    private readonly tag: (text: string) => string,
  ) {}

  /**
   * Answers a request as an equal one before, if neither the configuration nor the confirmations of the core have changed
   * since. Returns null if the request has to be decided again.
   */
  repeat({ method, url, headers }: IncomingMessage, response: ServerResponse): EdgeOutcome | null {
    if (method !== 'GET' || headers['if-none-match'] !== undefined || headers[INSTANCE] !== undefined) return null;
    const repeated = this.#repeated.get(`${url}\n${headers.authorization}`);
    if (repeated === undefined || repeated.version !== repeated.scope.version) return null;
    const { scope, selection, access } = repeated;
    if (!this.gate.isConfirmed(access, scope, 'masked')) return null;
    access.usedAt = Date.now();
    const minute = toMinute(access.usedAt);
    if (repeated.notedMinute !== minute) {
      repeated.notedMinute = minute;
      void noteRead(this.record, access, selection.names, false);
    }
    const admission = {
      access,
      ageMs: access.usedAt - Math.min(access.confirmedAt, scope.confirmedAt),
      isStale: false,
    };
    return this.#write({ response }, admission, { ...describeSelection(selection), body: selection.body });
  }

  /** `GET projects/{id}/effective/` */
  async effective(call: EdgeCall, scope: FollowedScope): Promise<EdgeOutcome> {
    const query = parseQuery(call.url, ['environment', 'mask_secrets', 'name', 'name__in', 'wait']);
    if (query === 'invalid' || query.waitSeconds > WAIT_SECONDS_MAX) return 'pass_on';
    const until = Date.now() + query.waitSeconds * 1_000;
    for (;;) {
      const change = waitForChange(scope, call.response, until - Date.now());
      const admitted = await this.gate.admitSelection(call.authorization, scope, () => choose(scope, query));
      if (admitted === 'pass_on') return 'pass_on';
      const { selection, admission } = admitted;
      const isCurrent = hasCopy(call.request, [selection.etag, `"${selection.digest}"`]);
      if (isCurrent && !hasCopy(call.request, [selection.etag]) && selection.isClear)
        await this.#note(admission, selection.names, true);
      if (!isCurrent || query.waitSeconds === 0 || Date.now() >= until) {
        change.cancel();
        return this.#send(call, scope, admitted, isCurrent);
      }
      await change.happened;
      if (call.response.destroyed) return 'served';
    }
  }

  /** `GET effective/`, for projects in environments that this edge follows. */
  async batch(
    call: EdgeCall,
    findScope: (project: string, environment: string) => FollowedScope,
  ): Promise<EdgeOutcome> {
    const { searchParams } = call.url;
    const query = parseQuery(call.url, ['project', 'environment', 'include', 'mask_secrets', 'name', 'name__in']);
    const members = searchParams.get('include')?.split(',') ?? [];
    if (members.length === 0 || !members.every((member) => member === 'value' || member === 'secret'))
      throw notAtEdgeError('An edge returns only the members `value` and `secret`. Add `include=value`.');
    const environments = searchParams.getAll('environment');
    const scopes = searchParams
      .getAll('project')
      .flatMap((project) => environments.map((environment) => findScope(project, environment)));
    if (query === 'invalid' || scopes.length === 0) return 'pass_on';
    const parts: { selection: ValueSelection; admission: Admission; result: EffectiveBatch['results'][number] }[] = [];
    for (const scope of scopes) {
      const admitted = await this.gate.admitSelection(call.authorization, scope, () => choose(scope, query));
      if (admitted === 'pass_on') return 'pass_on';
      const { selection, admission } = admitted;
      parts.push({ selection, admission, result: batchResult(scope, selection, members) });
    }
    const body: EffectiveBatch = {
      revision: Math.max(...parts.map(({ selection }) => selection.configuration.revision)),
      results: parts.map(({ result }) => result),
    };
    const text = JSON.stringify(body);
    const etag = `"${this.tag(text)}"`;
    const isCurrent = hasCopy(call.request, [etag]);
    for (const { selection, admission } of parts)
      await this.#note(admission, selection.names, selection.isClear && !isCurrent);
    const isClear = parts.some(({ selection }) => selection.isClear);
    const oldest = parts.reduce((first, part) => (part.admission.ageMs > first.admission.ageMs ? part : first));
    return this.#write(call, oldest.admission, {
      ...{ revision: body.revision, etag, isClear, body: isCurrent ? null : text },
    });
  }

  /** `POST projects/{project}/environments/{environment}/ofrep/v1/evaluate/flags` and one flag of them. */
  async flags(call: EdgeCall, scope: FollowedScope, key: string | undefined): Promise<EdgeOutcome> {
    call.request.resume();
    const pick = () => ({ document: 'flags', selection: scope.flags, showsSecret: false }) as const;
    const admitted = await this.gate.admitSelection(call.authorization, scope, pick);
    if (admitted === 'pass_on') return 'pass_on';
    const { admission, selection: document } = admitted;
    await this.#note(admission, key === undefined ? [] : [key], false);
    const { revision, etag } = document;
    if (key === undefined) {
      const body = hasCopy(call.request, [etag]) ? null : document.body;
      return this.#write(call, admission, { revision, etag, isClear: false, body });
    }
    const flags = this.#flags.get(document) ?? indexFlags(document.body);
    this.#flags.set(document, flags);
    const flag = flags.get(key);
    if (flag === undefined) throw new EdgeError(404, 'not_found', 'Not found.');
    if (flag.errorCode !== undefined) return 'pass_on';
    return this.#write(call, admission, { revision, etag: null, isClear: false, body: JSON.stringify(flag) });
  }

  /** `GET projects/?name=`: the id and the name, for callers that may read the project here. */
  async project(call: EdgeCall, scope: FollowedScope): Promise<EdgeOutcome> {
    const admission = await this.gate.confirm(call.authorization, scope, false);
    if (Object.keys(admission.access.proofs).length === 0) return 'pass_on';
    const { project_id: id, project_name: name } = scope.requireIdentity();
    const body = JSON.stringify({ count: 1, next: null, previous: null, results: [{ id, name }] });
    const revision = scope.select('masked', null)?.configuration.revision ?? 0;
    return this.#write(call, admission, { revision, etag: null, isClear: false, body });
  }

  async #send(
    call: EdgeCall,
    scope: FollowedScope,
    admitted: Admitted<ValueSelection>,
    isCurrent: boolean,
  ): Promise<EdgeOutcome> {
    const { selection, admission } = admitted;
    await this.#note(admission, selection.names, selection.isClear && !isCurrent);
    if (isCurrent) this.onInstance(call, scope, selection);
    this.#remember(call, scope, admitted);
    return this.#write(call, admission, { ...describeSelection(selection), body: isCurrent ? null : selection.body });
  }

  #remember(
    { request, authorization }: EdgeCall,
    scope: FollowedScope,
    { selection, version, admission: { access } }: Admitted<ValueSelection>,
  ): void {
    if (selection.isClear || request.url === undefined) return;
    if (this.#repeated.size >= REPEATED_MAX) this.#repeated.clear();
    this.#repeated.set(`${request.url}\n${authorization}`, {
      ...{ scope, version, selection, access, notedMinute: toMinute(Date.now()) },
    });
  }

  #note({ access }: Admission, names: readonly string[] | null, isReveal: boolean): Promise<void> {
    return noteRead(this.record, access, names, isReveal);
  }

  #write(
    { response }: Pick<EdgeCall, 'response'>,
    { ageMs, isStale }: Admission,
    content: {
      readonly revision: number;
      readonly etag: string | null;
      readonly isClear: boolean;
      /** The response is a 304 if it is null. */
      readonly body: string | Buffer | null;
    },
  ): EdgeOutcome {
    response.writeHead(content.body === null ? 304 : 200, {
      ...(content.body !== null && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(content.body),
      }),
      ...(content.etag !== null && { etag: content.etag }),
      'x-revision': String(content.revision),
      'cache-control': content.isClear ? NO_STORE : REVALIDATE,
      vary: 'Authorization',
      age: String(Math.floor(ageMs / 1_000)),
      ...(isStale && { 'x-strata-stale': 'true' }),
    });
    response.end(content.body ?? undefined);
    return isStale ? 'stale' : 'served';
  }
}

const INSTANCE = 'x-strata-instance';

const describeSelection = ({ configuration: { revision }, etag, isClear }: ValueSelection) => ({
  revision,
  etag,
  isClear,
});

/** Records a read. Resolves at once, unless it reveals secrets. Throws 503 if a reveal cannot be recorded. */
export async function noteRead(
  record: ReadRecord,
  { key, receipt }: Admission['access'],
  names: readonly string[] | null,
  isReveal: boolean,
): Promise<void> {
  const whenStored = record.note(key, { receipt, names: names ?? [], revealed: isReveal, at: Date.now() });
  if (!isReveal) return void whenStored.catch(() => undefined);
  try {
    await whenStored;
  } catch (error) {
    if (!(error instanceof RecordFullError)) throw error;
    throw new EdgeError(
      503,
      'edge_record_full',
      'This edge cannot record more reads of secrets, so it returns none until the core has received the record.',
      { retryAfterSeconds: 60 },
    );
  }
}

function batchResult({ identity }: FollowedScope, selection: ValueSelection, members: readonly string[]) {
  const secrets = new Set(selection.configuration.secrets);
  const entries = [...selection.texts].map(([name, value]) => {
    const complete = { value, secret: secrets.has(name) };
    return [name, Object.fromEntries(Object.entries(complete).filter(([member]) => members.includes(member)))];
  });
  const { digest, hasSecret } = selection;
  const { project_id = '', project_name = '', environment_id = '', environment_name = '' } = identity ?? {};
  const values = Object.fromEntries(entries) as Record<string, { readonly value?: string | null }>;
  return {
    ...{ project_id, project_name, environment_id, environment_name },
    ...{ digest, has_secret: hasSecret, values, error: null },
  };
}

const indexFlags = (body: string): ReadonlyMap<string, FlagEvaluation> =>
  new Map((JSON.parse(body) as FlagSet).flags.map((flag) => [flag.key, flag]));

/** Resolves after a change of the configuration, when the time is over, or when the client leaves. */
function waitForChange(scope: FollowedScope, response: ServerResponse, milliseconds: number) {
  if (milliseconds <= 0) return { happened: Promise.resolve(), cancel: () => undefined };
  const { promise: happened, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const remove = scope.onChange(resolve);
  response.once('close', resolve);
  const cancel = () => {
    clearTimeout(timer);
    remove();
    response.off('close', resolve);
  };
  return { happened: happened.then(cancel), cancel };
}
