// The shapes of Strata's API that this package uses. wire.spec.ts compares them with the contract.
import { ForeignResponseError } from './strata-error.ts';

interface Position {
  readonly cursor: string;
  readonly revision: number;
}

export type TextsByName = Readonly<Record<string, string | null>>;

export type StreamedMessage =
  | ({ readonly kind: 'snapshot'; readonly masked: readonly string[] } & PolledState & Position)
  | ({ readonly kind: 'delta'; readonly digest: string; readonly changes: readonly TextChange[] } & Position)
  | ({ readonly kind: 'problem'; readonly names: readonly string[]; readonly detail: string } & Position)
  | ({ readonly kind: 'bookmark'; readonly digest: string | null } & Position)
  | ({ readonly kind: 'reset'; readonly reason: string } & Position)
  | Close;

/** The last message of a stream that Strata ends. */
export interface Close {
  readonly kind: 'close';
  readonly code: string;
  readonly detail: string;
}

export interface TextChange {
  readonly name: string;
  readonly kind: 'set' | 'changed' | 'unset';
  readonly value: string | null;
  readonly masked: boolean;
}

/** The response of `effective/`. */
export interface PolledState {
  readonly revision: number;
  readonly digest: string;
  readonly values: TextsByName;
  /** The names of masked secrets; absent if no secret is masked. */
  readonly masked?: readonly string[] | undefined;
}

/** The report of a program about a revision: the digest that it runs, or the reason for which it was rejected. */
export type ProgramReport = { readonly revision: number } & ({ readonly digest: string } | { readonly reason: string });

type Fields = Readonly<Record<string, (value: unknown) => boolean>>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isTexts = (value: unknown): boolean => isObject(value) && Object.values(value).every(isTextOrNull);
const isListOf = (isItem: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isItem);
const isListIfPresent = (value: unknown) => value === undefined || isListOf(isText)(value);
const has = (fields: Fields) => (value: unknown) =>
  isObject(value) && Object.entries(fields).every(([name, isValid]) => isValid((value as never)[name]));

const position = { cursor: isText, revision: isNumber };
const MESSAGES: Readonly<Record<StreamedMessage['kind'], Fields>> = {
  snapshot: { ...position, digest: isText, values: isTexts, masked: isListOf(isText) },
  delta: {
    ...position,
    digest: isText,
    changes: isListOf(has({ name: isText, kind: isText, value: isTextOrNull, masked: isBoolean })),
  },
  problem: { ...position, names: isListOf(isText), detail: isText },
  bookmark: { ...position, digest: isTextOrNull },
  reset: { ...position, reason: isText },
  close: { code: isText, detail: isText },
};

/** Returns a message of the stream; null for kinds that a later release may send. */
export function parseMessage(kind: string, data: string): StreamedMessage | null {
  if (!Object.hasOwn(MESSAGES, kind)) return null;
  const fields = MESSAGES[kind as StreamedMessage['kind']];
  return { ...(checked(data, has(fields)) as object), kind } as StreamedMessage;
}

export function parsePolledState(body: string): PolledState {
  return checked(
    body,
    has({ revision: isNumber, digest: isText, values: isTexts, masked: isListIfPresent }),
  ) as PolledState;
}

/** Returns the ids of a page of objects. */
export function parseIds(body: string): readonly string[] {
  const { results } = checked(body, has({ results: isListOf(has({ id: isText })) })) as {
    readonly results: readonly { readonly id: string }[];
  };
  return results.map(({ id }) => id);
}

/** Parses a text. The error does not quote it, because it can contain secrets. */
function checked(text: string, isValid: (value: unknown) => boolean): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isValid(value)) throw malformedResponseError();
  return value;
}

export function malformedResponseError(): ForeignResponseError {
  return new ForeignResponseError('The response is not one of Strata. Check `url` and the proxies before it.');
}
