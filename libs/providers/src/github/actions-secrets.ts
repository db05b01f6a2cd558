import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { KeySpace, KeyWrite, ListedKey, Store } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { type GitHubSession, readJson } from './github-session.ts';
import type { GitHubSettings } from './github-settings.ts';
import { sealText } from './sealed-box.ts';
import {
  type Container,
  containerPath,
  noRepository,
  operationIn,
  permissionsIn,
  readContainer,
} from './secret-container.ts';

const PAGE_SIZE = 100;
/** The status of a write that has replaced nothing. */
const CREATED = 201;
/** The times of GitHub are whole seconds, and its servers differ by less than one. */
const TOLERANCE_MS = 1_000;
/** A server of GitHub can be behind for a moment. */
const CONFIRMATION_PAUSES_MS = [0, 1_000, 2_000, 4_000];

/** A list and a single secret must have equal versions, however GitHub writes the time. */
const Time = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());
const Secret = z
  .object({ name: z.string(), created_at: Time, updated_at: Time })
  .transform(({ name, created_at: createdAt, updated_at: updatedAt }) => ({
    ...{ name, updatedAt },
    version: `${createdAt}/${updatedAt}`,
  }));
type Secret = z.infer<typeof Secret>;
const SecretPage = z.object({ total_count: z.number(), secrets: z.array(Secret) });
const PublicKey = z.object({ key_id: z.string(), key: z.string() });

export const actionsKeys = ({ installationId }: GitHubSettings): KeySpace => ({
  id: `github:${installationId}`,
  // GitHub ignores the case of all these names, and stores those of secrets in upper case.
  toKey: (name) => {
    const segments = name.replace(/^\/+/, '').split('/');
    const last = segments.pop() ?? '';
    return [...segments.map((segment) => segment.toLowerCase()), last.toUpperCase().replace(/[.-]/g, '_')].join('/');
  },
});

/**
 * Opens the secrets of Actions of all repositories of an installation. A key is `repository/NAME` or
 * `repository/environment/NAME`. GitHub never returns a text, and secrets have no marks: a version is the times of the
 * creation and of the last change, and only a key whose version was recorded is ours.
 */
export function openActionsSecrets(session: GitHubSession, organization: string, settings: GitHubSettings): Store {
  const secrets = new ActionsSecrets(session, organization);
  const find = async (key: string): Promise<ListedKey | null> => {
    const secret = await secrets.find(key);
    return secret && { key, version: secret.version, isDeleted: false };
  };
  return {
    ...actionsKeys(settings),
    limits: {
      textBytesMax: 49_152,
      allowsEmptyText: false,
      key: /^(?!\.{1,2}\/)[a-z\d._-]+\/(?:(?!\.{1,2}\/)[^/]+\/)?(?!GITHUB_)[A-Z_][A-Z\d_]*$/,
      keyMax: 512,
      rejectsSlashInNames: true,
      keyRule:
        'Write repository/NAME or repository/environment/NAME. NAME has letters, digits and underscores, and starts neither with a digit nor with GITHUB_. Dots and hyphens in it become underscores.',
    },
    list: async (prefix, _owner, keys) => {
      const containers = new Map<string, Container>();
      for (const key of keys ?? [prefix]) {
        const path = containerPath(key);
        if (path !== '') containers.set(path, readContainer(path));
      }
      const lists = [];
      for (const [path, container] of containers) {
        const listed = await secrets.list(container);
        lists.push(...listed.map(({ name, version }) => ({ key: `${path}/${name}`, version, isDeleted: false })));
      }
      return lists.filter(({ key }) => key.startsWith(prefix));
    },
    find,
    isRecreated: (version, later) => creationTime(version) !== creationTime(later),
    read: async (key) => {
      const secret = await secrets.read(key);
      return secret && { text: null, version: secret.version };
    },
    create: (write) => secrets.create(write),
    update: (write) => secrets.update(write),
    restore: async (key) => {
      const detail = `GitHub cannot restore ${key}.`;
      throw new ProviderError({ kind: 'invalid', code: 'no_recovery', detail });
    },
    remove: (key) => secrets.remove(key),
    mark: async () => undefined,
    close: () => session.close(),
  };
}

/** The requests for the secrets of one installation. */
class ActionsSecrets {
  private readonly publicKeys = new Map<string, Promise<z.infer<typeof PublicKey>>>();
  /** The version of each key that the caller has read or written last. Only this version is changed or deleted. */
  private readonly versions = new Map<string, string>();

  constructor(
    private readonly session: GitHubSession,
    private readonly organization: string,
  ) {}

  /** Throws if the repository or environment does not exist: otherwise, all its keys would count as deleted. */
  async list(container: Container): Promise<readonly Secret[]> {
    const secrets: Secret[] = [];
    for (let page = 1; ; page += 1) {
      const query = { per_page: String(PAGE_SIZE), page: String(page) };
      const request = { path: this.path(container), query, permissions: permissionsIn(container, 'read') };
      const response = await orNull(this.session.send(operationIn(container, 'list', 's'), request));
      if (response === null) throw noRepository(container);
      const { total_count: count, secrets: listed } = await readJson(response, SecretPage);
      secrets.push(...listed);
      if (listed.length < PAGE_SIZE || secrets.length >= count) return secrets;
    }
  }

  async find(key: string): Promise<Secret | null> {
    const { container, path } = this.locate(key);
    const request = { path, permissions: permissionsIn(container, 'read') };
    const response = await orNull(this.session.send(operationIn(container, 'get'), request));
    return response && readJson(response, Secret);
  }

