import { isReference, type NameOrReference } from '@strata/contract';
import { Failure } from '@strata/domain';
import { z } from 'zod';

/** The ids of objects that earlier operations created, by the names (`as`) of the operations. */
export type CreatedIds = ReadonlyMap<string, string | null>;

/** Returns the names that a path refers to. */
export function referencesIn(places: Iterable<NameOrReference>): string[] {
  return [...places].flatMap((place) => (isReference(place) ? [place.$ref] : []));
}

/** Returns the id that a reference stands for, or the text itself. */
export function resolveReference(place: NameOrReference, createdIds: CreatedIds): string {
  return isReference(place) ? idOf(place.$ref, createdIds) : place;
}

/** Returns the names that the links of a body refer to. Everything else in it is literal. */
export function linksIn(schema: z.ZodType | undefined, body: unknown): string[] {
  const found: string[] = [];
  linked(schema, body, (name) => {
    found.push(name);
    return '';
  });
  return found;
}

/** Returns the links of a body as they are written. */
export function linkTargets(schema: z.ZodType | undefined, body: unknown): string[] {
  if (!(schema instanceof z.ZodObject) || typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    const member = Object.hasOwn(schema.shape, key) ? (schema.shape[key] as z.ZodType) : undefined;
    if (!member || !isLink(member)) return [];
    return [value].flat().filter((item): item is string => typeof item === 'string');
  });
}

/** Returns the body with ids instead of references. */
export function replaceReferences(schema: z.ZodType | undefined, body: unknown, createdIds: CreatedIds): unknown {
  return linked(schema, body, (name) => idOf(name, createdIds));
}

function linked(schema: z.ZodType | undefined, body: unknown, idOfName: (name: string) => string): unknown {
  if (!(schema instanceof z.ZodObject) || typeof body !== 'object' || body === null) return body;
  const members = Object.entries(body).map(([key, value]) => {
    const member = Object.hasOwn(schema.shape, key) ? (schema.shape[key] as z.ZodType) : undefined;
    if (!member || !isLink(member)) return [key, value] as const;
    const one = (item: unknown) => (isReference(item) ? idOfName(item.$ref) : item);
    return [key, Array.isArray(value) ? value.map(one) : one(value)] as const;
  });
  return Object.fromEntries(members);
}

/** Returns whether a member is a link or a list of links. */
function isLink(schema: z.ZodType): boolean {
  if ((schema.meta() as { readonly link?: boolean } | undefined)?.link) return true;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return isLink(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodArray) return isLink(schema.element as z.ZodType);
  if (!(schema instanceof z.ZodPipe)) return false;
  return isLink((schema.out instanceof z.ZodTransform ? schema.in : schema.out) as z.ZodType);
}

function idOf(name: string, createdIds: CreatedIds): string {
  const id = createdIds.get(name);
  if (typeof id === 'string') return id;
  throw Failure.field(
    'unknown_ref',
    '$ref',
    `No earlier operation has made something as ${name}. Give an operation before this one that name by "as".`,
  );
}
