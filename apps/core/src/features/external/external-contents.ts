import { Injectable } from '@nestjs/common';
import type { ProviderName, ValuePatch } from '@strata/contract';
import {
  Failure,
  NON_FIELD_ERRORS,
  type OrganizationId,
  pathBelow,
  sentence,
  VALUE_LENGTH_MAX,
  valueTextProblem,
} from '@strata/domain';
import {
  findProvider,
  type ProviderEnvironment,
  ProviderError,
  type ProviderSettings,
  type Store,
  type StoreLocation,
} from '@strata/providers';
import type { Caller } from '../../platform/caller.ts';
import { IdempotencyKeys } from '../../platform/ledger/idempotency-keys.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { findIntegration, missingContentError, NO_CLOUD_ACCESS } from '../syncs/find-integration.ts';
import { assertMayReadExternal } from '../syncs/push-rights.ts';
import type { FilterProblem } from './content-filter.ts';
import { ProviderSetup } from './provider-environment.ts';

/** A longer content is not parsed, because parsing needs memory. */
const CONTENT_BYTES_MAX = 1_048_576;
/** Marks no key, so that a list shows no key as owned. */
const NO_OWNER = 'strata-reader';

/** The text at a location. */
export interface ExternalText {
  readonly fqn: string;
  readonly filter: string;
  readonly text: string;
}

/** An integration that contents are read with. */
export interface ReadableIntegration {
  readonly organizationId: OrganizationId;
  readonly provider: ProviderName;
  readonly settings: ProviderSettings;
  readonly fqn: string;
}

/** Reads the contents of external values. */
@Injectable()
export class ExternalContents {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly setup: ProviderSetup,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  /**
   * Reads the content that a request names, before the write; null if it names none, or if it repeats an earlier request.
   * The caller must be able to reveal secrets, because the integration may read more than the caller.
   */
  async readRequested(caller: Caller, patch: ValuePatch): Promise<ExternalText | null> {
    if (!patch.external || (await this.isRepeated(caller))) return null;
    assertMayReadExternal(caller);
    const { organizationId } = caller;
    const [fqn, filter] = [(patch.external_fqn ?? '').trim(), patch.external_filter ?? ''];
    const run = <Row extends object>(sql: string, values: unknown[]) => this.reader.query<Row>(sql, values);
    const integration = await findIntegration(run, organizationId, fqn);
    if (integration.isHeld) throw heldBack(fqn);
    const connection = this.connect({ organizationId, ...integration });
    try {
      return { fqn, filter, text: await connection.read(fqn, filter) };
    } catch (error) {
      throw error instanceof ProviderError ? unreadableError(fqn, error) : error;
    } finally {
      connection.close();
    }
  }

  /** Returns whether the request repeats an earlier one, whose response is stored. */
  async isRepeated(caller: Caller): Promise<boolean> {
    for (const { text, values } of this.idempotencyKeys.previous(caller)) {
      if ((await this.reader.query(text, values)).length > 0) return true;
    }
    return false;
  }

  connect(integration: ReadableIntegration, environment = this.setup.environment): StoreConnection {
    return new StoreConnection(integration, this.setup, environment);
  }
}

/** The stores of one integration. Reads each content once, and connects to each store once. */
export class StoreConnection {
  private readonly stores = new Map<string, Promise<Store>>();
  private readonly contents = new Map<string, Promise<string>>();

  constructor(
    private readonly integration: ReadableIntegration,
    private readonly setup: ProviderSetup,
    private readonly environment: ProviderEnvironment,
  ) {}

  /** Returns the keys of a store that begin with a prefix, without deleted ones. */
  async list(location: StoreLocation, prefix: string): Promise<readonly string[]> {
    const keys = await (await this.storeAt(location)).list(prefix, NO_OWNER);
    return keys.filter(({ isDeleted }) => !isDeleted).map(({ key }) => key);
  }

  /** Returns the text at a location. Throws a `ProviderError`, or a `Failure` if the location has no such text. */
  async read(fqn: string, filter: string): Promise<string> {
    const content = await cached(this.contents, fqn, () => this.readContent(fqn));
    const text = filter === '' ? content : await filtered(content, filter);
    const problem = valueTextProblem(text);
    if (problem?.code === 'too_long') throw tooLong(fqn);
    if (problem) throw binary(fqn);
    return text;
  }