  async read(key: string): Promise<Secret | null> {
    const secret = await this.find(key);
    if (secret === null) this.versions.delete(key);
    else this.versions.set(key, secret.version);
    return secret;
  }

  /** GitHub would replace the text of an existing secret. */
  create(write: KeyWrite): Promise<string> {
    return this.put(write, null);
  }

  update(write: KeyWrite): Promise<string> {
    return this.put(write, this.lastVersion(write.key));
  }

  /**
   * Writes a text if the key still has a version; null if it must not exist. Returns the new version. Fails with
   * `conflict` if another program wrote at the same time.
   */
  private async put(write: KeyWrite, expected: string | null): Promise<string> {
    const { container } = this.locate(write.key);
    const publicKey = await this.publicKey(container);
    try {
      return await this.putSealed(write, expected, publicKey);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.code !== 'HTTP_422') throw error;
      // GitHub can replace the public key of a repository, and then rejects texts for the earlier one.
      this.publicKeys.clear();
      const current = await this.publicKey(container);
      if (current.key_id === publicKey.key_id) throw error;
      return await this.putSealed(write, expected, current);
    }
  }

  private async putSealed(
    { key, text }: KeyWrite,
    expected: string | null,
    { key_id, key: publicKey }: z.infer<typeof PublicKey>,
  ): Promise<string> {
    const { container, path } = this.locate(key);
    const body = { encrypted_value: await sealText(text, publicKey), key_id };
    await this.session.awaitWrite();
    await this.assertVersion(key, expected);
    const from = this.session.now() - TOLERANCE_MS;
    const request = { method: 'PUT', path, body, permissions: permissionsIn(container, 'write') } as const;
    const response = await this.session.send(operationIn(container, 'create-or-update'), request);
    await response.body?.cancel();
    if (expected === null && response.status !== CREATED) throw changedElsewhere(key);
    const to = (Date.parse(response.headers.get('date') ?? '') || this.session.now()) + TOLERANCE_MS;
    return this.confirmWrite(key, from, to);
  }

  /** Returns the version after a write, because the response has no time. A failed read does not mean a failed write. */
  private async confirmWrite(key: string, from: number, to: number): Promise<string> {
    let lastReadSucceeded = false;
    for (const pause of CONFIRMATION_PAUSES_MS) {
      await setTimeout(pause);
      const secret = await orUndefined(this.find(key));
      lastReadSucceeded = secret !== undefined;
      if (secret === undefined) continue;
      const at = Date.parse(secret?.updatedAt ?? '');
      if (at > to) break;
      if (secret !== null && at >= from) {
        this.versions.set(key, secret.version);
        return secret.version;
      }
    }
    throw lastReadSucceeded ? changedElsewhere(key) : unconfirmedWrite(key);
  }

  private lastVersion(key: string): string | null {
    return this.versions.get(key) ?? null;
  }

  /** Throws if the key no longer has the version, for example because the write had to wait. */
  private async assertVersion(key: string, expected: string | null): Promise<void> {
    const current = await this.find(key);
    if ((current?.version ?? null) !== expected) throw changedElsewhere(key);
  }

  async remove(key: string): Promise<void> {
    const { container, path } = this.locate(key);
    await this.session.awaitWrite();
    const current = await this.find(key);
    if (current === null) return;
    if (current.version !== this.lastVersion(key)) throw changedElsewhere(key);
    const request = { method: 'DELETE', path, permissions: permissionsIn(container, 'write') } as const;
    await orNull(this.session.send(operationIn(container, 'delete'), request));
  }

  private publicKey(container: Container): Promise<z.infer<typeof PublicKey>> {
    const path = [...this.path(container), 'public-key'];
    const id = path.join('/');
    const operation = container.environment === null ? 'get-repo-public-key' : 'get-environment-public-key';
    const publicKey = this.publicKeys.get(id) ?? this.readPublicKey(`actions/${operation}`, path, container);
    this.publicKeys.set(id, publicKey);
    return publicKey;
  }

  /** An app gets 404 for repositories that its installation does not include. A new plan would not help. */
  private async readPublicKey(operation: string, path: readonly string[], container: Container) {
    const request = { path, permissions: permissionsIn(container, 'read') };
    const response = await orNull(this.session.send(operation, request));
    if (response === null) throw noRepository(container);
    return readJson(response, PublicKey);
  }

  private locate(key: string): { readonly container: Container; readonly path: readonly string[] } {
    const container = readContainer(containerPath(key));
    return { container, path: [...this.path(container), key.slice(key.lastIndexOf('/') + 1)] };
  }

  private path({ repository, environment }: Container): readonly string[] {
    const root = ['repos', this.organization, repository];
    return environment === null ? [...root, 'actions', 'secrets'] : [...root, 'environments', environment, 'secrets'];
  }
}

const changedElsewhere = (key: string) =>
  new ProviderError({
    kind: 'conflict',
    code: 'concurrent_change',
    detail: `Another program changed ${key} at the same time.`,
  });

/** The error is temporary, because only such a one leaves the write open. */
const unconfirmedWrite = (key: string) =>
  new ProviderError({
    kind: 'retryable',
    code: 'write_unconfirmed',
    detail: `GitHub accepted the text of ${key}, but Strata could not read its new time.`,
  });

const creationTime = (version: string): string => version.split('/')[0] ?? '';

/** Returns undefined after an error of GitHub. */
async function orUndefined<Result>(request: Promise<Result>): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}

async function orNull(request: Promise<Response>): Promise<Response | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'missing') return null;
    throw error;
  }
}
