import { Injectable } from '@nestjs/common';
import type { IntegrationNode } from '@strata/contract';
import {
  can,
  Failure,
  forbiddenScopes,
  listFolder,
  mayReveal,
  type Permissions,
  pathBelow,
  sentence,
  withoutTrailingSlashes,
} from '@strata/domain';
import { type CloudProvider, findProvider, type KeyLocation, ProviderError } from '@strata/providers';
import type { Caller } from '../../platform/caller.ts';
import { shownText } from '../../platform/limits/request-limits.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { describeContent } from '../external/content-filter.ts';
import { ExternalContents, heldBack, type StoreConnection } from '../external/external-contents.ts';
import { ProviderSetup } from '../external/provider-environment.ts';
import {
  findIntegration,
  type LocatedIntegration,
  missingContentError,
  NO_CLOUD_ACCESS,
} from '../syncs/find-integration.ts';
import { StoreRequests } from './store-requests.ts';

/** A request for a location below an integration. */
interface Visit {
  readonly caller: Permissions;
  readonly integration: LocatedIntegration;
  readonly provider: CloudProvider;
  readonly path: string;
  /** The JMESPath expression to apply to a content. Empty for none. */
  readonly filter: string;
}

/** Lists the stores of integrations. */
@Injectable()
export class StoreExplorer {
  constructor(
    private readonly requests: StoreRequests,
    private readonly reader: SnapshotReader,
    private readonly contents: ExternalContents,
    private readonly setup: ProviderSetup,
  ) {}

  /** Returns the contents of a folder, or the file at a location. Throws a `Failure` if there is neither. */
  async list(caller: Caller, fqn: string, filter: string): Promise<readonly IntegrationNode[]> {
    const { organizationId } = caller;
    const run = <Row extends object>(sql: string, values: unknown[]) => this.reader.query<Row>(sql, values);
    const integration = await findIntegration(run, organizationId, fqn);
    assertSeesEveryScope(caller);
    const path = withoutTrailingSlashes(pathBelow(fqn, integration.fqn));
    const visit = { caller, integration, provider: this.usableProvider(integration), path, filter };
    if (integration.isHeld) throw heldBack(fqn);
    const folder = visit.provider.findFolder(integration.settings, path);
    if (folder && 'paths' in folder) return folder.paths.toSorted().map((below) => toNode(visit, below, 'directory'));
    this.requests.take(organizationId);
    try {
      return await this.setup.withinTime(async (environment) => {
        const connection = this.contents.connect({ organizationId, ...integration }, environment);
        try {
          return await readNodes(connection, visit);
        } finally {
          connection.close();
        }
      });
    } catch (error) {
      throw error instanceof ProviderError ? unreachableError(fqn, error) : error;
    }
  }

  private usableProvider({ provider: name, settings }: LocatedIntegration): CloudProvider {
    const provider = findProvider(name);
    if (provider?.isEnabled(this.setup.environment)) return provider;
    const problem = provider?.check(settings, this.setup.environment, { region: null, service: null });
    throw notServed(problem?.detail);
  }
}

/** Names of keys can contain names of forbidden projects and environments, and Strata does not know which ones do. */
function assertSeesEveryScope(caller: Permissions): void {
  if (forbiddenScopes(caller).length === 0) return;
  throw Failure.forbidden(
    'Names of keys can contain names of projects and environments, and you have no access to some of them. Ask an ADMIN to list the keys.',
  );
}

/** The role of an integration may read more than the caller, so the same rights are required as for external values. */
const maySeeContents = (caller: Permissions): boolean => can(caller, 'write_content') && mayReveal(caller);

async function readNodes(connection: StoreConnection, visit: Visit): Promise<readonly IntegrationNode[]> {
  const { integration, provider, path } = visit;
  const place = provider.locate(path);
  if (provider.findFolder(integration.settings, '') === null) {
    // The provider lists nothing, but a file can be read by its path.
    if (place === null) throw notServed();
    return [await readFile(connection, visit)];
  }
  const nodes = await listNodes(connection, visit);
  if (place !== null && (await hasKey(connection, place))) return [await readFile(connection, visit), ...nodes];
  const isStore = place === null && provider.findFolder(integration.settings, path) !== null;
  if (nodes.length > 0 || isStore) return nodes;
  throw missingContentError(`${integration.fqn}/${path}`, provider.locationHint);
}

async function listNodes(connection: StoreConnection, visit: Visit): Promise<IntegrationNode[]> {
  const { integration, provider, path } = visit;
  const folder = provider.findFolder(integration.settings, path);
  if (folder === null || 'paths' in folder) return [];
  const { location, prefix } = folder;
  const paths = (await connection.list(location, prefix)).map((key) => provider.toPath({ location, key }));
  return listFolder(paths, path).map((entry) => toNode(visit, entry.path, entry.isFolder ? 'directory' : 'file'));
}

async function hasKey(connection: StoreConnection, { location, key: name }: KeyLocation): Promise<boolean> {
  const { limits, toKey } = await connection.storeAt(location);
  const key = toKey(name);
  if (key.length > limits.keyMax || !limits.key.test(key)) return false;
  return (await connection.list(location, key)).includes(key);
}

/** Returns the file at a location, with its content if the caller may see it. */
async function readFile(connection: StoreConnection, visit: Visit): Promise<IntegrationNode> {
  const { caller, path, integration, filter } = visit;
  const node = toNode(visit, path, 'file');
  const isMasked = !maySeeContents(caller);
  const text = isMasked ? '' : await connection.read(`${integration.fqn}/${path}`, filter);
  const content_data = shownText({ isSecret: true, isMasked, isNull: false, clear: () => text });
  if (isMasked) return { ...node, content_data };
  const content_size = Buffer.byteLength(text);
  if (filter !== '')
    return { ...node, node_type: 'value', jmespath: filter, content_type: 'text/plain', content_data, content_size };
  const { type, names } = describeContent(text);
  return { ...node, content_type: type, content_data, content_size, content_keys: names };
}

function toNode({ integration }: Visit, path: string, type: 'directory' | 'file'): IntegrationNode {
  return {
    fqn: `${integration.fqn}/${path}`,
    node_type: type,
    secret: type === 'file',
    name: path.split('/').at(-1) ?? path,
    jmespath: null,
    content_type: null,
    content_data: null,
    content_size: null,
    content_keys: null,
    venue_id: null,
  };
}

const notServed = (detail: string = NO_CLOUD_ACCESS.detail) =>
  new Failure({ kind: 'forbidden', code: NO_CLOUD_ACCESS.code, message: detail });

/** The contract has one status for a store that cannot be reached, for whatever reason. */
const unreachableError = (location: string, { detail: reason }: ProviderError) =>
  new Failure({
    kind: 'forbidden',
    code: 'store_unreachable',
    message: sentence`\`${{ location }}\` cannot be listed: ${{ reason }}`,
  });
