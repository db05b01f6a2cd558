import type { Type } from '@nestjs/common';
import { Field, InputType } from '@nestjs/graphql';
import { linkIn } from '@strata/contract';
import { z } from 'zod';
import { idArgs } from './args.ts';
import { scalarOf } from './shape.ts';
import { camel, capital, nameOfLink, type Slot, slotOf } from './slots.ts';

/** A body of the contract as an input type. */
export interface Input {
  readonly type: Type<object>;
  /** What of it goes to the core. */
  body(given: object): Record<string, unknown>;
}

interface Member {
  readonly key: string;
  readonly name: string;
  readonly slot: Slot;
  /** Whether a null means something to the core; elsewhere it means "leave it", since GraphQL cannot forbid it. */
  readonly takesNull: boolean;
  readonly inner: Input | null;
}

/** What each member means, by its name in REST; null leaves it out. */
export type Sayings = Readonly<Record<string, string | null>>;

const made = new Map<z.ZodObject, Input>();

/**
 * Makes an input type of a body of the contract. `more` are members that are no part of the body, such as the ids of
 * the path; they are left to the caller.
 */
export function inputOf(
  name: string,
  description: string,
  schema: z.ZodObject,
  sayings: Sayings,
  more: readonly string[] = [],
): Input {
  const Made = { [name]: class {} }[name] as Type<object>;
  InputType(name, { description })(Made);
  for (const { name: id, type, about } of idArgs(more))
    Field(type as never, { description: about })(Made.prototype, id);
  const members = Object.entries(schema.shape)
    .filter(([key]) => sayings[key] !== null)
    .map(([key, member]) => memberOf(name, key, member as z.ZodType, sayings));
  for (const { key, name: field, slot, inner } of members) {
    const about = sayings[key];
    if (!about) throw new Error(`${name} says nothing of ${key}.`);
    const one = () => (inner ? inner.type : scalarOf(slot.kind as never));
    const type = () => (slot.list ? [one()] : one());
    Field(type as never, { description: about, nullable: slot.nullable })(Made.prototype, field);
  }
  const input = { type: Made, body: (given: object) => bodyOf(members, given as Record<string, unknown>) };
  made.set(schema, input);
  return input;
}

function memberOf(owner: string, key: string, schema: z.ZodType, sayings: Sayings): Member {
  const link = linksTo(schema);
  const found = slotOf(key, schema);
  const slot: Slot = {
    list: found.list,
    kind: link ? { is: 'link' } : found.kind,
    nullable: schema.safeParse(undefined).success,
  };
  const nullish = schema.safeParse(null);
  const inner =
    slot.kind.is === 'object'
      ? (made.get(slot.kind.schema) ??
        inputOf(`${owner}${capital(camel(key))}`, sayings[key] ?? '', slot.kind.schema, sayings))
      : null;
  const name = link ? nameOfLink(key, slot.list) : camel(key);
  return { key, name, slot, takesNull: nullish.success && nullish.data === null, inner };
}

/** Whether somewhere inside of its wrappings it is a link, or a list of them. */
function linksTo(schema: z.ZodType): boolean {
  if (schema === linkIn) return true;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return linksTo(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return linksTo(schema.out as z.ZodType);
  return schema instanceof z.ZodArray && linksTo(schema.element as z.ZodType);
}

function bodyOf(members: readonly Member[], given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { key, name, takesNull, inner } of members) {
    const value = given[name];
    if (value === undefined || (value === null && !takesNull)) continue;
    body[key] = inner && value !== null ? inner.body(value as object) : value;
  }
  return body;
}
