import type { Access, Callers, Proof } from './callers.ts';
import type { DocumentName } from './documents.ts';
import type { FollowedScope } from './followed-scope.ts';
import { EdgeError } from './responses.ts';
import { type Upstream, UpstreamLostError } from './upstream.ts';

/** How long the edge serves without the core, in milliseconds. */
export interface OfflineLimits {
  readonly secretsMs: number;
  readonly othersMs: number;
}

/** A caller that may receive a document. */
export interface Admission {
  readonly access: Access;
  /** The time since the core last confirmed the caller and the configuration. */
  readonly ageMs: number;
  /** Whether the core does not answer at present. */
  readonly isStale: boolean;
}

/** A part of a document that a request selects. */
export interface Picked<Selection> {
  readonly document: DocumentName;
  /** Null if the edge cannot select it. */
  readonly selection: Selection | null;
  /** Whether the response would show a secret. */
  readonly showsSecret: boolean;
}

export interface Admitted<Selection> {
  readonly admission: Admission;
  readonly selection: Selection;
  /** The version of the scope that contains the selection. */
  readonly version: number;
}

const RETRY_AFTER_SECONDS = 5;
/** Beyond this, the core answers a request during which the configuration changes again and again. */
const ATTEMPTS_MAX = 3;

/** Decides who receives what: never more than the core would send to the same caller. */
export class Gate {
  constructor(
    private readonly callers: Callers,
    private readonly upstream: Upstream,
    private readonly limits: OfflineLimits,
  ) {}

  /**
   * Returns the admission of a caller to a document, or `pass_on` if the core has to answer the request itself. Throws a
   * CredentialRejectedError, or an EdgeError if the core is lost and has not confirmed enough.
   */
  private async admit(
    authorization: string,
    scope: FollowedScope,
    document: DocumentName,
    showsSecret: boolean,
  ): Promise<Admission | 'pass_on'> {
    const admission = await this.confirm(authorization, scope, showsSecret);
    const proof = await this.prove(admission.access, scope, document);
    if (proof === 'same') return admission;
    if (proof === 'different' && !this.upstream.isLost) return 'pass_on';
    throw offlineError(
      'The core has not confirmed that this account may read this configuration, and it does not answer.',
    );
  }

  /**
   * Returns what `pick` selects, if the core would send it to the caller. The configuration can change during a confirmation, so
   * `pick` runs again afterwards, and its result counts only if the core has confirmed this one.
   */
  async admitSelection<Selection>(
    authorization: string,
    scope: FollowedScope,
    pick: () => Picked<Selection>,
  ): Promise<Admitted<Selection> | 'pass_on'> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const before = pick();
      const admission = await this.admit(authorization, scope, before.document, before.showsSecret);
      if (admission === 'pass_on') return 'pass_on';
      const { document, selection, showsSecret } = pick();
      if (selection === null) return 'pass_on';
      const isSame = document === before.document && showsSecret === before.showsSecret;
      if (isSame && this.callers.isProven(admission.access, scope, document))
        return { admission, selection, version: scope.version };
    }
    return 'pass_on';
  }

  /** Returns whether the core has confirmed credential and content within the last seconds. */
  isConfirmed(access: Access, scope: FollowedScope, document: DocumentName): boolean {
    return this.callers.isFresh(access) && scope.isConnected && this.callers.isProven(access, scope, document);
  }

  /** See `Callers.prove`. */
  prove(access: Access, scope: FollowedScope, document: DocumentName): Promise<Proof> {
    return this.callers.prove(access, scope, document);
  }

  /** Confirms the credential only. Throws like `admit`. */
  async confirm(authorization: string, scope: FollowedScope, showsSecret: boolean): Promise<Admission> {
    let access: Access | null = null;
    try {
      access = await this.callers.find(authorization, scope);
    } catch (error) {
      if (!(error instanceof UpstreamLostError)) throw error;
    }
    if (access === null) throw offlineError('The core has not confirmed this credential, and it does not answer.');
    if (this.callers.isExpired(access)) throw new EdgeError(403, 'bad_credential', 'The credential has expired.');
    const ageMs = Math.max(0, Date.now() - Math.min(access.confirmedAt, scope.confirmedAt));
    if (ageMs > (showsSecret ? this.limits.secretsMs : this.limits.othersMs))
      throw offlineError(
        showsSecret
          ? 'The core last confirmed this caller and the secrets too long ago, and it does not answer.'
          : 'The core last confirmed this caller and the configuration too long ago, and it does not answer.',
      );
    return { access, ageMs, isStale: !this.callers.isFresh(access) || !scope.isConnected };
  }
}

export function offlineError(message: string): EdgeError {
  return new EdgeError(503, 'edge_offline', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
