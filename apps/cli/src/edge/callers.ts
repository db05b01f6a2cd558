import type { CredentialConfirmation } from '@strata/contract';
import type { DocumentName } from './documents.ts';
import type { FollowedScope } from './followed-scope.ts';
import { type Rejection, readRejection } from './responses.ts';
import { type Upstream, UpstreamLostError } from './upstream.ts';

/** The confirmations of the core about a credential and a configuration, as they are stored on disk. */
export interface StoredAccess {
  /** The keyed digest of the credential and the ids of the scope. */
  readonly key: string;
  readonly scope: string;
  readonly permissions: string;
  readonly receipt: string;
  /** Milliseconds since 1970; null if the credential does not expire. */
  readonly expiresAt: number | null;
  /** Milliseconds since 1970. */
  readonly confirmedAt: number;
  /** The tags of the documents that the core would send to this caller. */
  readonly proofs: Readonly<Partial<Record<DocumentName, string>>>;
}

export type Proof = 'same' | 'different' | 'lost';

export interface Access extends StoredAccess {
  /** The credential itself; null after a restart, until its next request. It is never stored. */
  authorization: string | null;
  permissions: string;
  receipt: string;
  expiresAt: number | null;
  confirmedAt: number;
  usedAt: number;
  proofs: Partial<Record<DocumentName, string>>;
}

/** The core rejects the credential, or its access to the configuration. */
export class CredentialRejectedError extends Error {
  override readonly name = 'CredentialRejectedError';

  constructor(readonly rejection: Rejection) {
    super();
  }
}

/** A credential in use is confirmed again after this time. Together with the timeout it stays below 5 s. */
const FRESH_MS = 2_500;
const CONFIRM_TIMEOUT_MS = 2_000;
const PROVE_TIMEOUT_MS = 10_000;
/** A credential that was used before is confirmed at this interval, so that a program can restart without the core. */
const IDLE_CONFIRM_MS = 300_000;
const IDLE_MS_MAX = 7 * 86_400_000;
const ACCESSES_MAX = 20_000;
const CONCURRENCY = 16;

/** The callers of the edge, and what the core has confirmed about each of them. */
export class Callers {
  readonly #accesses = new Map<string, Access>();
  readonly #running = new Map<string, Promise<unknown>>();
  /** Called after a confirmation that should be stored soon. */
  onConfirmed: () => void = () => undefined;

  constructor(
    private readonly upstream: Upstream,
    private readonly digest: (text: string) => string,
    private readonly now: () => number = Date.now,
  ) {}

  get size(): number {
    return this.#accesses.size;
  }

  load(accesses: readonly StoredAccess[]): void {
    for (const access of accesses) {
      const proofs = { ...access.proofs };
      this.#accesses.set(access.key, { ...access, proofs, authorization: null, usedAt: access.confirmedAt });
    }
  }

  stored(): readonly StoredAccess[] {
    return [...this.#accesses.values()].map(({ authorization: _, usedAt: __, ...access }) => access);
  }

  /**
   * Returns the access of a credential to a scope, confirmed by the core within the last seconds, or as it was confirmed
   * before the core was lost. Returns null if the core is lost and has never confirmed it. Throws a
   * CredentialRejectedError if the core rejects it.
   */
  async find(authorization: string, scope: FollowedScope): Promise<Access | null> {
    const key = this.digest(`${scope.key}\n${authorization}`);
    const access = this.#accesses.get(key) ?? null;
    if (access !== null) {
      access.authorization = authorization;
      access.usedAt = this.now();
      if (this.isFresh(access)) return access;
    }
    try {
      return await this.#once(`confirm ${key}`, () => this.#confirm(key, authorization, scope));
    } catch (error) {
      if (error instanceof UpstreamLostError) return access;
      throw error;
    }
  }

  isFresh({ confirmedAt, expiresAt }: Access): boolean {
    const age = this.now() - confirmedAt;
    return age >= 0 && age < FRESH_MS && (expiresAt === null || expiresAt > this.now());
  }

  isExpired({ expiresAt }: Access): boolean {
    return expiresAt !== null && expiresAt <= this.now();
  }

  /** Confirms a credential again unless that happened within the last seconds. Throws like `find`. */
  async refresh(access: Access, scope: FollowedScope): Promise<void> {
    if (access.authorization !== null) await this.find(access.authorization, scope);
  }

  /** Returns whether the core has confirmed the present document. A caller that may read secrets may read them masked. */
  isProven(access: Access, scope: FollowedScope, name: DocumentName): boolean {
    const tag = scope.tag(name);
    return (
      tag !== null && (access.proofs[name] === tag || (name === 'masked' && this.isProven(access, scope, 'clear')))
    );
  }

  /**
   * Returns whether the core would send this caller the document that the edge has. `lost`: the core did not answer, and
   * has not confirmed it before.
   */
  async prove(access: Access, scope: FollowedScope, name: DocumentName): Promise<Proof> {
    if (this.isProven(access, scope, name)) return 'same';
    const tag = scope.tag(name);
    if (tag === null) return 'different';
    const { authorization } = access;
    if (authorization === null) return 'lost';
    try {
      const isSame = await this.#once(`prove ${access.key} ${name} ${tag}`, () =>
        this.#isSame(authorization, scope, name, tag),
      );
      if (!isSame) return 'different';
      access.proofs[name] = tag;
      this.onConfirmed();
      return 'same';
    } catch (error) {
      if (error instanceof UpstreamLostError) return 'lost';
      throw error;
    }
  }

