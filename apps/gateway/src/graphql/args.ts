import type { Type } from '@nestjs/common';
import { ArgsType, Field, ID } from '@nestjs/graphql';
import { LIMITS } from '@strata/contract';
import type { z } from 'zod';
import type { Query } from '../core.ts';
import { PageArgs } from './connection.ts';
import { Provider } from './enums.ts';
import { scalarOf } from './shape.ts';
import { camel, type Kind } from './slots.ts';

/** Query parameters of the contract as arguments of a field. */
export interface Arguments {
  readonly type: Type<object>;
  /** What of them goes to the core. Secrets are masked unless `reveal` says otherwise. */
  query(given: object): Record<string, Query[string]>;
  /** The point in time among them. */
  moment(given: object): Query;
}

/** Told in GraphQL's own way: pages by `first` and `after`, fields by selecting them. */
const NOT_ASKED = new Set(['page', 'page_size', 'after', 'include', 'exclude']);
const MOMENT = ['as_of', 'tag', 'revision'] as const;

/** One argument that no query parameter stands behind. */
export interface Argument {
  readonly name: string;
  readonly type: () => object;
  readonly about: string;
  readonly nullable?: boolean;
}

/** A class of arguments. */
export function argsClass(members: readonly Argument[], Base: Type<object> = Object as never): Type<object> {
  class Made extends Base {}
  ArgsType()(Made);
  for (const { name, type, about, nullable = false } of members)
    Field(type as never, { description: about, nullable })(Made.prototype, name);
  return Made;
}

/** `environmentId` → "The environment." */
function aboutId(id: string): string {
  const words = id.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `The ${words}.`;
}

/** Ids of a path as arguments. */
export function idArgs(ids: readonly string[]): Argument[] {
  return ids.map((name) =>
    name === 'provider'
      ? { name, type: () => Provider as object, about: 'Whose cloud it is.' }
      : { name, type: () => ID, about: name === 'id' ? 'Its id.' : aboutId(name) },
  );
}

interface Options {
  /** Ids of the path, which come first. */
  readonly ids?: readonly string[];
  readonly paged?: boolean;
  /** Arguments that no query parameter stands behind. */
  readonly more?: readonly Argument[];
  /** Parameters that the field decides by itself. */
  readonly without?: readonly string[];
}

export function argsOf(
  schema: z.ZodObject | undefined,
  { ids = [], paged, more = [], without = [] }: Options = {},
): Arguments {
  const Made = argsClass([...idArgs(ids), ...more], paged ? PageArgs : undefined);
  const members = Object.entries(schema?.shape ?? {})
    .filter(([key]) => !NOT_ASKED.has(key) && !without.includes(key))
    .map(([key, member]) => memberOf(key, member as z.ZodType));
  for (const { name, key, kind, list, about, required } of members) {
    const type = () => (list ? [scalarOf(kind as never)] : scalarOf(kind as never));
    const options = key === 'mask_secrets' ? { defaultValue: false } : { nullable: !required };
    Field(type as never, { description: about, ...options })(Made.prototype, name);
  }
  const query = (given: object) => {
    const asked = given as Record<string, unknown>;
    return Object.fromEntries(
      members.map(({ key, name }) => [key, key === 'mask_secrets' ? asked[name] !== true : asked[name]]),
    ) as Record<string, Query[string]>;
  };
  // What has no past knows `tag` only as a filter.
  const hasPast = schema !== undefined && 'as_of' in schema.shape;
  const moment = (given: object) => {
    if (!hasPast) return {};
    const all = query(given);
    const keys = all.tag ? [...MOMENT, 'environment'] : MOMENT;
    return Object.fromEntries(
      keys.flatMap((key) => (all[key] === undefined || all[key] === null ? [] : [[key, all[key]]])),
    );
  };
  return { type: Made, query, moment };
}

const ONLY_THESE = `Only these, at most ${LIMITS.idsPerRequest}; unknown ones are left out.`;

interface Described {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
}

function memberOf(key: string, schema: z.ZodType) {
  if (key === 'mask_secrets') {
    const about = 'Show the text of secrets instead of `*****`.';
    return { key, name: 'reveal', kind: { is: 'flag' } as Kind, list: false, about, required: false };
  }
  const said = describedBy(schema);
  const kind = kindOf(key, said);
  const required = !schema.safeParse(undefined).success;
  return {
    key,
    name: camel(key),
    kind,
    list: isList(key, schema),
    about: key === 'id__in' ? ONLY_THESE : (said.description ?? ''),
    required,
  };
}

/** The words are on the innermost schema, which the optional ones wrap. */
function describedBy(schema: z.ZodType): Described {
  const said = schema.meta() as Described | undefined;
  if (said?.description) return said;
  return 'unwrap' in schema && typeof schema.unwrap === 'function' ? describedBy(schema.unwrap()) : (said ?? {});
}

function kindOf(key: string, { type, format, enum: words }: Described): Kind {
  if (words) return { is: 'word', words };
  if (format === 'date-time') return { is: 'time' };
  if (key.endsWith('__in') || key.endsWith('_id') || format === 'uuid') return { is: 'id' };
  return { is: type === 'boolean' ? 'flag' : type === 'integer' ? 'count' : 'text' };
}

/** Several words with commas between them, but for the order, which reads better as one text. */
function isList(key: string, schema: z.ZodType): boolean {
  if (key === 'id__in') return true;
  const parsed = key === 'ordering' ? null : schema.safeParse('a,b');
  return parsed?.success === true && Array.isArray(parsed.data);
}
