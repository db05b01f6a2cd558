import type { AnyParameters } from './parameters.ts';
import type { ConfigSelection } from './selection.ts';
import { StrataError } from './strata-error.ts';
import type { Values } from './values.ts';

/**
 * The credential of the program: the value of the `Authorization` header, an API key, or a function that returns a
 * token. The function is called again when a token has expired.
 */
export type ProgramCredential =
  | string
  | { readonly apiKey: string }
  | { readonly token: () => string | Promise<string> };

/** One parameter whose value changed. Read the new value from the configuration. */
export interface ConfigChange {
  readonly name: string;
  /** `set`: the name had no value before. `unset`: it has no value any more. */
  readonly kind: 'set' | 'changed' | 'unset';
}

/** The part of `fetch` that this package uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface CommonOptions<Parameters extends object = AnyParameters> {
  /** The address of Strata, for example `https://strata.example.com`. */
  readonly url: string;
  readonly credential: ProgramCredential;
  /** Name or id of the project. */
  readonly project: string;
  /** Name or id of the environment. */
  readonly environment: string;
  /** Only these parameters. Default: all parameters of the project, including inherited ones. */
  readonly names?: readonly string[];
  /** Receive secrets in clear. By default, they are masked and cannot be read. */
  readonly reveal?: boolean;
  /** The name of this process, for example the pod. With it, the program reports which configuration it runs. */
  readonly instance?: string;
  /** The time that `connect` waits for the first values. Default: 10,000. */
  readonly timeoutMs?: number;
  /**
   * Checks each configuration before the program receives it. If it throws, the program keeps the configuration that it
   * has, and reports the rejection if it has an `instance`.
   */
  readonly validate?: (next: Values<Parameters>, changes: readonly ConfigChange[]) => void | Promise<void>;
  /** Receives errors that occur after `connect`. Default: `console.warn`. */
  readonly onError?: (error: StrataError) => void;
  readonly fetch?: Fetch;
  /** Stops `connect`, or closes the configuration. */
  readonly signal?: AbortSignal;
}

/** Checks the options, and returns what they select. */
export function parseSelection(options: CommonOptions): ConfigSelection {
  const { project, environment, names = null, reveal = false } = options;
  const text = (option: string, value: unknown) =>
    check(typeof value === 'string' && value.trim() !== '', `\`${option}\` must be a text that is not empty.`);
  text('project', project);
  text('environment', environment);
  if (options.instance !== undefined) text('instance', options.instance);
  check(
    names === null || (names.length > 0 && names.every((name) => name !== '' && !name.includes(','))),
    '`names` must contain at least one name, and no name can contain a comma.',
  );
  return { url: parseAddress(options.url), project, environment, names: names && [...new Set(names)].sort(), reveal };
}

function parseAddress(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalidOptionError('`url` must be an address such as https://strata.example.com.');
  }
  check(/^https?:$/.test(url.protocol), '`url` must begin with https:// or http://.');
  check(
    `${url.username}${url.password}${url.search}${url.hash}` === '',
    '`url` must not contain a user, a password, a query or a fragment.',
  );
  return url.href.replace(/\/+$/, '');
}

export function invalidOptionError(message: string): StrataError {
  return new StrataError('invalid_options', message);
}

function check(isValid: boolean, message: string): void {
  if (!isValid) throw invalidOptionError(message);
}
