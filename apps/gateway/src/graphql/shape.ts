import type { Type } from '@nestjs/common';
import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { PROVIDERS } from '@strata/contract';
import type { GraphQLScalarType } from 'graphql';
import type { z } from 'zod';
import { idOf, idsIn, Node, nodeIdOf, type View } from '../node.ts';
import { enumOfWords } from './enums.ts';
import { placeholdersOf } from './operations.ts';
import { DateTime, Json, TextMap } from './scalars.ts';
import { camel, type Kind, nameOfLink, type Slot, slotOf } from './slots.ts';

/** A row of the core as GraphQL shows it; its fields are getters over the row. */
export interface Presented<Row = unknown> {
  readonly __typename: string;
  readonly row: Row;
  readonly view: View;
}

/** What a field means, and what differs from the rule for its shape. */
export interface Told {
  readonly about: string;
  /** Another name than the one of REST in GraphQL's casing. */
  readonly as?: string;
  /** Another kind than its schema tells. */
  readonly kind?: Kind;
  /** Of a link: the type it leads to, and what the field with the object itself means. */
  readonly to?: readonly [name: string, about: string];
  /** Of a link: its id is told by another field already. */
  readonly withoutId?: boolean;
}

/** A field that GraphQL does not show, and why; nothing may be forgotten in silence. */
export interface LeftOut {
  readonly leftOut: string;
}

export const leftOut = (why: string): LeftOut => ({ leftOut: why });

/** Members that mean the same everywhere. */
const USUAL = {
  url: leftOut('`nodeId` and `id` take its place'),
  id: 'The UUID of it.',
  ledger_id: 'Changes with every modification.',
  created_at: 'When it was made.',
  modified_at: 'When it was last changed.',
} as const;

export type Say = string | Told | LeftOut;
export type Sayings<Shape> = { readonly [Key in Exclude<keyof Shape, keyof typeof USUAL>]: Say } & {
  readonly [Key in Extract<keyof Shape, keyof typeof USUAL>]?: Say;
};

export interface LinkField {
  readonly name: string;
  readonly key: string;
  readonly list: boolean;
  readonly to: string;
  readonly about: string;
}

/** One shape of the contract as an object type. */
export interface Shape<Row = unknown> {
  readonly name: string;
  readonly schema: z.ZodObject;
  readonly type: Type<Presented<Row>>;
  /** What each member means, for inputs of the same names. */
  readonly sayings: Readonly<Record<string, string>>;
  readonly links: readonly LinkField[];
  present(row: Row, view?: View): Presented<Row>;
}

/** By their members, since a schema that only adds words to another is another schema. */
const shapes = new Map<object, Shape>();
const byName = new Map<string, Shape>();

export function shapeOf(schema: z.ZodObject): Shape {
  const found = shapes.get(schema.shape);
  if (!found) throw new Error(`No object type was made for a shape with ${Object.keys(schema.shape).join(', ')}.`);
  return found;
}

export function hasShape(schema: unknown): schema is z.ZodObject {
  return typeof schema === 'object' && schema !== null && 'shape' in schema && shapes.has(schema.shape as object);
}

export function allShapes(): readonly Shape[] {
  return [...byName.values()];
}

export function shapeNamed(name: string): Shape {
  const found = byName.get(name);
  if (!found) throw new Error(`No object type is called ${name}.`);
  return found;
}

/** A field that the contract tells in another way. */
export interface Computed {
  readonly name: string;
  readonly kind: Exclude<Kind, { is: 'object' }>;
  readonly about: string;
  readonly nullable?: boolean;
  get(row: never): unknown;
}

interface Options {
  /** Fields besides those of the contract's shape. */
  readonly computed?: readonly Computed[];
  /** Path of the object with placeholders; makes it a `Node`. */
  readonly at?: string;
  /** More shapes of the contract that this type shows. */
  readonly alsoOf?: readonly z.ZodObject[];
}

