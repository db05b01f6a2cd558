import { GraphQLScalarType } from 'graphql';

/** A time as text. A Date would lose the core's microseconds. */
export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'A time in UTC, RFC 3339 with microseconds, such as 2026-05-01T10:00:00.000001Z.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: String,
});

/** Texts by name as one JSON object, which is a third as long as a list of pairs. */
export const TextMap = new GraphQLScalarType<Record<string, string | null>, Record<string, unknown>>({
  name: 'TextMap',
  description: 'A JSON object whose members are texts or null.',
  serialize: (map) => map as Record<string, string | null>,
});

/** Used by the few shapes with arbitrary names as keys. */
export const Json = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'Any JSON, in the format of the REST API.',
  serialize: (json) => json,
});
