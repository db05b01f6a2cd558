import type { SecretProperties } from '@azure/keyvault-secrets';
import { OWNER_TAG } from '../owner-tag.ts';
import type { KeySpace, KeyWrite, ListedKey, Store, StoredText } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { AzureSession } from './azure-session.ts';

const PAGE = { maxPageSize: 25 };
/** The times of the vault are whole seconds. A younger version can still get another text in the same second. */
const SETTLED_MS = 2_000;
/** The time that the vault gets to finish a deletion or a recovery. It needs some seconds. */
const POLL = { intervalInMs: 1_000 };
const POLL_MS_MAX = 60_000;

export const vaultKeys = (vault: string): KeySpace => ({
  id: `azure:${vault}`,
  toKey: (name) => name.toLowerCase().replace(/[_./]/g, '-'),
});

/** Opens a vault. It keeps deleted secrets for its own recovery window, and Strata never purges them. */
export function openKeyVault(
  session: AzureSession,
  { vault, tags }: { readonly vault: string; readonly tags: Readonly<Record<string, string>> },
): Store {
  return {
    ...vaultKeys(vault),
    limits: {
      textBytesMax: 25_600,
      allowsEmptyText: false,
      key: /^[a-z\d-]+$/,
      keyMax: 127,
      keyRule: 'Use letters, digits and hyphens. Underscores, dots and slashes become hyphens.',
    },
    list: (prefix) => listSecrets(session, prefix),
    read: (key) => readSecret(session, key),
    create: async (write) => {
      // The vault would add a version to an existing secret.
      if ((await readSecret(session, write.key)) !== null) {
        const detail = `The vault has a secret ${write.key} already.`;
        throw new ProviderError({ kind: 'conflict', code: 'secret_exists', detail });
      }
      return setSecret(session, write, { tags: { ...tags, [OWNER_TAG]: write.owner } });
    },
    update: async (write) => {
      // A version has its own tags and dates, so the new one gets those of the current one.
      const { tags: current, contentType, enabled, expiresOn, notBefore } = await readProperties(session, write.key);
      const properties = { tags: current, contentType, enabled, expiresOn, notBefore };
      return setSecret(session, write, properties);
    },
    restore: async (key) => {
      await session.send('RecoverDeletedSecret', {
        isWrite: true,
        send: async (client) => {
          const poller = await client.beginRecoverDeletedSecret(key, POLL);
          await poller.pollUntilDone({ abortSignal: AbortSignal.timeout(POLL_MS_MAX) });
        },
      });
    },
    remove: (key) => removeSecret(session, key),
    mark: async (key, owner) => {
      const { tags: current, version = '' } = await readProperties(session, key);
      const changed = { tags: { ...current, [OWNER_TAG]: owner } };
      await session.send('UpdateSecret', {
        isWrite: true,
        send: (client) => client.updateSecretProperties(key, version, changed),
      });
    },
    close: () => session.close(),
  };
}

/** The vault cannot filter its lists, and a deleted secret is in a list of its own. */
async function listSecrets(session: AzureSession, prefix: string): Promise<readonly ListedKey[]> {
  const current = await session.list('GetSecrets', (client) => client.listPropertiesOfSecrets().byPage(PAGE));
  const deleted = await session.list('GetDeletedSecrets', (client) => client.listDeletedSecrets().byPage(PAGE));
  const entry = (properties: SecretProperties, isDeleted: boolean): ListedKey => ({
    key: properties.name.toLowerCase(),
    version: formatVersion(session, properties),
    owner: properties.tags?.[OWNER_TAG] ?? null,
    isDeleted,
  });
  const keys = [
    ...current.map((properties) => entry(properties, false)),
    ...deleted.map(({ properties }) => entry(properties, true)),
  ];
  return keys.filter(({ key }) => key.startsWith(prefix));
}

async function readSecret(session: AzureSession, key: string): Promise<StoredText | null> {
  try {
    const { value, properties } = await session.send('GetSecret', { send: (client) => client.getSecret(key) });
    return { text: value ?? null, version: formatVersion(session, properties) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function readProperties(session: AzureSession, key: string): Promise<SecretProperties> {
  return (await session.send('GetSecret', { send: (client) => client.getSecret(key) })).properties;
}

async function setSecret(
  session: AzureSession,
  { key, text }: KeyWrite,
  properties: Partial<SecretProperties>,
): Promise<string> {
  const written = await session.send('SetSecret', {
    isWrite: true,
    hasValue: true,
    send: (client) => client.setSecret(key, text, properties),
  });
  return formatVersion(session, written.properties);
}

async function removeSecret(session: AzureSession, key: string): Promise<void> {
  try {
    const { recoveryLevel } = await readProperties(session, key);
    if (!recoveryLevel?.includes('Recoverable')) {
      const detail = `The vault would delete ${key} without a recovery window. Enable soft delete.`;
      throw new ProviderError({ kind: 'invalid', code: 'no_recovery', detail });
    }
    await session.send('DeleteSecret', {
      isWrite: true,
      send: async (client) => {
        const poller = await client.beginDeleteSecret(key, POLL);
        await poller.pollUntilDone({ abortSignal: AbortSignal.timeout(POLL_MS_MAX) });
      },
    });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/**
 * Returns the time of the last change, because lists contain no versions. As long as another change can still have the
 * same time, reads and writes add the id of the version. A list has no id, so its version equals none of them, and the
 * text is read again.
 */
function formatVersion(session: AzureSession, { updatedOn, version = '' }: SecretProperties): string {
  const at = updatedOn?.getTime() ?? 0;
  return session.now() - at >= SETTLED_MS ? `${at / 1_000}` : `${at / 1_000}+${version}`;
}

const isMissing = (error: unknown) => error instanceof ProviderError && error.kind === 'missing';
