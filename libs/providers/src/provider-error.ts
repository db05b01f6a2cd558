/**
 * The classes of errors. They decide what happens next: `retryable` and `rate` are tried again later; `denied` and
 * `invalid` wait until a person changes something; `missing` and `conflict` mean that the store differs from what was
 * listed.
 */
export type ProviderErrorKind = 'retryable' | 'rate' | 'denied' | 'missing' | 'conflict' | 'invalid';

export interface ProviderErrorFields {
  readonly kind: ProviderErrorKind;
  /** The provider's own code, or ours in lower case. */
  readonly code: string;
  /** The provider's reason. Never contains a value or a credential. */
  readonly detail: string;
  readonly retryAfterSeconds?: number | null;
  /** The member of the settings that is wrong for good. Absent if none is, or if the provider does not say which. */
  readonly member?: string;
}

/** An error of a provider, classified. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  readonly code: string;
  readonly detail: string;
  readonly retryAfterSeconds: number | null;
  readonly member: string | null;

  constructor({ kind, code, detail, retryAfterSeconds = null, member }: ProviderErrorFields) {
    super(`${code}: ${detail}`);
    this.kind = kind;
    this.code = code;
    this.detail = detail;
    this.retryAfterSeconds = retryAfterSeconds;
    this.member = member ?? null;
  }

  get isTemporary(): boolean {
    return this.kind === 'retryable' || this.kind === 'rate';
  }
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The delays after the first, second, … failed run. The last one repeats. */
const DELAYS: Readonly<Record<'retryable' | 'rate', readonly number[]>> = {
  retryable: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
  rate: [30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE],
};
/** After this many failed runs, a person has to start the next one. */
export const FAILURES_MAX = 12;
const JITTER = 0.2;

/** Returns the milliseconds until the next run after this many failures (1 = the first); null to wait for a person. */
export function retryDelay(
  { kind, retryAfterSeconds }: Pick<ProviderError, 'kind' | 'retryAfterSeconds'>,
  failures: number,
  random: () => number,
): number | null {
  if (kind !== 'retryable' && kind !== 'rate') return null;
  if (failures >= FAILURES_MAX) return null;
  const delays = DELAYS[kind];
  const delay = delays[Math.min(failures, delays.length) - 1] ?? MINUTE;
  const scattered = Math.round(delay * (1 - JITTER + 2 * JITTER * random()));
  return Math.max(scattered, Math.min(retryAfterSeconds ?? 0, 3_600) * SECOND);
}
