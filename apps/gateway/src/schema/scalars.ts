import { NUMBERS_AS_WRITTEN } from '@strata/domain';
import { GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped, visit } from 'graphql';

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
  parseValue: (json) => json,
  parseLiteral: (literal, variables) => valueFromASTUntyped(withNumbersAsWritten(literal), variables),
});

/** Literal numbers of these fields would become floats, which cannot represent every digit. */
const withNumbersAsWritten = (literal: ValueNode): ValueNode =>
  visit(literal, {
    ObjectField({ name, value, ...field }) {
      const isNumber = value.kind === Kind.INT || value.kind === Kind.FLOAT;
      if (!isNumber || !NUMBERS_AS_WRITTEN.has(name.value)) return undefined;
      return { ...field, name, value: { kind: Kind.STRING, value: value.value } };
    },
  });
