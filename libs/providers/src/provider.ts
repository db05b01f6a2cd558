import type { RequestFence } from '@strata/outbound';
import type { ProviderError } from './provider-error.ts';

/** A service of a provider in which keys have values, such as the Parameter Store of one account and region. */
export interface StoreLocation {
  readonly region: string | null;
  readonly service: string | null;
}

export interface KeyLocation {
  readonly location: StoreLocation;
  readonly key: string;
}

/** The keys of one store, as far as they are known without a connection. */
export interface KeySpace {
  /** Identifies the store across integrations, so that two of them never own the same key. */
  readonly id: string;
  /** Returns the key under which the store keeps a name. Two names can have the same key. */
  toKey(name: string): string;
}

/** A key as a list of the provider shows it, without its value. */
export interface ListedKey {
  readonly key: string;
  /** Changes with every write. Null if the provider says that the key has no value. */
  readonly version: string | null;
  /** The owner in the mark of the key. Null if it has no mark, and absent if the store has no marks. */
  readonly owner?: string | null;
  /** Whether the key is deleted and can still be restored. */
  readonly isDeleted: boolean;
  /** Whether the text is stored unencrypted. Absent if the service encrypts all texts. */
  readonly isPlain?: boolean;
}

export interface StoredText {
  /** Null if the value is binary, or if the store returns no texts. */
  readonly text: string | null;
  readonly version: string;
}

export interface KeyWrite {
  readonly key: string;
  readonly text: string;
  readonly isSecret: boolean;
  /** The owner that a new key is marked with. */
  readonly owner: string;
}

/** The limits of one service. Longer or empty values cannot be written to it. */
export interface StoreLimits {
  readonly textBytesMax: number;
  readonly allowsEmptyText: boolean;
  /** Matches all valid keys. */
  readonly key: RegExp;
  readonly keyMax: number;
  /** A sentence that says which keys are valid. */
  readonly keyRule: string;
  /** Whether a slash in a name that the resource inserts would choose another container of keys. */
  readonly rejectsSlashInNames?: boolean;
}

/**
 * An open connection to one store. Every method throws a `ProviderError`, and the error never contains a value. A method
 * sends a fixed number of requests per key or page, and repeats at once only throttled requests.
 */
export interface Store extends KeySpace {
  readonly limits: StoreLimits;
  /**
   * Lists the keys that start with a prefix, with deleted ones that can be restored. `owner` has marked its keys. Only
   * `keys` matter to the caller.
   */
  list(prefix: string, owner: string, keys?: ReadonlySet<string>): Promise<readonly ListedKey[]>;
  /**
   * Returns one key as it is now; null if it does not exist. Absent if lists are never out of date. Called for keys whose
   * listed state is not the recorded one.
   */
  find?(key: string, owner: string): Promise<ListedKey | null>;
  /** Returns whether a key was deleted and created again between two versions. Absent if marks show it. */
  isRecreated?(version: string, later: string): boolean;
  /** Returns null if the key does not exist. */
  read(key: string): Promise<StoredText | null>;
  /** Creates a key with its mark. Fails with `conflict` if the key exists. Returns the new version. */
  create(write: KeyWrite): Promise<string>;
  /** Changes the value of an existing key. Returns the new version. */
  update(write: KeyWrite): Promise<string>;
  /** Replaces a key whose text is unencrypted by an encrypted one with the same mark. Returns the new version. */
  encrypt?(write: KeyWrite): Promise<string>;
  /** Restores a deleted key. Fails with `invalid` if the service cannot restore. */
  restore(key: string): Promise<void>;
  /** Deletes a key. The provider's recovery window applies. Succeeds if the key does not exist. */
  remove(key: string): Promise<void>;
  /** Marks an existing key as owned. Does nothing if the store has no marks. */
  mark(key: string, owner: string): Promise<void>;
  close(): void;
}

