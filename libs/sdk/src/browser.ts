// The entry for browsers and other platforms without a file system.
import type { Config } from './config.ts';
import type { CommonOptions } from './options.ts';
import { connectWith } from './session.ts';

export type { ChangeListener, Config, ConnectionStatus } from './config.ts';
export type { CommonOptions, ConfigChange, Fetch, ProgramCredential } from './options.ts';
export { ConfigRefusal, StrataError, type StrataErrorCode } from './strata-error.ts';
export type { Getters, Values } from './values.ts';

interface BrowserOptions extends CommonOptions {
  /**
   * If Strata is unavailable, `fail` (the default) rejects after `timeoutMs`, and `wait` waits until Strata is available.
   */
  readonly whenUnavailable?: 'fail' | 'wait';
}

export type { BrowserOptions as ConnectOptions };

/** Reads the configuration of a program, and follows its changes until it is closed. */
export async function connect(options: BrowserOptions): Promise<Config> {
  const { whenUnavailable = 'fail' } = options;
  return connectWith({ ...options, whenUnavailable }, null);
}