  close(): void {
    for (const store of this.stores.values())
      store.then(
        (open) => open.close(),
        () => undefined,
      );
  }

  private async readContent(fqn: string): Promise<string> {
    const { provider: name, settings, fqn: root } = this.integration;
    const provider = findProvider(name);
    if (provider === null) throw missingContentError(fqn, NO_CLOUD_ACCESS.detail);
    const place = provider.locate(pathBelow(fqn, root));
    if (place === null) throw missingContentError(fqn, provider.locationHint);
    const problem = provider.check(settings, this.environment, place.location);
    if (problem?.code === 'no_credentials') throw missingContentError(fqn, problem.detail);
    if (problem) throw problem;
    const store = await this.storeAt(place.location);
    const key = store.toKey(place.key);
    const { limits } = store;
    if (key.length > limits.keyMax || !limits.key.test(key)) throw missingContentError(fqn, provider.locationHint);
    const storedContent = await store.read(key).catch((error: unknown) => {
      throw error instanceof ProviderError && error.code === 'content_too_large' ? tooLong(fqn) : error;
    });
    if (storedContent === null) throw missingContentError(fqn, 'Check the location.');
    if (storedContent.text === null) throw binary(fqn);
    if (Buffer.byteLength(storedContent.text) > CONTENT_BYTES_MAX) throw tooLong(fqn);
    return storedContent.text;
  }

  storeAt(location: StoreLocation): Promise<Store> {
    return cached(this.stores, JSON.stringify(location), () => this.open(location));
  }

  private async open(location: StoreLocation): Promise<Store> {
    const { organizationId, provider, settings } = this.integration;
    const tenant = await this.setup.tenant(organizationId);
    const store = await findProvider(provider)?.open(settings, this.environment, location, tenant);
    if (!store) throw new Error(`No provider is registered for ${provider}.`);
    return store;
  }
}

function cached<T>(results: Map<string, Promise<T>>, key: string, create: () => Promise<T>): Promise<T> {
  const result = results.get(key) ?? create();
  results.set(key, result);
  return result;
}

const FILTER_PROBLEMS: Readonly<Record<FilterProblem, string>> = {
  invalid: 'The filter is not a JMESPath expression. Correct external_filter.',
  unsupported:
    'The filter may contain only members and indexes. Write a path such as database.hosts[0] as external_filter.',
  unreadable: 'The content is neither JSON nor YAML nor dotenv, so it cannot be filtered. Omit external_filter.',
  no_match: 'The filter selects nothing in the content. Correct external_filter.',
};

async function filtered(content: string, filter: string): Promise<string> {
  // The parsers are loaded with the first filter.
  const { selectText } = await import('./content-filter.ts');
  const result = selectText(content, filter);
  if ('text' in result) return result.text;
  const message = FILTER_PROBLEMS[result.problem];
  throw Failure.fields('external_filter', [{ field: '__all__', pointer: '/external_filter', message }]);
}

const binary = (fqn: string) =>
  new Failure({
    kind: 'unsupported_media_type',
    code: 'external_content_binary',
    message: sentence`The content of \`${{ location: fqn }}\` is not text, or contains characters that a value cannot have. Change it there.`,
  });

const tooLong = (fqn: string) =>
  new Failure({
    kind: 'content_too_large',
    code: 'external_content_too_large',
    message: sentence`The text of \`${{ location: fqn }}\` is longer than ${{ limit: VALUE_LENGTH_MAX }} characters, or its content than a mebibyte. Shorten it, or select a part with external_filter.`,
  });

export const heldBack = (location: string) =>
  new Failure({
    kind: 'unavailable',
    code: 'external_content_unavailable',
    message: sentence`The content of \`${{ location }}\` cannot be read: ${{ reason: 'after a restore, integrations wait until an operator continues them.' }}`,
  });

/** Returns the error of a request whose location cannot be read now. */
function unreadableError(location: string, { detail: reason, isTemporary, retryAfterSeconds }: ProviderError): Failure {
  const message = sentence`The content of \`${{ location }}\` cannot be read: ${{ reason }}`;
  if (isTemporary)
    return new Failure({
      kind: 'unavailable',
      code: 'external_content_unavailable',
      message,
      retryAfterSeconds: retryAfterSeconds ?? 5,
    });
  return Failure.fields('external_content_denied', [{ field: NON_FIELD_ERRORS, pointer: '/external_fqn', ...message }]);
}
