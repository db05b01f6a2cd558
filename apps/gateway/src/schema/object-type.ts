import { Provider } from '@strata/contract';
import {
  GraphQLID,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import type { z } from 'zod';
import { encodeNodeId, parseIds, parseLinkedId, type ReadContext } from '../node.ts';
import { describeMember, enumKind, type Kind, type Member, type ScalarKind } from './member.ts';
import { describeLinkId, idFieldName, toCamelCase } from './names.ts';
import { listPlaceholders } from './operations.ts';
import { field, type SchemaBuild, type SchemaField } from './schema-build.ts';

/** A row of the core during the execution of a document. */
export interface ObjectSource<Row = unknown> {
  readonly __typename: string;
  readonly row: Row;
  readonly view: ReadContext;
}

/** The differences of a member from the defaults. */
export interface MemberOverrides {
  /** A name other than the REST name in camel case. */
  readonly as?: string;
  /** A kind other than that of its schema. */
  readonly kind?: Kind;
  /** For a link: the type of the linked object. */
  readonly to?: string;
  /** For a link: true if another member already contains its id. */
  readonly withoutId?: boolean;
  readonly about?: string;
  /** True if documents select the member together with one of another type, where it may be null. */
  readonly nullable?: boolean;
}

/** A member that GraphQL omits, and the reason. */
export interface OmittedMember {
  readonly omitted: string;
}

export const omitMember = (reason: string): OmittedMember => ({ omitted: reason });

/** A field that is derived from contract members. */
export interface ComputedField<Row> {
  readonly name: string;
  readonly kind: ScalarKind;
  readonly about: string;
  readonly get: (row: Row) => unknown;
}

/** An object that is linked by separate ids of a row. */
export interface LinkedObject<Row> {
  readonly name: string;
  readonly to: string;
  readonly about: string;
  /** Returns the ids of the object, those of its parents first; null if there is none. */
  readonly ids: (row: Row) => readonly (string | null)[] | null;
}

/** Maps a shape of the contract to an object type. Field names, kinds and descriptions come from the shape. */
export interface ObjectDeclaration<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly of: Schema;
  /** The description, needed if the contract has several shapes for the type. */
  readonly about?: string;
  /** An interface that the type implements. Its fields are members of the shape. */
  readonly implements?: (build: SchemaBuild) => GraphQLInterfaceType;
  /** Path of the object with placeholders; makes it a `Node`. */
  readonly at?: string;
  /** Other shapes of the contract that this type represents. */
  readonly alsoOf?: readonly z.ZodObject[];
  readonly members?: { readonly [Key in keyof z.infer<Schema>]?: MemberOverrides | OmittedMember };
  readonly computed?: readonly ComputedField<never>[];
  readonly linked?: readonly LinkedObject<never>[];
}

/** Returns a declaration whose rules are type-checked against its shape. */
export function declareObject<Schema extends z.ZodObject>(
  declaration: Omit<ObjectDeclaration<Schema>, 'computed' | 'linked'> & {
    readonly computed?: readonly ComputedField<z.infer<Schema>>[];
    readonly linked?: readonly LinkedObject<z.infer<Schema>>[];
  },
): ObjectDeclaration {
  return declaration as unknown as ObjectDeclaration;
}

/** A member that links to another object. */
export interface LinkField {
  readonly name: string;
  readonly key: string;
  readonly list: boolean;
  readonly to: string;
  readonly about: string;
}

export const NODE_DESCRIPTION = 'An object that can be queried by its `nodeId`, the global id of this API.';

export function nodeInterface(build: SchemaBuild): GraphQLInterfaceType {
  return build.once(
    'Node',
    () =>
      new GraphQLInterfaceType({
        name: 'Node',
        description: NODE_DESCRIPTION,
        fields: {
          id: field({
            type: new GraphQLNonNull(GraphQLID),
            description:
              'Id that is unique among the objects of its type. The REST API, events and arguments use it. Ids of users and organizations are not UUIDs. `node` takes `nodeId` instead.',
          }),
          nodeId: field({
            type: new GraphQLNonNull(GraphQLID),
            description: 'The global id, which `node` takes. It is opaque and unique across all types.',
          }),
        },
      }),
  );
}

/** An object type and its declaration. */
export class ObjectShape {
  readonly name: string;
  readonly schema: z.ZodObject;
  readonly type: GraphQLObjectType;
  readonly links: readonly LinkField[];

  constructor(
    private readonly declaration: ObjectDeclaration,
    private readonly shapeOf: (schema: z.ZodObject) => ObjectShape,
    build: SchemaBuild,
  ) {
    const { name, of: schema, at } = declaration;
    this.name = name;
    this.schema = schema;
    this.links = this.members().flatMap(({ key, member, rule }) =>
      rule.to === undefined
        ? []
        : [{ name: toCamelCase(key), key, list: member.list, to: rule.to, about: rule.about ?? member.about }],
    );
    const description = declaration.about ?? schema.meta()?.description;
    if (!description) throw new Error(`The schema does not describe ${name}.`);
    this.type = build.once(
      name,
      () =>
        new GraphQLObjectType({
          name,
          description: description,
          interfaces: [
            ...(at === undefined ? [] : [nodeInterface(build)]),
            ...(declaration.implements ? [declaration.implements(build)] : []),
          ],
          fields: () => ({ ...this.ownFields(build), ...build.fieldsOf(name) }),
        }),
    );
  }

