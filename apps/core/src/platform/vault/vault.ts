import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '@strata/domain';
import { DataSource, type EntityManager } from 'typeorm';
import { recordSecretDecryption } from '../limits/request-limits.ts';
import { ACTIVE_ROOT_KEY_LOCK, requireActiveRootKey } from './active-root-key.ts';
import { IntegrityError, openBytes, RootKeys, sealBytes, type WrappedKey } from './root-key.ts';

/** The cell that stores sealed bytes. The bytes cannot be opened in any other context. */
export interface EncryptionContext {
  readonly organizationId: OrganizationId;
  /** `<table>.<column>` */
  readonly column: string;
  readonly rowId: string;
}

/** The text of a value as the database returns it: in clear, or sealed as `\\x…`. */
export interface PossiblySealedText {
  readonly id: string;
  readonly text: string | null;
  readonly sealed: string | null;
}

/** Limits memory. Only the data keys of recently active organizations are cached. */
const CACHED_KEYS_MAX = 10_000;

/** Seals and opens secret text. No other module holds a key, and plain text never reaches the database. */
@Injectable()
export class Vault {
  private readonly dataKeys = new Map<OrganizationId, Buffer>();

  constructor(
    private readonly rootKeys: RootKeys,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Loads an organization's key into the cache. Call it before a transaction begins: requests that hold one connection
   * and wait for a second one could block each other.
   */
  async prepare(organizationId: OrganizationId): Promise<void> {
    await this.dataKey(organizationId);
  }

  async seal(context: EncryptionContext, text: string): Promise<Buffer> {
    return sealBytes(await this.dataKey(context.organizationId), authenticatedContext(context), Buffer.from(text));
  }

  async open(context: EncryptionContext, sealedBytes: Buffer): Promise<string> {
    return openText(await this.dataKey(context.organizationId), context, sealedBytes);
  }

  /** Loads an organization's key, so that the caller can open many values without waiting. */
  async opener(organizationId: OrganizationId): Promise<(column: string, rowId: string, sealed: Buffer) => string> {
    const key = await this.dataKey(organizationId);
    return (column, rowId, sealedBytes) => openText(key, { organizationId, column, rowId }, sealedBytes);
  }

  /**
   * Returns a function that decrypts values as the database returns them, with encrypted bytes as `\\x…`. Loads the
   * key only if one of the values is encrypted.
   */
  async valueOpener(
    organizationId: OrganizationId,
    values: readonly Pick<PossiblySealedText, 'sealed'>[],
  ): Promise<(value: PossiblySealedText) => string | null> {
    if (values.every(({ sealed }) => sealed === null)) return ({ text }) => text;
    const open = await this.opener(organizationId);
    return ({ id, text, sealed }) =>
      sealed === null ? text : open('value.sealed', id, Buffer.from(sealed.slice(2), 'hex'));
  }

  /**
   * Returns a code that represents a text. Without the organization's key, no client can compute it or test a guess.
   */
  async mac(organizationId: OrganizationId, purpose: string, text: string): Promise<string> {
    const key = createHmac('sha256', await this.dataKey(organizationId))
      .update(`strata|v1|${purpose}`)
      .digest();
    return createHmac('sha256', key).update(text).digest('base64url');
  }

  /** Creates the data key of a new organization, in the transaction that creates the organization. */
  async createKey(em: EntityManager, organizationId: OrganizationId): Promise<void> {
    // Waits for a command that replaces the active root key, and lets it wait for this transaction.
    await em.query('select pg_advisory_xact_lock_shared($1)', [ACTIVE_ROOT_KEY_LOCK]);
    const rootKey = await requireActiveRootKey((sql) => em.query(sql), this.rootKeys);
    const { wrapped_key: wrappedKey, root_key_id: id } = rootKey.wrap(
      `organization_key|${organizationId}`,
      randomBytes(32),
    );
    await em.query('insert into organization_key (organization_id, wrapped_key, root_key_id) values ($1, $2, $3)', [
      organizationId,
      wrappedKey,
      id,
    ]);
  }

  private async dataKey(organizationId: OrganizationId): Promise<Buffer> {
    const cachedKey = this.dataKeys.get(organizationId);
    if (cachedKey) return cachedKey;
    const [row] = await this.dataSource.query<WrappedKey[]>(
      'select wrapped_key, root_key_id from organization_key where organization_id = $1',
      [organizationId],
    );
    if (!row) throw new Error(`Organization ${organizationId} has no data key.`);
    const key = this.rootKeys.unwrap(`organization_key|${organizationId}`, row);
    if (this.dataKeys.size >= CACHED_KEYS_MAX) this.dataKeys.clear();
    this.dataKeys.set(organizationId, key);
    return key;
  }
}

const VALUE_COLUMN = 'value.sealed';

/** Returns whether a stored secret value can be decrypted. Never returns its text, so that nothing has to be recorded. */
export function isReadable(dataKey: Buffer, organizationId: string, valueId: string, sealedBytes: Buffer): boolean {
  const context = { organizationId: organizationId as OrganizationId, column: VALUE_COLUMN, rowId: valueId };
  try {
    openBytes(dataKey, authenticatedContext(context), sealedBytes);
    return true;
  } catch (error) {
    if (error instanceof IntegrityError) return false;
    throw error;
  }
}

/**
 * Records each decryption of a stored secret, so that the access log contains it if the request is rejected afterwards.
 */
function openText(key: Buffer, context: EncryptionContext, sealedBytes: Buffer): string {
  if (context.column === VALUE_COLUMN) recordSecretDecryption();
  return openBytes(key, authenticatedContext(context), sealedBytes).toString();
}

function authenticatedContext({ organizationId, column, rowId }: EncryptionContext): string {
  return `strata|v1|${organizationId}|${column}|${rowId}`;
}
