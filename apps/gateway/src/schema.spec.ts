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

import { LIMITS, measure } from './limits.ts';
import { OWN_REQUEST } from './schema/cost.ts';
import { createSchema, printedSchema } from './schema.ts';
import { SCHEMA_PARTS } from './schema-parts.ts';

let schema: GraphQLSchema;
beforeAll(() => {
  schema = createSchema();
});

/** Everything that a reader of the schema can meet, with what it says about itself. */
function* described(of: GraphQLSchema): Generator<[string, string | null | undefined]> {
  for (const type of Object.values(of.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    if (![of.getQueryType(), of.getMutationType(), of.getSubscriptionType()].includes(type as never)) {
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

it('has the right article in front of every word', () => {
  const wrong = [...described(schema)].filter(([, text]) => /\b[Aa] [aeio]|\b[Aa]n [^aeiouAMXF]/.test(text ?? ''));
  expect(wrong).toEqual([]);
});

describe('the schema', () => {
  it('is the one in docs/schema.graphql; if not: node apps/gateway/dist/print-schema.js', () => {
    const kept = readFileSync(new URL('../../../docs/schema.graphql', import.meta.url), 'utf8');

    expect(printedSchema()).toBe(kept);
  });

  it('says what each type, field, argument and word means', () => {
    const silent = [...described(schema)].filter(([, description]) => !description).map(([name]) => name);

    expect(silent).toEqual([]);
  });

  it('lists every Node somewhere, so that `node` finds it', () => {
    const nodes = schema.getPossibleTypes(schema.getType('Node') as never).map(({ name }) => name);

    expect(nodes.length).toBeGreaterThan(10);
    const listed = SCHEMA_PARTS.flatMap(({ nouns = [] }) => nouns.map(({ of }) => of));
    expect(nodes.filter((name) => !listed.includes(name))).toEqual([]);
  });

  it('answers each mutation with a union of one success and every problem', () => {
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

  it('makes fields that cost a request for each row cost more than those that loaders gather', () => {
    const costOf = (selection: string) => {
      const document = parse(`{ projects(first: 200) { edges { node { ${selection} } } } }`);
      return measure(schema, document, document.definitions[0] as OperationDefinitionNode, {}).cost;
    };

    expect(costOf('parameterTimeline { count }')).toBeGreaterThan(200 * OWN_REQUEST);
    expect(costOf('dependsOn { name }')).toBeLessThan(200 * OWN_REQUEST);
    expect(
      costOf('templateTimeline { count } parameterTimeline { count } parameters(first: 10) { totalCount }'),
    ).toBeGreaterThan(LIMITS.cost);
  });
});
