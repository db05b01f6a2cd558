import type { ListSecretsResponse, SecretListEntry } from '@aws-sdk/client-secrets-manager';
import { OWNER_TAG, toAwsTags } from '../owner-tag.ts';
import type { KeySpace, KeyWrite, ListedKey, Store, StoreLimits } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { AwsSession } from './aws-session.ts';
import type { AwsSettings } from './aws-settings.ts';

const PAGE_SIZE = 100;
const CURRENT = 'AWSCURRENT';
const LIMITS: StoreLimits = {
  textBytesMax: 65_536,
  allowsEmptyText: false,
  key: /^[\w/+=.@-]+$/,
  keyMax: 512,
  keyRule: 'Use letters, digits and / _ + = . @ - only.',
};

/** Opens the Secrets Manager of a region. It deletes with the default recovery window and never forces a deletion. */
export async function openSecretsManager(keys: KeySpace, session: AwsSession, settings: AwsSettings): Promise<Store> {
  const sdk = await import('@aws-sdk/client-secrets-manager');
  const client = new sdk.SecretsManagerClient(session.config);
  const send = session.send;

  const readPage = (prefix: string, next: string | undefined) => {
    const command = new sdk.ListSecretsCommand({
      MaxResults: PAGE_SIZE,
      IncludePlannedDeletion: true,
      ...(prefix !== '' && { Filters: [{ Key: 'name', Values: [prefix] }] }),
      ...(next && { NextToken: next }),
    });
    return send('ListSecrets', { send: () => client.send(command) });
  };

  return {
    ...keys,
    limits: LIMITS,
    list: (prefix) => listSecrets((next) => readPage(prefix, next), prefix),
    find: async (key) => {
      const command = new sdk.DescribeSecretCommand({ SecretId: key });
      const secret = await unlessMissing(send('DescribeSecret', { send: () => client.send(command) }));
      return secret && toListedKey(key, { ...secret, SecretVersionsToStages: secret.VersionIdsToStages });
    },
    read: async (key) => {
      const command = new sdk.GetSecretValueCommand({ SecretId: key, VersionStage: CURRENT });
      const secret = await unlessMissing(send('GetSecretValue', { send: () => client.send(command) }));
      return secret && { text: secret.SecretString ?? null, version: secret.VersionId ?? '' };
    },
    create: async ({ key, text, owner }: KeyWrite) => {
      const command = new sdk.CreateSecretCommand({
        Name: key,
        SecretString: text,
        Tags: toAwsTags(settings.tags, owner),
        ...(settings.kmsKeyId !== null && { KmsKeyId: settings.kmsKeyId }),
      });
      const created = await send('CreateSecret', { isWrite: true, hasValue: true, send: () => client.send(command) });
      return created.VersionId ?? '';
    },
    update: async ({ key, text }: KeyWrite) => {
      const command = new sdk.PutSecretValueCommand({ SecretId: key, SecretString: text });
      const written = await send('PutSecretValue', { isWrite: true, hasValue: true, send: () => client.send(command) });
      return written.VersionId ?? '';
    },
    restore: async (key) => {
      const command = new sdk.RestoreSecretCommand({ SecretId: key });
      await send('RestoreSecret', { isWrite: true, send: () => client.send(command) });
    },
    remove: async (key) => {
      const command = new sdk.DeleteSecretCommand({ SecretId: key });
      await unlessMissing(send('DeleteSecret', { isWrite: true, send: () => client.send(command) }));
    },
    mark: async (key, owner) => {
      const command = new sdk.TagResourceCommand({ SecretId: key, Tags: toAwsTags({}, owner) });
      await send('TagResource', { isWrite: true, send: () => client.send(command) });
    },
    close: () => {
      client.destroy();
      session.close();
    },
  };
}

/** Returns all keys that begin with the prefix. */
async function listSecrets(
  readPage: (next: string | undefined) => Promise<ListSecretsResponse>,
  prefix: string,
): Promise<ListedKey[]> {
  const keys: ListedKey[] = [];
  let next: string | undefined;
  do {
    const page = await readPage(next);
    for (const secret of page.SecretList ?? []) {
      // The filter of the provider ignores the case of names and also matches words inside of them.
      if (!secret.Name?.startsWith(prefix)) continue;
      keys.push(toListedKey(secret.Name, secret));
    }
    next = page.NextToken;
  } while (next);
  return keys;
}

function toListedKey(key: string, secret: SecretListEntry): ListedKey {
  const versions = Object.entries(secret.SecretVersionsToStages ?? {});
  return {
    key,
    version: versions.find(([, stages]) => stages?.includes(CURRENT))?.[0] ?? null,
    owner: secret.Tags?.find(({ Key: tag }) => tag === OWNER_TAG)?.Value ?? null,
    isDeleted: secret.DeletedDate !== undefined,
  };
}

/** Returns null if the key does not exist. */
async function unlessMissing<Output>(response: Promise<Output>): Promise<Output | null> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'missing') return null;
    throw error;
  }
}
