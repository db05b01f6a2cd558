import { GraphQLScalarType } from 'graphql';

/** An instant as text. Never a Date: the core's microseconds would be lost. */
export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'An instant in UTC, RFC 3339 with microseconds, such as 2026-05-01T10:00:00.000001Z.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: String,
});

/** Names to texts in one piece; a list of pairs would be three times as long. */
export const TextMap = new GraphQLScalarType<Record<string, string | null>, Record<string, unknown>>({
  name: 'TextMap',
  description: 'A JSON object whose members are texts or null.',
  serialize: (map) => map as Record<string, string | null>,
});

/** For the few shapes that have names as keys and objects as members. */
export const Json = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'Any JSON, as the REST API has it.',
  serialize: (json) => json,
});
