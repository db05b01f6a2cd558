import { createHash, hash } from 'node:crypto';
import { Failure, LruCache } from '@strata/domain';
import type { RestClient } from '@strata/rest-client';
import type { IncomingRequest } from '../context.ts';
import { areUnchanged } from '../core.ts';
import { credentialKey } from '../credential-key.ts';
import type { StorableSources } from './response-sources.ts';

const BYTES_MAX = 32 * 1024 * 1024;
const RESPONSE_BYTES = 512;
const SOURCE_BYTES = 128;
/** The most requests that wait for one validation, so that the rates of the core still limit a caller. */
const WAITING_MAX = 16;
/** Errors that the core would return to each further validation, too. */
const REJECTIONS: readonly Failure['kind'][] = ['unauthenticated', 'bad_credential', 'forbidden'];

export interface StoredGraphQLResponse extends StorableSources {
  readonly body: Buffer;
  readonly contentType: string;
  readonly etag: string;
}

/** The part of a request that determines its response, besides the data of the core. */
export interface GraphQLRequestKey {
  readonly method: string;
  readonly url: string;
  /** The bytes of document, variables, operation name and extensions. */
  readonly body: Buffer;
  /** The headers by which Apollo chooses the form of the response, or rejects the request. */
  readonly headers: readonly (string | undefined)[];
}

/** A validation that runs, and the one that follows it for the requests that arrived meanwhile. */
interface Validation {
  readonly response: StoredGraphQLResponse;
  readonly isCurrent: Promise<boolean>;
  next: Promise<boolean> | null;
  waiting: number;
}

/**
 * Stores the responses of queries. Before one is sent again, the core validates it: one call contains all reads that it
 * was built from, each with the entity tag of its response. The response is current if every tag still matches. The
 * core checks credential, permissions and rates of these reads, and remembers them, like those of the first request.
 */
export class GraphQLResponseStore {
  private readonly responses = new LruCache<StoredGraphQLResponse>(BYTES_MAX, sizeInBytes, credentialPart);
  private readonly validations = new Map<string, Validation>();

  constructor(private readonly clientFor: (caller: IncomingRequest) => RestClient) {}

  /** Returns a stored response that is current, or null. */
  async findCurrent(key: string, caller: IncomingRequest): Promise<StoredGraphQLResponse | null> {
    const response = this.responses.get(key);
    if (!response) return null;
    return (await this.validate(key, response, caller)) ? response : null;
  }

  put(key: string, response: Omit<StoredGraphQLResponse, 'etag'>): StoredGraphQLResponse {
    const etag = `"${hash('sha256', response.body, 'base64url')}"`;
    const storedResponse = { ...response, etag };
    this.responses.put(key, storedResponse);
    return storedResponse;
  }

  /**
   * Concurrent requests for one response share a validation. A request that arrives while one runs waits for the next
   * one, because the result of the running one may be older than the request. A response that is no longer current needs
   * no further validation.
   */
  private validate(key: string, response: StoredGraphQLResponse, caller: IncomingRequest): Promise<boolean> {
    const runningValidation = this.validations.get(key);
    if (runningValidation?.response !== response) return this.startValidation(key, response, caller);
    if (runningValidation.waiting >= WAITING_MAX) return this.isCurrent(key, response, caller);
    runningValidation.waiting += 1;
    runningValidation.next ??= runningValidation.isCurrent.then(
      (isSame) => isSame && this.startValidation(key, response, caller),
    );
    return runningValidation.next;
  }

  private startValidation(key: string, response: StoredGraphQLResponse, caller: IncomingRequest): Promise<boolean> {
    const isCurrent = this.isCurrent(key, response, caller);
    const validation: Validation = { response, isCurrent, next: null, waiting: 0 };
    this.validations.set(key, validation);
    void isCurrent.then((isSame) => {
      const isLast = !isSame || validation.next === null;
      if (isLast && this.validations.get(key) === validation) this.validations.delete(key);
    });
    return isCurrent;
  }

  /** An error leads to an ordinary execution, which reports it. */
  private async isCurrent(key: string, response: StoredGraphQLResponse, caller: IncomingRequest): Promise<boolean> {
    try {
      const isSame = await areUnchanged(this.clientFor(caller), response);
      if (!isSame) this.remove(key, response);
      return isSame;
    } catch (error) {
      if (error instanceof Failure && REJECTIONS.includes(error.kind)) this.remove(key, response);
      return false;
    }
  }

  /** Removes a response, unless another one has replaced it. */
  private remove(key: string, response: StoredGraphQLResponse): void {
    if (this.responses.get(key) === response) this.responses.delete(key);
  }
}

/** Returns the key of a stored response. It begins with the hash of the credential, whose responses share the memory. */
export function responseKey(authorization: string, { method, url, body, headers }: GraphQLRequestKey): string {
  const request = createHash('sha256')
    .update(JSON.stringify([method, url, headers]))
    .update(body);
  return `${credentialKey(authorization)} ${request.digest('base64')}`;
}

const credentialPart = (key: string): string => key.slice(0, key.indexOf(' '));

function sizeInBytes({ body, reads }: StoredGraphQLResponse): number {
  const paths = reads.reduce((sum, { path }) => sum + path.length + SOURCE_BYTES, 0);
  return RESPONSE_BYTES + body.length + paths;
}
