import { readFileSync } from 'node:fs';
import {
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  type OperationDefinitionNode,
  parse,
} from 'graphql';

import { LIMITS, measureOperation } from './limits.ts';
import { UNBATCHED_REQUEST_COST } from './schema/cost.ts';
import { createSchema, printedSchema } from './schema.ts';
import { SCHEMA_PARTS } from './schema-parts.ts';

let schema: GraphQLSchema;
beforeAll(() => {
  schema = createSchema();
});

/** Yields every documented element of the schema with its description. */
function* described(graphqlSchema: GraphQLSchema): Generator<[string, string | null | undefined]> {
  for (const type of Object.values(graphqlSchema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    if (
      ![graphqlSchema.getQueryType(), graphqlSchema.getMutationType(), graphqlSchema.getSubscriptionType()].includes(
        type as never,
      )
    ) {
      yield [type.name, type.description];
    }
    if (isEnumType(type))
      for (const { name, description } of type.getValues()) yield [`${type.name}.${name}`, description];
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) yield [`${type.name}.${field.name}`, field.description];
    }
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        yield [`${type.name}.${field.name}`, field.description];
        for (const arg of field.args) yield [`${type.name}.${field.name}(${arg.name})`, arg.description];
      }
    }
  }
}

it('descriptions in the schema have the right article before every word', () => {
  const wrong = [...described(schema)].filter(([, text]) => /\b[Aa] [aeio]|\b[Aa]n [^aeiouAMXF]/.test(text ?? ''));
  expect(wrong).toEqual([]);
});

describe('the schema', () => {
  it('matches docs/schema.graphql; if not, run: node apps/gateway/build/print-schema.js', () => {
    const storedSchema = readFileSync(new URL('../../../docs/schema.graphql', import.meta.url), 'utf8');

    expect(printedSchema()).toBe(storedSchema);
  });

  it('describes every type, field, argument and enum value', () => {
    const silent = [...described(schema)].filter(([, description]) => !description).map(([name]) => name);

    expect(silent).toEqual([]);
  });

  it('lists every Node, so that `node` finds it', () => {
    const nodes = schema.getPossibleTypes(schema.getType('Node') as never).map(({ name }) => name);

    expect(nodes.length).toBeGreaterThan(10);
    const listed = SCHEMA_PARTS.flatMap(({ nouns = [] }) => nouns.map(({ of }) => of));
    expect(nodes.filter((name) => !listed.includes(name))).toEqual([]);
  });

  it('returns a union of one success and all problems from each mutation', () => {
    const problems = ['Conflict', 'NotFound', 'PermissionDenied', 'PreconditionFailed', 'ValidationProblem'];
    const results = Object.values(schema.getMutationType()?.getFields() ?? {}).map(({ type }) =>
      String(type).replace('!', ''),
    );
    const members = new Set(results).size;
    const unions = [...new Set(results)].map((name) => schema.getType(name));

    expect(members).toBeGreaterThan(0);
    for (const union of unions) {
      const names = schema.getPossibleTypes(union as never).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(problems));
      expect(names).toHaveLength(problems.length + 1);
      const success = schema.getType(names.find((name) => !problems.includes(name)) ?? '');
      expect(isObjectType(success) && Object.keys(success.getFields())).toContain('revision');
    }
  });

  it('assigns a higher cost to fields that need a request per row than to batched ones', () => {
    const measureCost = (selection: string) => {
      const document = parse(`{ projects(first: 200) { edges { node { ${selection} } } } }`);
      return measureOperation(schema, document, document.definitions[0] as OperationDefinitionNode, {}).cost;
    };

    expect(measureCost('parameterTimeline { count }')).toBeGreaterThan(200 * UNBATCHED_REQUEST_COST);
    expect(measureCost('dependsOn { name }')).toBeLessThan(200 * UNBATCHED_REQUEST_COST);
    expect(
      measureCost('templateTimeline { count } parameterTimeline { count } parameters(first: 10) { totalCount }'),
    ).toBeGreaterThan(LIMITS.cost);
  });
});