  get at(): string | undefined {
    return this.declaration.at;
  }

  get linked(): readonly LinkedObject<never>[] {
    return this.declaration.linked ?? [];
  }

  /** Returns the ids of its parents in the path that no member contains. */
  get parents(): readonly { readonly name: string; readonly index: number }[] {
    return listPlaceholders(this.declaration.at ?? '')
      .slice(0, -1)
      .map((name, index) => ({ name, index }))
      .filter(({ name }) => !(name.replace(/Id$/, '') in this.schema.shape));
  }

  toSource<Row>(row: Row, view: ReadContext = {}): ObjectSource<Row> {
    return { __typename: this.name, row, view };
  }

  /** Returns the description of each member, for inputs with members of the same names. */
  private members(): { key: string; member: Member; rule: MemberOverrides }[] {
    const rules: Readonly<Record<string, MemberOverrides | OmittedMember | undefined>> = this.declaration.members ?? {};
    return Object.entries(this.schema.shape).flatMap(([key, schema]) => {
      const rule = rules[key] ?? {};
      if ('omitted' in rule || (key === 'url' && !rules.url)) return [];
      return [{ key, member: describeMember(key, schema as z.ZodType), rule }];
    });
  }

  private ownFields(build: SchemaBuild): Record<string, SchemaField> {
    const { name, at, computed = [] } = this.declaration;
    const fields: Record<string, SchemaField> = {};
    if (at !== undefined) {
      const { id, nodeId } = nodeInterface(build).toConfig().fields;
      fields.id = { ...(id as SchemaField), resolve: (source) => (source as ObjectSource<{ id: string }>).row.id };
      const link = (source: unknown) => parseIds((source as ObjectSource<{ url: string }>).row.url, at) ?? [];
      fields.nodeId = { ...(nodeId as SchemaField), resolve: (source) => encodeNodeId(name, ...link(source)) };
      for (const parent of this.parents) fields[parent.name] = parentIdField(build, parent.name, at, parent.index);
    }
    for (const { key, member, rule } of this.members()) {
      if (rule.withoutId || (key === 'id' && at !== undefined)) continue;
      const kind = rule.kind ?? member.kind;
      const isLink = kind.is === 'link';
      const memberDescription = rule.about ?? member.about;
      if (!memberDescription) throw new Error(`The contract does not describe ${key} of ${name}.`);
      fields[rule.as ?? (isLink ? idFieldName(key, member.list) : toCamelCase(key))] = field<ObjectSource<FieldRow>>({
        type: this.outputType(build, kind, { ...member, nullable: rule.nullable ?? member.nullable }),
        description: isLink ? describeLinkId(memberDescription, member.list) : memberDescription,
        resolve: this.reader(key, kind, member.list),
      });
    }
    for (const { name: computedName, kind, about, get } of computed)
      fields[computedName] = field<ObjectSource<never>>({
        type: new GraphQLNonNull(build.scalar(kind)),
        description: about,
        resolve: ({ row }) => get(row),
      });
    return fields;
  }

  private outputType(build: SchemaBuild, kind: Kind, { list, nullable }: Member): GraphQLOutputType {
    const itemType = kind.is === 'object' ? this.shapeOf(kind.schema).type : build.scalar(kind);
    const type = list ? new GraphQLList(new GraphQLNonNull(itemType)) : itemType;
    return nullable ? type : new GraphQLNonNull(type);
  }

  private reader(key: string, kind: Kind, list: boolean) {
    const shape = kind.is === 'object' ? this.shapeOf(kind.schema) : null;
    const readItem = (value: unknown, view: ReadContext): unknown => {
      if (value === null || value === undefined) return null;
      if (kind.is === 'link') return parseLinkedId(String(value));
      return shape ? shape.toSource(value, view) : value;
    };
    return ({ row, view }: ObjectSource<FieldRow>) => {
      const value = row[key] ?? null;
      const outerView = view.members?.[key] ?? view;
      return list && Array.isArray(value) ? value.map((item) => readItem(item, outerView)) : readItem(value, outerView);
    };
  }
}

type FieldRow = Readonly<Record<string, unknown>>;

export const PROVIDER_KIND = enumKind(Provider);

/** Returns the field of a parent's id, which the response contains only in its link. */
function parentIdField(build: SchemaBuild, name: string, at: string, index: number): SchemaField {
  const isProvider = name === 'provider';
  return field<ObjectSource<{ url: string }>>({
    type: new GraphQLNonNull(isProvider ? build.scalar(PROVIDER_KIND) : GraphQLID),
    description: isProvider
      ? 'The provider of the integration.'
      : `Id of the ${name.replace(/Id$/, '')} that it belongs to.`,
    resolve: ({ row }) => parseIds(row.url, at)?.[index],
  });
}
