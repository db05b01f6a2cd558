import { GraphQLList, GraphQLNonNull, type GraphQLOutputType } from 'graphql';
import type { z } from 'zod';
import type { ReadContext } from '../node.ts';
import type { Assembly } from './assembly.ts';
import type { ConnectionData } from './connection.ts';
import { describeMember, type Member } from './member.ts';
import { toCamelCase } from './names.ts';
import { field, type SchemaField, type SchemaFields } from './schema-build.ts';

/** The members of every page, which connections express differently. */
const OF_EVERY_PAGE = new Set(['count', 'next', 'previous', 'results']);

/** Returns the other members of a page, such as the columns of a matrix, as fields of its connection. */
export function pageMembers(assembly: Assembly, page: z.ZodType | undefined): SchemaFields {
  const shape = page && 'shape' in page ? (page.shape as Readonly<Record<string, z.ZodType>>) : {};
  return Object.fromEntries(
    Object.entries(shape)
      .filter(([key]) => !OF_EVERY_PAGE.has(key))
      .map(([key, schema]) => [toCamelCase(key), pageMember(assembly, key, describeMember(key, schema))]),
  );
}

function pageMember(assembly: Assembly, key: string, { kind, list, about }: Member): SchemaField {
  if (kind.is !== 'object') throw new Error(`A page tells of objects besides its rows, and ${key} is none.`);
  const shape = assembly.requireShape(kind.schema);
  const listType = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(shape.type)));
  const type: GraphQLOutputType = list ? listType : shape.type;
  return field<ConnectionData>({
    type,
    description: list ? about : `${about} Null for a list that cannot be read.`,
    resolve: ({ page, view }) => {
      const member = (page as Readonly<Record<string, unknown>> | null)?.[key];
      if (list) return ((member ?? []) as readonly unknown[]).map((row) => shape.toSource(row, view as ReadContext));
      return member === undefined || member === null ? null : shape.toSource(member, view as ReadContext);
    },
  });
}
