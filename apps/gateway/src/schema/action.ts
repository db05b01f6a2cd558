import { Failure } from '@strata/domain';
import { GraphQLNonNull } from 'graphql';
import { z } from 'zod';
import type { GatewayContext } from '../context.ts';
import type { Assembly } from './assembly.ts';
import { fillPath, listPlaceholders, operation, readablePath } from './operations.ts';
import { runWrite } from './problem.ts';
import { idArgs, queryArgs } from './query-args.ts';
import { buildInputArg, buildInputType } from './read-field.ts';
import { type FieldArgs, field } from './schema-build.ts';
import { emptyResultType, writeResultTypes } from './write-result-types.ts';

/** The methods of REST. An action is never a GET. */
const METHODS = { get: 'POST', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

/** A mutation other than create, update and delete. Its arguments and its result come from the contract. */
export interface ActionDeclaration {
  /** The id of the contract's operation. */
  readonly operation: string;
  readonly name: string;
  readonly about: string;
  /** Whether the operation checks credentials, so that a wrong one is an expected result. */
  readonly judgesCredentials?: boolean;
}

export function addAction(assembly: Assembly, declaration: ActionDeclaration): void {
  const { build } = assembly;
  const { name, about, judgesCredentials } = declaration;
  const schemaOperation = operation(declaration.operation);
  const path = readablePath(schemaOperation);
  const input = buildInputType(build, schemaOperation, name, about);
  const args = queryArgs(build, schemaOperation.query);
  const { response } = schemaOperation;
  const responseShape = assembly.findShape(
    response instanceof z.ZodNullable ? (response.unwrap() as z.ZodType) : response,
  );
  const resultTypes = responseShape ? writeResultTypes(build, responseShape) : emptyResultType(build);
  const method = METHODS[schemaOperation.method];
  build.add('Mutation', {
    [name]: field({
      type: new GraphQLNonNull(resultTypes.result),
      description: about,
      args: { ...idArgs(build, listPlaceholders(path)), ...buildInputArg(schemaOperation, input), ...args.config },
      reaches: schemaOperation.reaches,
      resolve: (_source, variables, { core }: GatewayContext) => {
        const act = async () => {
          const body = input && variables.input ? input.body(variables.input as FieldArgs) : undefined;
          const query = args.query(variables);
          const { body: row, revision } = await core.send(method, fillPath(path, variables), body, { query });
          // REST returns null if there was nothing to do; in GraphQL every success contains its object.
          if (responseShape && row === null) throw Failure.notFound(responseShape.name);
          return { ...(responseShape && { [resultTypes.field]: responseShape.toSource(row) }), revision };
        };
        return runWrite(resultTypes.name, act, { judgesCredentials });
      },
    }),
  });
}
