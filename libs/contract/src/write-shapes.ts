import { z } from 'zod';

/**
 * The schemas of a member when an object is created and when it is updated; absent if the request cannot contain the
 * member.
 */
interface WriteMember {
  readonly create?: z.ZodType;
  readonly update?: z.ZodType;
}

type Members = Readonly<Record<string, WriteMember>>;

type ShapeOf<M extends Members, Purpose extends keyof WriteMember> = {
  [Name in keyof M as M[Name] extends Record<Purpose, z.ZodType> ? Name : never]: M[Name] extends Record<
    Purpose,
    infer Schema extends z.ZodType
  >
    ? Schema
    : never;
};

/** Declares a member that POST and PUT must contain. */
export function requiredMember<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { create: schema.meta({ description }), update: schema.meta({ description }) };
}

/** Declares a member with a default for new objects. PUT and PATCH without the member keep its value. */
export function memberWithDefault<Schema extends z.ZodType>(
  schema: Schema,
  value: z.core.util.NoUndefined<z.output<Schema>>,
  description: string,
) {
  return { create: schema.default(value).meta({ description }), update: schema.optional().meta({ description }) };
}

/**
 * Declares an optional member. If it is missing, new objects have no value for it, and existing objects keep theirs.
 */
export function optionalMember<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { create: schema.optional().meta({ description }), update: schema.optional().meta({ description }) };
}

/** Declares a member that only POST may contain. */
export function memberOnCreate<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { create: schema.meta({ description }) };
}

/** Declares a member that only PUT and PATCH may contain, because all new objects have the same value. */
export function memberOnUpdate<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { update: schema.optional().meta({ description }) };
}

/** Returns the bodies of POST, PUT and PATCH from one description of their members; `ids` are their names in the OpenAPI document. */
export function writeShapes<M extends Members>(
  ids: { readonly create: string; readonly update: string; readonly patch: string },
  members: M,
) {
  const create = z.object(selectShape(members, 'create')).meta({ id: ids.create });
  const update = z.object(selectShape(members, 'update')).meta({ id: ids.update });
  return { create, update, patch: update.partial().meta({ id: ids.patch }) };
}

function selectShape<M extends Members, Purpose extends keyof WriteMember>(members: M, purpose: Purpose) {
  const schemas = Object.entries(members).flatMap(([name, member]) => {
    const schema = member[purpose];
    return schema ? [[name, schema] as const] : [];
  });
  return Object.fromEntries(schemas) as ShapeOf<M, Purpose>;
}
