import type { secretmanager_v1 } from '@googleapis/secretmanager';
import { decodeText } from '@strata/domain';
import { OWNER_TAG } from '../owner-tag.ts';
import type { KeySpace, KeyWrite, ListedKey, Store, StoredText } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { GoogleSession } from './google-session.ts';
import type { GoogleSettings } from './google-settings.ts';

const PAGE_SIZE = 250;
/** A project can have thousands of secrets, so a list leaves out what no run needs. */
const LISTED = { fields: 'secrets(name,labels),nextPageToken' };

/** A rule of the project forbids the creation. It is no change of another program, so a new plan would fail, too. */
const FORBIDDEN = { FAILED_PRECONDITION: 'invalid' } as const;

type Secret = secretmanager_v1.Schema$Secret;
type Version = secretmanager_v1.Schema$SecretVersion;

export const projectKeys = (project: string): KeySpace => ({
  id: `google:${project}`,
  toKey: (name) => name.replace(/^\/+/, '').replace(/[./]/g, '-'),
});

/**
 * Opens the secrets of a project. Google deletes secrets and destroys versions for good, so Strata does neither: a key is
 * removed by disabling its versions, and restored by enabling the last one.
 */
export function openSecretManager(session: GoogleSession, { project, labels }: GoogleSettings): Store {
  const secrets = new ProjectSecrets(session, project);
  return {
    ...projectKeys(project),
    limits: {
      textBytesMax: 65_536,
      allowsEmptyText: false,
      key: /^[\w-]+$/,
      keyMax: 255,
      keyRule: 'Use letters, digits, hyphens and underscores. Dots and slashes become hyphens.',
    },
    list: async (prefix) => {
      const all = await secrets.list();
      // A list has no versions, so each key that matters is looked up.
      const listed = all.map((secret) => ({
        key: keyIn(secret),
        version: null,
        owner: markOf(secret),
        isDeleted: false,
      }));
      return listed.filter(({ key }) => key.startsWith(prefix));
    },
    find: (key, owner) => findKey(secrets, key, owner),
    read: (key) => readKey(secrets, key),
    create: async (write) => {
      await reserve(secrets, write, labels);
      return secrets.addVersion(write);
    },
    update: (write) => secrets.addVersion(write),
    restore: async (key) => {
      const latest = await secrets.latestVersion(key);
      if (latest?.state === 'DISABLED') return secrets.setState(key, latest, 'enable');
      const detail = `The latest version of the secret ${key} was destroyed and cannot be enabled.`;
      if (latest?.state !== 'ENABLED') throw new ProviderError({ kind: 'invalid', code: 'no_recovery', detail });
    },
    remove: async (key) => {
      // The latest version says whether the key is removed, so it is the last one that is disabled.
      const versions = await secrets.enabledVersions(key);
      for (const version of versions.toReversed()) await secrets.setState(key, version, 'disable');
    },
    mark: async (key, owner) => {
      const secret = await secrets.find(key);
      const detail = `The secret ${key} does not exist.`;
      if (secret === null) throw new ProviderError({ kind: 'missing', code: 'NOT_FOUND', detail });
      await secrets.setLabels(key, secret, { ...secret.labels, [OWNER_TAG]: owner });
    },
    close: () => session.close(),
  };
}

/** The requests for the secrets of one project. */
class ProjectSecrets {
  constructor(
    private readonly session: GoogleSession,
    private readonly project: string,
  ) {}

  async list(): Promise<readonly Secret[]> {
    const secrets: Secret[] = [];
    let pageToken = '';
    do {
      const query = { ...LISTED, parent: this.parent, pageSize: PAGE_SIZE, ...(pageToken && { pageToken }) };
      const page = await this.session.send('ListSecrets', { send: (api) => api.list(query) });
      secrets.push(...(page.secrets ?? []));
      pageToken = page.nextPageToken ?? '';
    } while (pageToken !== '');
    return secrets;
  }

  find(key: string): Promise<Secret | null> {
    return orNull(this.session.send('GetSecret', { send: (api) => api.get({ name: this.path(key) }) }));
  }

  /** Returns null if the secret has no version. */
  latestVersion(key: string): Promise<Version | null> {
    const name = `${this.path(key)}/versions/latest`;
    return orNull(this.session.send('GetSecretVersion', { send: (api) => api.versions.get({ name }) }));
  }

  /** Returns the enabled versions, the newest one first. */
  async enabledVersions(key: string): Promise<readonly Version[]> {
    const versions: Version[] = [];
    let pageToken = '';
    do {
      const query = { parent: this.path(key), filter: 'state:ENABLED', pageSize: PAGE_SIZE };
      const request = { ...query, ...(pageToken && { pageToken }) };
      const page = await orNull(this.session.send('ListSecretVersions', { send: (api) => api.versions.list(request) }));
      versions.push(...(page?.versions ?? []));
      pageToken = page?.nextPageToken ?? '';
    } while (pageToken !== '');
    return versions;
  }

