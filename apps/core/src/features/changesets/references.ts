import { isReference, type NameOrReference } from '@strata/contract';
import { Failure, sentence } from '@strata/domain';
import { z } from 'zod';

/** The ids of objects that earlier operations created, by the name (`as`) of the operation. */
export type CreatedIds = ReadonlyMap<string, string | null>;

/** Returns the names that a path refers to. */
export function listReferences(path: Iterable<NameOrReference>): string[] {
  return [...path].flatMap((segment) => (isReference(segment) ? [segment.$ref] : []));
}

/** Returns the id that a reference resolves to, or the text itself if it is not a reference. */
export function resolveReference(segment: NameOrReference, createdIds: CreatedIds): string {
  return isReference(segment) ? findCreatedId(segment.$ref, createdIds) : segment;
}

/** Returns the names that the links of a body refer to. All other members of the body are literal. */
export function listLinks(schema: z.ZodType | undefined, body: unknown): string[] {
  const names: string[] = [];
  linked(schema, body, (name) => {
    names.push(name);
    return '';
  });
  return names;
}

/** Returns the links of a body, unresolved. */
export function linkTargets(schema: z.ZodType | undefined, body: unknown): string[] {
  if (!(schema instanceof z.ZodObject) || typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    const member = Object.hasOwn(schema.shape, key) ? (schema.shape[key] as z.ZodType) : undefined;
    if (!member || !isLink(member)) return [];
    return [value].flat().filter((item): item is string => typeof item === 'string');
  });
}

/** Returns the body with its references replaced by ids. */
export function replaceReferences(schema: z.ZodType | undefined, body: unknown, createdIds: CreatedIds): unknown {
  return linked(schema, body, (name) => findCreatedId(name, createdIds));
}

function linked(schema: z.ZodType | undefined, body: unknown, idOfName: (name: string) => string): unknown {
  if (!(schema instanceof z.ZodObject) || typeof body !== 'object' || body === null) return body;
  const members = Object.entries(body).map(([key, value]) => {
    const member = Object.hasOwn(schema.shape, key) ? (schema.shape[key] as z.ZodType) : undefined;
    if (!member || !isLink(member)) return [key, value] as const;
    const resolve = (item: unknown) => (isReference(item) ? idOfName(item.$ref) : item);
    return [key, Array.isArray(value) ? value.map(resolve) : resolve(value)] as const;
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

function findCreatedId(name: string, createdIds: CreatedIds): string {
  const id = createdIds.get(name);
  if (typeof id === 'string') return id;
  throw Failure.field(
    'unknown_ref',
    '$ref',
    sentence`No earlier operation defines ${{ name }}. Set "as" of an earlier operation to this name.`,
  );
}
