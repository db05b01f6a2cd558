import { createHmac, randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Failure, type OrganizationId, sentence } from '@strata/domain';
import { DataSource, type EntityManager } from 'typeorm';
import { recordSecretDecryption } from '../limits/request-limits.ts';
import { coreObserver } from '../observer.ts';
import { ACTIVE_ROOT_KEY_LOCK, requireActiveRootKey } from './active-root-key.ts';
import {
  createWrappedDataKey,
  KEYS_MS_MAX,
  type KeyRow,
  type OrganizationKeys,
  READS_KEYS_FROM,
  RELOAD_MS,
  SELECT_KEYS,
  unwrapKeys,
} from './organization-keys.ts';
import { IntegrityError, RootKeys } from './root-key.ts';
import {
  openSealed,
  openValue,
  type SealedCell,
  SealedValue,
  sealNumbered,
  sealUnnumbered,
  VALUE_COLUMN,
} from './sealed-text.ts';

/** The cell of an encrypted text. */
export type EncryptionContext = SealedCell & { readonly organizationId: OrganizationId };

/** The text of a value as `readSealed` returns it: in clear, or sealed as `\\x…`. */
export interface PossiblySealedText {
  readonly id: string;
  readonly text: string | null;
  readonly sealed: string | null;
}

/** Limits memory. Only the data keys of recently active organizations are cached. */
const CACHED_KEYS_MAX = 10_000;

interface CachedKeys {
  readonly keys: OrganizationKeys;
  readonly loadedAt: number;
  isReloading: boolean;
}

/** Seals and opens secret text. No other module holds a key, and plain text never reaches the database. */
@Injectable()
export class Vault {
  private readonly logger = new Logger('vault');
  private readonly cachedKeys = new Map<OrganizationId, CachedKeys>();

  constructor(
    private readonly rootKeys: RootKeys,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Loads an organization's keys into the cache. Call it before a transaction begins: requests that hold one connection
   * and wait for a second one could block each other. The keys are then valid for longer than a write may wait.
   */
  async prepare(organizationId: OrganizationId): Promise<void> {
    if (this.age(organizationId) > RELOAD_MS) await this.load(organizationId);
  }

  async seal(context: EncryptionContext, text: string): Promise<Buffer> {
    return sealWith(await this.keys(context.organizationId), context, text);
  }

  /** Encrypts the text of a value. The result is bound to a revision when it is stored. */
  async sealValue(organizationId: OrganizationId, rowId: string, text: string): Promise<SealedValue> {
    const cell = { organizationId, column: VALUE_COLUMN, rowId };
    const keys = await this.keys(organizationId);
    return new SealedValue(sealWith(keys, cell, text), cell, keys.sealing);
  }

  /** Encrypts the text of a value again, as `readSealed` returned it, for another revision. Records no decryption. */
  async sealAgain(organizationId: OrganizationId, rowId: string, sealedText: Buffer): Promise<SealedValue> {
    const keys = await this.keys(organizationId);
    const cell = { organizationId, column: VALUE_COLUMN, rowId };
    return this.sealValue(organizationId, rowId, this.openVerified(keys, cell, sealedText));
  }

  async open(context: EncryptionContext, sealedBytes: Buffer): Promise<string> {
    return this.openWith(await this.keys(context.organizationId), context, sealedBytes);
  }

  /** Loads an organization's keys, so that the caller can open many values without waiting. */
  async opener(organizationId: OrganizationId): Promise<(column: string, rowId: string, sealed: Buffer) => string> {
    const keys = await this.keys(organizationId);
    return (column, rowId, sealedBytes) => this.openWith(keys, { organizationId, column, rowId }, sealedBytes);
  }

  /**
   * Returns a function that decrypts values as `readSealed` returns them, with encrypted bytes as `\\x…`. Loads the
   * keys only if one of the values is encrypted.
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
   * Stored codes depend on this key, so a new data key does not replace it.
   */
  async mac(organizationId: OrganizationId, purpose: string, text: string): Promise<string> {
    const { unnumbered } = await this.keys(organizationId);
    const key = createHmac('sha256', unnumbered).update(`strata|v1|${purpose}`).digest();
    return createHmac('sha256', key).update(text).digest('base64url');
  }

  /** Creates the keys of a new organization, in the transaction that creates the organization. */
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
    // Cores of an earlier release cannot read texts that name their key.
    await em.query(
      `insert into data_key (organization_id, number, wrapped_key, root_key_id, usable_at)
       select $1, 1, $2, $3, now() from schema_compatibility where serves_cores_from >= ${READS_KEYS_FROM}`,
      [organizationId, createWrappedDataKey(rootKey, organizationId, 1, 0).wrapped_key, id],
    );
  }

  private async keys(organizationId: OrganizationId): Promise<OrganizationKeys> {
    const cached = this.cachedKeys.get(organizationId);
    const age = this.age(organizationId);
    if (!cached || age > KEYS_MS_MAX) return this.load(organizationId);
    if (age > RELOAD_MS && !cached.isReloading) {
      cached.isReloading = true;
      void this.load(organizationId).catch(() => {
        cached.isReloading = false;
      });
    }
    return cached.keys;
  }

  private age(organizationId: OrganizationId): number {
    const { loadedAt = Number.NEGATIVE_INFINITY } = this.cachedKeys.get(organizationId) ?? {};
    return performance.now() - loadedAt;
  }

  private async load(organizationId: OrganizationId): Promise<OrganizationKeys> {
    const loadedAt = performance.now();
    const rows = await this.dataSource.query<KeyRow[]>(SELECT_KEYS, [organizationId]);
    const keys = unwrapKeys(this.rootKeys, organizationId, rows);
    if (!keys) throw new Error(`Organization ${organizationId} has no data key.`);
    if (this.cachedKeys.size >= CACHED_KEYS_MAX) this.cachedKeys.clear();
    this.cachedKeys.set(organizationId, { keys, loadedAt, isReloading: false });
    return keys;
  }

  /**
   * Records each decryption of a stored secret, so that the access log contains it if the request is rejected afterwards.
   */
  private openWith(keys: OrganizationKeys, cell: EncryptionContext, sealedBytes: Buffer): string {
    if (cell.column === VALUE_COLUMN) recordSecretDecryption();
    return this.openVerified(keys, cell, sealedBytes);
  }

  private openVerified(keys: OrganizationKeys, cell: EncryptionContext, sealedBytes: Buffer): string {
    try {
      return cell.column === VALUE_COLUMN ? openValue(keys, cell, sealedBytes) : openSealed(keys, cell, sealedBytes);
    } catch (error) {
      if (!(error instanceof IntegrityError)) throw error;
      coreObserver?.rejectedSecret();
      const place = `${cell.column} of the row ${cell.rowId} in the organization ${cell.organizationId}`;
      this.logger.error(`${place} is rejected: ${error.message}`);
      throw new Failure({
        kind: 'unavailable',
        code: 'secret_rejected',
        message: sentence`The encrypted text of ${{ id: cell.rowId }} was changed in the database and is rejected. Report it to your operator. To replace the text, delete the value and set it again.`,
      });
    }
  }
}

function sealWith({ sealing, unnumbered }: OrganizationKeys, cell: EncryptionContext, text: string): Buffer {
  return sealing ? sealNumbered(sealing, cell, text) : sealUnnumbered(unnumbered, cell, text);
}