/** Makes an object type of a shape of the contract: names and types come from there, words from here. */
export function shape<Schema extends z.ZodObject>(
  name: string,
  description: string,
  schema: Schema,
  sayings: Sayings<Schema['shape']>,
  { at, alsoOf = [], computed = [] }: Options = {},
): Shape<z.infer<Schema>> {
  const Base = at === undefined ? Plain : Node;
  const Made = { [name]: class extends Base {} }[name] as typeof Plain;
  ObjectType(name, { description, ...(at !== undefined && { implements: () => [Node] }) })(Made);
  const { prototype } = Made;
  getter(prototype, '__typename', () => name);
  if (at !== undefined) {
    for (const [index, parent] of placeholdersOf(at).slice(0, -1).entries()) {
      if (!(parent.replace(/Id$/, '') in schema.shape)) addParentId(prototype, parent, at, index);
    }
    getter(prototype, 'id', ({ row }) => (row as { id: string }).id);
    getter(prototype, 'nodeId', ({ row }) => nodeIdOf(name, ...(idsIn((row as { url: string }).url, at) ?? [])));
  }
  const said: Record<string, string> = {};
  const links: LinkField[] = [];
  for (const [key, member] of Object.entries(schema.shape)) {
    const saying: Say | undefined = sayings[key as keyof typeof sayings] ?? USUAL[key as keyof typeof USUAL];
    if (saying === undefined) throw new Error(`${name} says nothing of ${key}.`);
    if (typeof saying === 'object' && 'leftOut' in saying) continue;
    const told = typeof saying === 'string' ? { about: saying } : saying;
    said[key] = told.about;
    const slot = { ...slotOf(key, member as z.ZodType), ...(told.kind && { kind: told.kind }) };
    if (key === 'id' && at !== undefined) continue;
    if (told.to) links.push({ name: camel(key), key, list: slot.list, to: told.to[0], about: told.to[1] });
    if (!told.withoutId) addField(prototype, key, told, slot);
  }
  for (const { name: field, kind, about, nullable = false, get } of computed) {
    getter(prototype, field, ({ row }) => get(row as never));
    Field((() => scalarOf(kind)) as never, { description: about, nullable })(prototype, field);
  }
  const made: Shape<z.infer<Schema>> = {
    name,
    schema,
    type: Made as never,
    sayings: said,
    links,
    present: (row, view = {}) => new Made(row, view) as never,
  };
  for (const each of [schema, ...alsoOf]) shapes.set(each.shape, made as Shape);
  byName.set(name, made as Shape);
  return made;
}

/** What has no identity of its own. */
class Plain {
  constructor(
    readonly row: unknown,
    readonly view: View,
  ) {}
}

function getter(prototype: object, name: string, get: (self: Plain) => unknown): void {
  Object.defineProperty(prototype, name, {
    configurable: true,
    enumerable: true,
    get(this: Plain) {
      return get(this);
    },
  });
}

/** Of an object in another: the id that leads there, which the answer has in its link only. */
function addParentId(prototype: object, name: string, at: string, index: number): void {
  getter(prototype, name, ({ row }) => idsIn((row as { url: string }).url, at)?.[index]);
  const isProvider = name === 'provider';
  const about = isProvider ? 'Whose cloud it is.' : `Id of the ${name.replace(/Id$/, '')} that it belongs to.`;
  const type = () => (isProvider ? scalarOf({ is: 'word', words: PROVIDERS }) : ID);
  Field(type as never, { description: about })(prototype, name);
}

function addField(prototype: object, key: string, { about, as }: Told, slot: Slot): void {
  const isLink = slot.kind.is === 'link';
  const name = as ?? (isLink ? nameOfLink(key, slot.list) : camel(key));
  getter(prototype, name, ({ row, view: around }) => {
    const view = around.members?.[key] ?? around;
    const value = (row as Record<string, unknown>)[key] ?? null;
    return Array.isArray(value) && slot.list
      ? value.map((each) => presented(each, slot.kind, view))
      : presented(value, slot.kind, view);
  });
  const type = () => (slot.list ? [outputOf(slot.kind)] : outputOf(slot.kind));
  Field(type as never, { description: about, nullable: slot.nullable })(prototype, name);
}

function presented(value: unknown, kind: Kind, view: View): unknown {
  if (value === null || value === undefined) return null;
  if (kind.is === 'link') return idOf(String(value));
  return kind.is === 'object' ? shapeOf(kind.schema).present(value, view) : value;
}

function outputOf(kind: Kind): object {
  return kind.is === 'object' ? shapeOf(kind.schema).type : scalarOf(kind);
}

/** The GraphQL type of everything that is no object. */
export function scalarOf(kind: Exclude<Kind, { is: 'object' }>): object {
  const scalars: Readonly<Record<string, GraphQLScalarType | object>> = {
    text: String,
    id: ID,
    link: ID,
    flag: Boolean,
    count: Int,
    time: DateTime,
    map: TextMap,
    json: Json,
  };
  return kind.is === 'word' ? (enumOfWords(kind.words) ?? String) : (scalars[kind.is] as object);
}