  async access(key: string, version: Version): Promise<Buffer> {
    const name = this.versionPath(key, version);
    const accessed = await this.session.send('AccessSecretVersion', {
      send: (api) => api.versions.access({ name }),
    });
    return Buffer.from(accessed.payload?.data ?? '', 'base64');
  }

  /** Creates a secret without a version. Fails with `conflict` if it exists. */
  async create(secretId: string, labels: Readonly<Record<string, string>>): Promise<void> {
    const requestBody = { replication: { automatic: {} }, labels: { ...labels } };
    await this.session.send('CreateSecret', {
      isWrite: true,
      kinds: FORBIDDEN,
      send: (api) => api.create({ parent: this.parent, secretId, requestBody }),
    });
  }

  async addVersion({ key, text }: KeyWrite): Promise<string> {
    const requestBody = { payload: { data: Buffer.from(text).toString('base64') } };
    const version = await this.session.send('AddSecretVersion', {
      isWrite: true,
      hasValue: true,
      kinds: FORBIDDEN,
      send: (api) => api.addVersion({ parent: this.path(key), requestBody }),
    });
    return formatVersion(version);
  }

  async setState(key: string, version: Version, action: 'enable' | 'disable'): Promise<void> {
    const name = this.versionPath(key, version);
    await this.session.send(action === 'enable' ? 'EnableSecretVersion' : 'DisableSecretVersion', {
      isWrite: true,
      send: (api) => api.versions[action]({ name, requestBody: {} }),
    });
  }

  /** The tag of the entity rejects the change if another program changed the secret meanwhile. */
  async setLabels(key: string, { etag }: Secret, labels: Readonly<Record<string, string>>): Promise<void> {
    const requestBody = { labels: { ...labels }, etag: etag ?? null };
    await this.session.send('UpdateSecret', {
      isWrite: true,
      send: (api) => api.patch({ name: this.path(key), updateMask: 'labels', requestBody }),
    });
  }

  private get parent(): string {
    return `projects/${this.project}`;
  }

  private path(key: string): string {
    return `${this.parent}/secrets/${key}`;
  }

  /** The names in responses contain the number of the project instead of its id. */
  private versionPath(key: string, version: Version): string {
    return `${this.path(key)}/versions/${versionNumber(version)}`;
  }
}

/** A secret with our mark and without a value is the rest of a creation that a crash interrupted. */
async function findKey(secrets: ProjectSecrets, key: string, owner: string): Promise<ListedKey | null> {
  const secret = await secrets.find(key);
  if (secret === null) return null;
  const latest = await secrets.latestVersion(key);
  const hasValue = latest !== null && latest.state !== 'DESTROYED';
  if (!hasValue && markOf(secret) === owner) return null;
  const version = hasValue ? formatVersion(latest) : null;
  return { key, version, owner: markOf(secret), isDeleted: latest?.state === 'DISABLED' };
}

/** Reads the version by its number, because the alias of the latest one can be out of date for a while. */
async function readKey(secrets: ProjectSecrets, key: string): Promise<StoredText | null> {
  const latest = await secrets.latestVersion(key);
  if (latest?.state !== 'ENABLED') return null;
  const decoded = decodeText(await secrets.access(key, latest));
  return { text: decoded.problem === undefined ? decoded.text : null, version: formatVersion(latest) };
}

/** Creates the secret with its mark, or accepts one that an interrupted creation of the same push has left. */
async function reserve(secrets: ProjectSecrets, { key, owner }: KeyWrite, labels: GoogleSettings['labels']) {
  try {
    await secrets.create(key, { ...labels, [OWNER_TAG]: owner });
  } catch (error) {
    const exists = error instanceof ProviderError && error.code === 'ALREADY_EXISTS';
    if (!exists || (await findKey(secrets, key, owner)) !== null) throw error;
  }
}

const keyIn = ({ name }: Secret): string => name?.split('/').at(-1) ?? '';
const markOf = ({ labels }: Secret): string | null => labels?.[OWNER_TAG] ?? null;

/** Numbers begin again after a secret was deleted, so the time of the version is part of it. */
const formatVersion = (version: Version): string => `${versionNumber(version)}@${version.createTime}`;

const versionNumber = ({ name }: Version): string => name?.split('/').at(-1) ?? '';

async function orNull<Output>(request: Promise<Output>): Promise<Output | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'missing') return null;
    throw error;
  }
}
