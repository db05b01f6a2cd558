import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { OrganizationId } from '@strata/domain';
import { currentLimits } from '../limits/request-limits.ts';
import type { ServiceKeys } from '../vault/service-keys.ts';

/** Stands for all organizations in a token. No organization has this id. */
export const ALL_ORGANIZATIONS = '00000000-0000-0000-0000-000000000000';
type Tenants = OrganizationId | typeof ALL_ORGANIZATIONS | null;

const currentTenants = new AsyncLocalStorage<Tenants>();

/**
 * Runs work of which each statement may use the rows of all organizations. Use it where a request needs rows of
 * several organizations, such as the memberships of a person.
 */
export function acrossOrganizations<Result>(work: () => Result): Result {
  return currentTenants.run(ALL_ORGANIZATIONS, work);
}

/** Runs work of which no statement can use the rows of another organization, whatever its text is. */
export function withinOrganization<Result>(organizationId: OrganizationId, work: () => Result): Result {
  return currentTenants.run(organizationId, work);
}

/** Runs work whose statements use no table of tenants. No token is sent, so the session keeps that of earlier work. */
export function withinNone<Result>(work: () => Result): Result {
  return currentTenants.run(null, work);
}

/** Returns work that runs later, for a queue that several requests share, with the organizations of this call. */
export function bindToTenants<Input extends unknown[], Result>(
  work: (...input: Input) => Result,
): (...input: Input) => Result {
  const tenants = readTenants();
  return (...input) => currentTenants.run(tenants, () => work(...input));
}

/** An admitted request is limited to the organization of its caller, and other work to none. */
function readTenants(): Tenants {
  const tenants = currentTenants.getStore();
  return tenants === undefined ? (currentLimits()?.organizationId ?? ALL_ORGANIZATIONS) : tenants;
}

/** Gives the session a token. It is a parameter, because other sessions of the account see the texts of statements. */
export const SET_TOKEN = `select set_config('strata.tenants', $1, false)`;

const LIFETIME_MS = 3_600_000;
/** A token is used for half of its lifetime, so that it does not expire in a transaction. */
const USE_MS = LIFETIME_MS / 2;
/** Limits the memory. */
const TOKENS_MAX = 10_000;

interface Token {
  readonly text: string;
  readonly usedUntil: number;
}

/** Creates the tokens by which PostgreSQL recognizes which organizations a statement may use. */
export class TenantTokens {
  private readonly tokens = new Map<string, Token>();

  constructor(private readonly serviceKeys: ServiceKeys) {}

  /** Returns the token of the organizations that the current work may use; null if it needs none. */
  current(): string | null {
    const tenants = readTenants();
    if (tenants === null) return null;
    const now = Date.now();
    const existingToken = this.tokens.get(tenants);
    if (existingToken && existingToken.usedUntil > now) return existingToken.text;
    const token = { text: this.create(tenants, now), usedUntil: now + USE_MS };
    if (this.tokens.size >= TOKENS_MAX) this.tokens.clear();
    this.tokens.set(tenants, token);
    return token.text;
  }

  private create(tenants: string, now: number): string {
    const expiry = Math.ceil((now + LIFETIME_MS) / 1_000);
    const text = [this.serviceKeys.tenantTokenKey.id, expiry, randomBytes(8).toString('hex'), tenants].join('|');
    return `${text}|${this.serviceKeys.tenantTokenMac(text)}`;
  }
}
