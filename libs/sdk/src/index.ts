// The entry for Node.js, with the file cache.
import type { Config } from './config.ts';
import { type CacheOptions, FileCache } from './file-cache.ts';
import type { CommonOptions } from './options.ts';
import type { AnyParameters } from './parameters.ts';
import { connectWith, type StartMode } from './session.ts';

export type { ChangeListener, Config, ConnectionStatus } from './config.ts';
export type { CacheOptions } from './file-cache.ts';
export type { CommonOptions, ConfigChange, Fetch, ProgramCredential } from './options.ts';
export type { AnyParameters } from './parameters.ts';
export type { StartMode } from './session.ts';
export { ConfigError, StrataError, type StrataErrorCode } from './strata-error.ts';
export type { Getters, Values } from './values.ts';

export interface ConnectOptions<Parameters extends object = AnyParameters> extends CommonOptions<Parameters> {
  /** Stores the last configuration on disk, encrypted, for starts while Strata is unavailable. */
  readonly cache?: CacheOptions;
  /**
   * If Strata is unavailable, `fail` rejects after `timeoutMs`, `wait` waits until Strata is available, and `cached`
   * starts with the cache, or rejects like `fail` if there is none. Default: `cached` with a cache, otherwise `fail`.
   */
  readonly whenUnavailable?: StartMode;
}

/**
 * Reads the configuration of a program, and follows its changes until it is closed. `Parameters` is the interface that
 * `strata generate types` writes; without it, any name can be read as any type.
 */
export async function connect<Parameters extends object = AnyParameters>(
  options: ConnectOptions<Parameters>,
): Promise<Config<Parameters>> {
  const cache = options.cache ? new FileCache(options.cache, options.credential) : null;
  const { whenUnavailable = cache ? 'cached' : 'fail' } = options;
  return connectWith({ ...options, whenUnavailable }, cache);
}