/** The settings of the installation that providers use. */
export interface ProviderEnvironment {
  /** Whether the operator allows private addresses, the setting that errors name, and when requests may be sent. */
  readonly guard: { readonly allowPrivate: boolean; readonly setting: string; readonly fence?: RequestFence };
  readonly aws: AwsInstallation;
  readonly azure: AzureInstallation;
  readonly google: GoogleInstallation;
  readonly github: GitHubInstallation;
  /** Called once for each request that is sent to the provider. */
  readonly onCall: (call: ProviderCall) => void;
}

export interface ProviderCall {
  /** The operation as the provider names it. */
  readonly operation: string;
  readonly isWrite: boolean;
}

/** The operator's settings for AWS. */
export interface AwsInstallation {
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
  /** Whether integrations may assume roles of the account that the operator's credentials belong to. */
  readonly allowsOwnAccount: boolean;
  /** Whether the SDK may read the machine's own credentials, from files, the environment and metadata services. */
  readonly usesMachineCredentials: boolean;
  /** Replaces the address of all services. */
  readonly endpoint: string | null;
}

/** The operator's settings for Azure: an application that customers allow in their tenants. */
export interface AzureInstallation {
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  /** A file with the token of another issuer that Azure accepts instead of a secret. It is read for each request. */
  readonly federatedTokenFile: string | null;
  readonly authorityUrl: string;
  /** The address of a vault, with `{vault}` in place of its name. */
  readonly vaultUrl: string;
}

/** The operator's settings for Google: a service account that customers allow in their projects. */
export interface GoogleInstallation {
  /** A file with the key of the service account. It is read for each connection. */
  readonly credentialsFile: string | null;
  readonly secretManagerUrl: string;
}

/** The operator's settings for GitHub: an app that customers install in their organizations. */
export interface GitHubInstallation {
  /** The id of the app, or its client id. */
  readonly appId: string | null;
  readonly privateKey: string | null;
  readonly apiUrl: string;
}

/** How Strata identifies an organization to a provider. Members cannot choose any of it. */
export interface ProviderTenant {
  readonly organizationId: string;
  /** A text that only this organization and its providers know. It proves that a request is for this organization. */
  readonly externalId: string;
}

/** The settings of one integration. Each provider reads its own members. */
export type ProviderSettings = Readonly<Record<string, unknown>>;

/** The contents of a path below the location of an integration: other paths, or the keys of a store with a prefix. */
export type StoreFolder =
  | { readonly paths: readonly string[] }
  | { readonly location: StoreLocation; readonly prefix: string };

/** One kind of external system. Its SDK is loaded with the first connection. */
export interface CloudProvider {
  /**
   * Returns the store and the key of a path below the location of an integration, as external values name them; null if
   * it is no path of a key.
   */
  locate(path: string): KeyLocation | null;
  /** Returns the path of a key, for which `locate` returns the key. */
  toPath(location: KeyLocation): string;
  /** Returns what a path contains as a folder; null if it is no folder, or if the provider lists none. */
  findFolder(settings: ProviderSettings, path: string): StoreFolder | null;
  /** A sentence that says how to write a location. */
  readonly locationHint: string;
  /** Returns whether the operator has set credentials for the provider. */
  isEnabled(environment: ProviderEnvironment): boolean;
  /** Returns what prevents a connection with these settings, before any request; null if nothing does. */
  check(settings: ProviderSettings, environment: ProviderEnvironment, location: StoreLocation): ProviderError | null;
  /** Returns the keys of the store at a location; null if the provider does not serve it. */
  keySpace(settings: ProviderSettings, location: StoreLocation): KeySpace | null;
  /** Sends the cheapest requests that prove the settings. Returns the settings that only the provider knows. */
  test(settings: ProviderSettings, environment: ProviderEnvironment, tenant: ProviderTenant): Promise<ProviderSettings>;
  open(
    settings: ProviderSettings,
    environment: ProviderEnvironment,
    location: StoreLocation,
    tenant: ProviderTenant,
  ): Promise<Store>;
}
