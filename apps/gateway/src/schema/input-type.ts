import { GraphQLInputObjectType, type GraphQLInputType, GraphQLList, GraphQLNonNull } from 'graphql';
import type { z } from 'zod';
import { describeMember, type Member } from './member.ts';
import { capitalize, idFieldName, toCamelCase } from './names.ts';
import { idArgs } from './query-args.ts';
import type { FieldArgs, SchemaBuild } from './schema-build.ts';

/** A request body of the contract as an input type. */
export interface InputShape {
  readonly type: GraphQLInputObjectType;
  /** Returns the body that the gateway sends to the core. */
  body(input: FieldArgs): Record<string, unknown>;
}

interface InputMember {
  readonly key: string;
  readonly name: string;
  readonly member: Member;
  readonly isOptional: boolean;
  /** Whether the core accepts null. For other members null means "unchanged", because GraphQL cannot forbid it. */
  readonly takesNull: boolean;
  readonly inner: InputShape | null;
}

interface InputSpec {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodObject;
  /** Body members that the field sets itself. */
  readonly without?: readonly string[];
  /** The ids of the path. They are not part of the body; the caller uses them. */
  readonly ids?: readonly string[];
}

/** Creates an input type from a body of the contract. */
export function inputType(build: SchemaBuild, spec: InputSpec): InputShape {
  const { name, description, schema, without = [], ids = [] } = spec;
  const members = Object.entries(schema.shape)
    .filter(([key]) => !without.includes(key))
    .map(([key, member]) => inputMember(build, name, key, member as z.ZodType));
  const fields = members.map(({ key, name: field, member, isOptional, inner }) => {
    if (!member.about) throw new Error(`The contract does not describe ${key} of ${name}.`);
    const itemType = inner ? inner.type : scalarType(build, member);
    const type: GraphQLInputType = member.list ? new GraphQLList(new GraphQLNonNull(itemType)) : itemType;
    return [field, { type: isOptional ? type : new GraphQLNonNull(type), description: member.about }] as const;
  });
  const type = build.once(
    name,
    () =>
      new GraphQLInputObjectType({
        name,
        description,
        fields: { ...idArgs(build, ids), ...Object.fromEntries(fields) },
      }),
  );
  return { type, body: (input) => buildBody(members, input) };
}

function nestedBody(inner: InputShape, value: unknown): unknown {
  return Array.isArray(value) ? value.map((item) => inner.body(item as FieldArgs)) : inner.body(value as FieldArgs);
}

function inputMember(build: SchemaBuild, owner: string, key: string, schema: z.ZodType): InputMember {
  const member = describeMember(key, schema);
  const { kind, list, about } = member;
  const nullish = schema.safeParse(null);
  const inner =
    kind.is === 'object' ? innerType(build, `${owner}${capitalize(toCamelCase(key))}`, about, kind.schema) : null;
  return {
    key,
    name: kind.is === 'link' ? idFieldName(key, list) : toCamelCase(key),
    member,
    isOptional: schema.safeParse(undefined).success,
    takesNull: nullish.success && nullish.data === null,
    inner,
  };
}

function innerType(build: SchemaBuild, ownName: string, description: string, schema: z.ZodObject): InputShape {
  const name = build.inputNameOf(schema);
  if (name === undefined) return inputType(build, { name: ownName, description: description, schema });
  return inputType(build, { name, description: schema.meta()?.description ?? description, schema });
}

function scalarType(build: SchemaBuild, { kind }: Member) {
  if (kind.is === 'object') throw new Error('Expected a scalar, got an object.');
  return build.scalar(kind);
}

function buildBody(members: readonly InputMember[], input: FieldArgs): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { key, name, takesNull, inner } of members) {
    const value = input[name];
    if (value === undefined || (value === null && !takesNull)) continue;
    body[key] = inner && value !== null ? nestedBody(inner, value) : value;
  }
  return body;
}
