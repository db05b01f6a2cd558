import { OWNER_TAG, toAwsTags } from '../owner-tag.ts';
import type { KeySpace, KeyWrite, ListedKey, Store, StoredText } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { AwsSession } from './aws-session.ts';
import type { AwsSettings } from './aws-settings.ts';

const PAGE_SIZE = 50;
const SECURE = 'SecureString';

type Ssm = typeof import('@aws-sdk/client-ssm');

interface SsmConnection {
  readonly ssm: Ssm;
  readonly client: InstanceType<Ssm['SSMClient']>;
  readonly session: AwsSession;
}

/**
 * Opens the Parameter Store of a region. A version number starts again at 1 if a parameter is deleted and created, so a
 * version also contains the time of the change.
 */
export async function openParameterStore(keys: KeySpace, session: AwsSession, settings: AwsSettings): Promise<Store> {
  const ssm = await import('@aws-sdk/client-ssm');
  const client = new ssm.SSMClient(session.config);
  const connection = { ssm, client, session };
  return {
    ...keys,
    limits: {
      textBytesMax: 4_096,
      allowsEmptyText: false,
      key: /^\/?[\w.-]+(\/[\w.-]+)*$/,
      keyMax: 1_011,
      keyRule: 'Use letters, digits, slashes and . _ - only.',
    },
    list: (prefix, owner) => listParameters(connection, prefix, owner),
    find: (key) => findParameter(connection, key),
    read: (key) => readParameter(connection, key),
    create: (write) => putParameter(connection, settings, write, true),
    update: (write) => putParameter(connection, settings, write, false),
    // An overwritten text stays readable in the history of the parameter, and some types cannot be changed.
    encrypt: async (write) => {
      await removeParameter(connection, write.key);
      return putParameter(connection, settings, write, true);
    },
    restore: async (key) => {
      throw new ProviderError({
        kind: 'invalid',
        code: 'no_recovery',
        detail: `The Parameter Store cannot restore ${key}.`,
      });
    },
    remove: (key) => removeParameter(connection, key),
    mark: async (key, owner) => {
      const Tags = toAwsTags({}, owner);
      const command = new ssm.AddTagsToResourceCommand({ ResourceType: 'Parameter', ResourceId: key, Tags });
      await session.send('AddTagsToResource', { isWrite: true, send: () => client.send(command) });
    },
    close: () => {
      client.destroy();
      session.close();
    },
  };
}

async function listParameters(connection: SsmConnection, prefix: string, owner: string): Promise<ListedKey[]> {
  const filters = prefix === '' ? [] : [{ Key: 'Name', Option: 'BeginsWith', Values: [prefix] }];
  const all = await describeParameters(connection, filters);
  const marked = await describeParameters(connection, [...filters, { Key: `tag:${OWNER_TAG}`, Values: [owner] }]);
  const owned = new Set(marked.map(({ name }) => name));
  return all.map(({ name, version, isPlain }) => ({
    key: name,
    version,
    owner: owned.has(name) ? owner : null,
    isDeleted: false,
    isPlain,
  }));
}

async function findParameter({ ssm, client, session }: SsmConnection, key: string): Promise<ListedKey | null> {
  const command = new ssm.GetParameterCommand({ Name: key, WithDecryption: false });
  const tags = new ssm.ListTagsForResourceCommand({ ResourceType: 'Parameter', ResourceId: key });
  try {
    const { Parameter: parameter } = await session.send('GetParameter', { send: () => client.send(command) });
    const { TagList } = await session.send('ListTagsForResource', { send: () => client.send(tags) });
    return {
      key,
      version: formatVersion(parameter?.Version, parameter?.LastModifiedDate),
      owner: TagList?.find(({ Key: tag }) => tag === OWNER_TAG)?.Value ?? null,
      isDeleted: false,
      isPlain: parameter?.Type !== SECURE,
    };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function removeParameter({ ssm, client, session }: SsmConnection, key: string): Promise<void> {
  const command = new ssm.DeleteParameterCommand({ Name: key });
  try {
    await session.send('DeleteParameter', { isWrite: true, send: () => client.send(command) });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function describeParameters(
  { ssm, client, session }: SsmConnection,
  filters: readonly { Key: string; Option?: string; Values: string[] }[],
) {
  const listed: { readonly name: string; readonly version: string; readonly isPlain: boolean }[] = [];
  let next: string | undefined;
  do {
    const command = new ssm.DescribeParametersCommand({
      MaxResults: PAGE_SIZE,
      ParameterFilters: [...filters],
      ...(next && { NextToken: next }),
    });
    const page = await session.send('DescribeParameters', { send: () => client.send(command) });
    for (const { Name: name, Version: version, LastModifiedDate: at, Type: type } of page.Parameters ?? []) {
      if (name !== undefined) listed.push({ name, version: formatVersion(version, at), isPlain: type !== SECURE });
    }
    next = page.NextToken;
  } while (next);
  return listed;
}

async function putParameter(
  connection: SsmConnection,
  { kmsKeyId, tags }: AwsSettings,
  { key, text, isSecret, owner }: KeyWrite,
  isNew: boolean,
): Promise<string> {
  const { ssm, client, session } = connection;
  const command = new ssm.PutParameterCommand({
    Name: key,
    Value: text,
    // A text that is no longer secret stays encrypted, because the type of a parameter cannot be changed.
    ...((isNew || isSecret) && { Type: isSecret ? SECURE : 'String' }),
    Overwrite: !isNew,
    ...(isSecret && kmsKeyId !== null && { KeyId: kmsKeyId }),
    ...(isNew && { Tags: toAwsTags(tags, owner) }),
  });
  const sent = { isWrite: true, hasValue: true, send: () => client.send(command) };
  const { Version: version } = await session.send('PutParameter', sent);
  // The response has no time. If another writer was faster, the next run finds a version that it does not know.
  const current = await readParameter(connection, key);
  return current?.version.startsWith(`${version}@`) ? current.version : `${version}@`;
}

async function readParameter({ ssm, client, session }: SsmConnection, key: string): Promise<StoredText | null> {
  const command = new ssm.GetParameterCommand({ Name: key, WithDecryption: true });
  try {
    const { Parameter: parameter } = await session.send('GetParameter', { send: () => client.send(command) });
    return {
      text: parameter?.Value ?? null,
      version: formatVersion(parameter?.Version, parameter?.LastModifiedDate),
    };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const formatVersion = (version: number | undefined, at: Date | undefined): string =>
  `${version ?? 0}@${at === undefined ? 0 : Math.trunc(at.getTime())}`;

const isMissing = (error: unknown) => error instanceof ProviderError && error.kind === 'missing';
