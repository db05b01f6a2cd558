import { randomBytes, randomInt } from 'node:crypto';
import type { ServiceAccountRekey } from '@strata/contract';
import {
  type EnvironmentId,
  KEY_SCOPES,
  type KeyLimit,
  type OrganizationId,
  type ProjectId,
  type UserId,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { isLimitedKey, limitedSecret } from '../../platform/auth/key-limits.ts';
import { idFromLink, unknownLinkError } from '../../platform/http/links.ts';
import type { WriteContext } from '../../platform/ledger/command.ts';
import type { ServiceKeys } from '../../platform/vault/service-keys.ts';

/** The number of keys of an account that remain readable. Keys that are valid remain longer than others. */
const KEYS_MAX = 10;

type LimitInput = Pick<ServiceAccountRekey, 'key_scopes' | 'key_projects' | 'key_environments'>;

/** Resolves the limits of a new key. Throws 400 if a project or an environment does not exist. */
export async function resolveKeyLimit(
  em: EntityManager,
  organizationId: OrganizationId,
  { key_scopes: scopes, key_projects: projects, key_environments: environments }: LimitInput,
): Promise<KeyLimit> {
  const hasAllScopes = !scopes || KEY_SCOPES.every((scope) => scopes.includes(scope));
  return {
    scopes: hasAllScopes ? null : KEY_SCOPES.filter((scope) => scopes.includes(scope)),
    projectIds: await resolveScopes<ProjectId>(em, organizationId, 'projects', projects),
    environmentIds: await resolveScopes<EnvironmentId>(em, organizationId, 'environments', environments),
  };
}

async function resolveScopes<Id extends string>(
  em: EntityManager,
  organizationId: OrganizationId,
  collection: 'projects' | 'environments',
  links: readonly string[] | null | undefined,
): Promise<readonly Id[] | null> {
  if (!links) return null;
  const field = `key_${collection}`;
  const ids = [...new Set(links.map((link) => idFromLink(field, collection, link) as Id))];
  const table = collection === 'projects' ? 'project' : 'environment';
  const rows = await em.query<object[]>(`select from ${table} where organization_id = $1 and id = any($2::uuid[])`, [
    organizationId,
    ids,
  ]);
  if (rows.length < ids.length) throw unknownLinkError(field, collection);
  return ids;
}

interface NewKeySettings {
  readonly expiresAt: string | null;
  readonly limit: KeyLimit;
}

/** Adds a key to an account and returns it. */
export async function addKey(
  { em, at }: WriteContext,
  serviceKeys: ServiceKeys,
  { organizationId, id }: { readonly organizationId: OrganizationId; readonly id: UserId },
  { expiresAt, limit }: NewKeySettings,
): Promise<string> {
  for (;;) {
    const { prefix, key } = newKey();
    const hmac = serviceKeys.apiKeyHmac(limitedSecret(key, isLimitedKey(limit)));
    const [storedKey] = await em.query<{ prefix: string }[]>(
      `insert into api_key (organization_id, person_id, prefix, secret_hmac, expires_at, created_at, scopes, project_ids, environment_ids)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning prefix`,
      [organizationId, id, prefix, hmac, expiresAt, at, limit.scopes, limit.projectIds, limit.environmentIds],
    );
    if (storedKey) return key;
  }
}

/** Ends the keys of an account: at once, or after the overlap with a new key. Deletes the oldest above the limit. */
export async function endKeys(
  { em, at }: WriteContext,
  { organizationId, id }: { readonly organizationId: OrganizationId; readonly id: UserId },
  overlapSeconds: number,
): Promise<void> {
  await em.query(
    `update api_key
        set revoked = $4::int = 0, expires_at = case when $4 = 0 then expires_at else least(expires_at, $3::timestamptz + make_interval(secs => $4)) end
      where organization_id = $1 and person_id = $2 and not revoked`,
    [organizationId, id, at, overlapSeconds],
  );
  await em.query(
    `delete from api_key where organization_id = $1 and prefix in (
       select prefix from api_key where organization_id = $1 and person_id = $2
        order by not revoked and (expires_at is null or expires_at > $3) desc, created_at desc offset $4)`,
    [organizationId, id, at, KEYS_MAX - 1],
  );
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PREFIX_LENGTH = 8;
const SECRET_BYTES = 32;

export interface NewKey {
  /** The public part of the key. It identifies the row, and lists show it. */
  readonly prefix: string;
  /** The complete key: prefix, dot, secret. It is shown only once. */
  readonly key: string;
}

export function newKey(): NewKey {
  const prefix = Array.from({ length: PREFIX_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return { prefix, key: `${prefix}.${randomBytes(SECRET_BYTES).toString('base64url')}` };
}
