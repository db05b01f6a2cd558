import { requestCore, type UpstreamResponse } from './core-request.ts';

/** The core does not answer, or answers that it cannot answer now. */
export class UpstreamLostError extends Error {
  override readonly name = 'UpstreamLostError';
}

export interface UpstreamRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly authorization: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Without it, the request has no time limit. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const PROBE_MS = 1_000;
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Sends requests to the core, or to the edge that this edge follows. After a failure, requests fail at once until the
 * core answers a probe, so that programs do not wait for a core that is gone.
 */
export class Upstream {
  #isLost = false;
  #probe: NodeJS.Timeout | null = null;
  #isClosed = false;
  readonly #listeners = new Set<() => void>();

  constructor(readonly url: string) {}

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Calls the listener whenever the core answers again. */
  onFound(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Returns a response of the core, also an error. Throws an UpstreamLostError if something else answers, or nothing. */
  async send(pathAndQuery: string, request: UpstreamRequest): Promise<UpstreamResponse> {
    if (this.#isLost) throw new UpstreamLostError();
    const { method = 'GET', authorization, headers, body, timeoutMs, signal } = request;
    const limits = [timeoutMs === undefined ? [] : AbortSignal.timeout(timeoutMs), signal ?? []].flat();
    let response: UpstreamResponse;
    try {
      response = await requestCore(`${this.url}${pathAndQuery}`, {
        ...{ method, body, signal: AbortSignal.any(limits) },
        headers: { accept: 'application/json', ...headers, ...(authorization && { authorization }) },
      });
    } catch {
      if (signal?.aborted) throw new UpstreamLostError();
      throw this.#lose();
    }
    if (isFromCore(response)) return response;
    response.discard();
    throw this.#lose();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#probe ?? undefined);
  }

  #lose(): UpstreamLostError {
    if (!this.#isLost) {
      this.#isLost = true;
      this.#probeLater();
    }
    return new UpstreamLostError();
  }

  #probeLater(): void {
    if (this.#isClosed) return;
    this.#probe = setTimeout(async () => {
      const probe = { method: 'GET', headers: {}, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) };
      const response = await requestCore(`${this.url}/api/readyz`, probe).catch(() => null);
      response?.discard();
      if (!response?.ok) return this.#probeLater();
      this.#isLost = false;
      for (const listener of this.#listeners) listener();
    }, PROBE_MS);
  }
}

/** A proxy in between can return errors, too, and can redirect. Only errors of Strata have a code. */
function isFromCore({ status, headers }: UpstreamResponse): boolean {
  if (status < 300 || status === 304) return true;
  return status >= 400 && headers.has('x-error-code');
}
