// The entry for browsers and other platforms without a file system.
import type { Config } from './config.ts';
import type { CommonOptions } from './options.ts';
import type { AnyParameters } from './parameters.ts';
import { connectWith } from './session.ts';

export type { ChangeListener, Config, ConnectionStatus } from './config.ts';
export type { CommonOptions, ConfigChange, Fetch, ProgramCredential } from './options.ts';
export type { AnyParameters } from './parameters.ts';
export { ConfigError, StrataError, type StrataErrorCode } from './strata-error.ts';
export type { Getters, Values } from './values.ts';

interface BrowserOptions<Parameters extends object = AnyParameters> extends CommonOptions<Parameters> {
  /**
   * If Strata is unavailable, `fail` (the default) rejects after `timeoutMs`, and `wait` waits until Strata is available.
   */
  readonly whenUnavailable?: 'fail' | 'wait';
}

export type { BrowserOptions as ConnectOptions };

/**
 * Reads the configuration of a program, and follows its changes until it is closed. `Parameters` is the interface that
 * `strata generate types` writes; without it, any name can be read as any type.
 */
export async function connect<Parameters extends object = AnyParameters>(
  options: BrowserOptions<Parameters>,
): Promise<Config<Parameters>> {
  const { whenUnavailable = 'fail' } = options;
  return connectWith({ ...options, whenUnavailable }, null);
}
