import type { AnyName, AnyParameters, RequiredName, TextOf } from './parameters.ts';
import type { ConfigSelection } from './selection.ts';
import { StrataError } from './strata-error.ts';

/** A text of a configuration: null for an explicit null, and undefined for a masked secret. */
export type ConfigText = string | null | undefined;
export type Texts = ReadonlyMap<string, ConfigText>;

/** The configuration at one revision. */
export interface ConfigState {
  readonly texts: Texts;
  readonly revision: number;
  readonly digest: string;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const BOOLEAN = /^(?:(true|yes|on|y|t)|false|no|off|n|f)$/i;

/** Reads values by name. With the types of `strata generate types`, names and types are checked by the compiler. */
export abstract class Getters<Parameters extends object = AnyParameters> {
  // Private names also keep values out of logs: an inspected configuration shows none of them.
  readonly #read: () => ConfigState;
  readonly #selection: ConfigSelection;

  /** @internal */
  protected constructor(read: () => ConfigState, selection: ConfigSelection) {
    this.#read = read;
    this.#selection = selection;
  }

  /** The revision of the organization up to which these values are known to be current. */
  get revision(): number {
    return this.#read().revision;
  }

  /** Identifies the names and values: equal configurations have equal digests. */
  get digest(): string {
    return this.#read().digest;
  }

  /** Returns the names of all parameters that have a value, sorted. */
  names(): string[] {
    return [...this.#read().texts.keys()].sort();
  }

  /** Returns whether the parameter has a value. Masked secrets have one; an explicit null is none. */
  has(name: keyof Parameters & string): boolean {
    return this.#read().texts.has(name) && this.#read().texts.get(name) !== null;
  }

  /** Returns the texts by name, without masked secrets. An explicit null is null. */
  all(): Record<string, string | null> {
    return Object.fromEntries(
      [...this.#read().texts].flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
    );
  }

  /** Returns the text. Throws if the parameter has no value and there is no fallback. */
  string<Name extends RequiredName<Parameters>>(name: Name): TextOf<Parameters[Name]>;
  string<Name extends AnyName<Parameters>, Fallback>(
    name: Name,
    fallback: Fallback,
  ): TextOf<Exclude<Parameters[Name], undefined>> | Fallback;
  string(name: string, ...fallback: unknown[]): unknown {
    return this.#parsed(name, fallback, (text) => text, 'a text');
  }

  /** Returns the number. Throws if the text is not a decimal number, or is too large to be exact. */
  number(name: RequiredName<Parameters, number>): number;
  number<Fallback>(name: AnyName<Parameters, number>, fallback: Fallback): number | Fallback;
  number(name: string, ...fallback: unknown[]): unknown {
    return this.#parsed(name, fallback, parseNumber, 'a number that JavaScript can represent');
  }

  /** Returns the boolean. Accepts what the type `boolean` of Strata accepts: true, yes, on, y, t and their opposites. */
  boolean(name: RequiredName<Parameters, boolean>): boolean;
  boolean<Fallback>(name: AnyName<Parameters, boolean>, fallback: Fallback): boolean | Fallback;
  boolean(name: string, ...fallback: unknown[]): unknown {
    return this.#parsed(name, fallback, parseBoolean, 'true or false');
  }

  /** Returns the value of a JSON text. Its type is not checked: do that in `validate`. */
  json<T = unknown>(name: RequiredName<Parameters, string>): T;
  json<T, Fallback>(name: AnyName<Parameters, string>, fallback: Fallback): T | Fallback;
  json(name: string, ...fallback: unknown[]): unknown {
    return this.#parsed(name, fallback, parseJson, 'JSON');
  }

  #parsed(name: string, fallback: readonly unknown[], parse: (text: string) => unknown, expected: string): unknown {
    const { texts } = this.#read();
    const text = texts.has(name) ? texts.get(name) : null;
    if (text === null) {
      if (fallback.length > 0) return fallback[0];
      throw this.#error('missing', name, `has no value${this.#isFollowed(name) ? '' : ': it is not one of `names`'}.`);
    }
    if (text === undefined) {
      throw this.#error('masked', name, 'is a masked secret. Connect with `reveal: true` to read it.');
    }
    const value = parse(text);
    if (value === undefined) throw this.#error('invalid', name, `is not ${expected}.`);
    return value;
  }

  #isFollowed(name: string): boolean {
    return this.#selection.names?.includes(name) ?? true;
  }

  #error(code: 'missing' | 'masked' | 'invalid', parameter: string, problem: string): StrataError {
    const { project, environment } = this.#selection;
    const message = `Parameter "${parameter}" of project "${project}" in environment "${environment}" ${problem}`;
    return new StrataError(code, message, { parameter });
  }
}

/** A configuration that does not change. */
export class Values<Parameters extends object = AnyParameters> extends Getters<Parameters> {
  /** @internal */
  constructor(state: ConfigState, selection: ConfigSelection) {
    super(() => state, selection);
  }
}

function parseNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value) || /[.e]/i.test(text);
  return Number.isFinite(value) && isExact ? value : undefined;
}

function parseBoolean(text: string): boolean | undefined {
  const match = BOOLEAN.exec(text);
  return match ? match[1] !== undefined : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