  /** Proves a changed configuration to its callers, before the core may be lost. */
  async proveAgain(scope: FollowedScope): Promise<void> {
    await this.#forEach(this.#of(scope), async (access) => {
      for (const name of Object.keys(access.proofs) as DocumentName[]) await this.prove(access, scope, name);
    });
  }

  /** Confirms credentials that are not in use, and removes those that have not been used for a week. */
  async confirmIdle(scopes: readonly FollowedScope[]): Promise<void> {
    const now = this.now();
    for (const [key, { usedAt }] of this.#accesses) if (now - usedAt > IDLE_MS_MAX) this.#accesses.delete(key);
    for (const scope of scopes) {
      const dueAccesses = this.#of(scope).filter(({ confirmedAt }) => now - confirmedAt > IDLE_CONFIRM_MS);
      await this.#forEach(dueAccesses, async ({ key, authorization }) => {
        if (authorization === null || this.upstream.isLost) return;
        await this.#once(`confirm ${key}`, () => this.#confirm(key, authorization, scope)).catch(() => undefined);
      });
    }
  }

  removeAll(scope: FollowedScope): void {
    for (const { key } of this.#of(scope)) this.#accesses.delete(key);
  }

  #of(scope: FollowedScope): readonly Access[] {
    return [...this.#accesses.values()].filter((access) => access.scope === scope.key);
  }

  async #confirm(key: string, authorization: string, scope: FollowedScope): Promise<Access> {
    const { project_id: project, environment_id: environment } = scope.requireIdentity();
    const query = new URLSearchParams({ project, environment });
    const response = await this.upstream.send(`/api/v1/users/current/confirmation/?${query}`, {
      ...{ authorization, timeoutMs: CONFIRM_TIMEOUT_MS },
    });
    if (response.status !== 200) {
      // Any other error says nothing about the credential.
      if (response.status !== 401 && response.status !== 403) {
        response.discard();
        throw new UpstreamLostError();
      }
      this.#accesses.delete(key);
      throw new CredentialRejectedError(await readRejection(response));
    }
    const confirmation = (await response.json()) as CredentialConfirmation;
    const previous = this.#accesses.get(key);
    const isSame = previous?.permissions === confirmation.permissions;
    const access: Access = previous ?? { key, scope: scope.key, ...NOTHING_CONFIRMED };
    Object.assign(access, {
      authorization,
      permissions: confirmation.permissions,
      receipt: confirmation.receipt,
      expiresAt: confirmation.expires_at === null ? null : Date.parse(confirmation.expires_at),
      confirmedAt: this.now(),
      ...(isSame ? {} : { proofs: {} }),
    });
    if (previous === undefined) this.#add(access);
    return access;
  }

  #add(access: Access): void {
    if (this.#accesses.size >= ACCESSES_MAX) {
      const [oldest] = [...this.#accesses.values()].sort((left, right) => left.usedAt - right.usedAt);
      if (oldest) this.#accesses.delete(oldest.key);
    }
    access.usedAt = this.now();
    this.#accesses.set(access.key, access);
  }

  async #isSame(authorization: string, scope: FollowedScope, name: DocumentName, tag: string): Promise<boolean> {
    const { path, method } = scope.source(name);
    const response = await this.upstream.send(path, {
      ...{ method, authorization, timeoutMs: PROVE_TIMEOUT_MS, headers: { 'if-none-match': tag } },
    });
    // An edge between this one and the core has lost the core.
    const isStale = response.headers.has('x-strata-stale');
    // An overloaded core has not compared anything.
    if (isStale || response.status === 429 || response.status >= 500) {
      response.discard();
      throw new UpstreamLostError();
    }
    response.discard();
    return response.status === 304;
  }

  /** Lets equal requests share one response. */
  #once<T>(key: string, run: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running as Promise<T>;
    const started = run().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }

  async #forEach(accesses: readonly Access[], run: (access: Access) => Promise<void>): Promise<void> {
    const rest = [...accesses];
    const work = async () => {
      for (let access = rest.pop(); access !== undefined; access = rest.pop()) await run(access);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  }
}

const NOTHING_CONFIRMED = {
  ...{ authorization: null, permissions: '', receipt: '', expiresAt: null, confirmedAt: 0, usedAt: 0, proofs: {} },
};
