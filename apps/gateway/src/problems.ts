import type { Type } from '@nestjs/common';
import { createUnionType, Field, InterfaceType, ObjectType } from '@nestjs/graphql';
import { Failure } from '@strata/domain';

@InterfaceType({ description: 'Why a write was refused. `code` is stable; `message` tells a person what to do next.' })
export abstract class Problem {
  @Field(() => String, { description: 'Stable name of the reason, the same as X-Error-Code of the REST API.' })
  code!: string;

  @Field(() => String, { description: 'The reason in words.' })
  message!: string;
}

@ObjectType({ description: 'What is wrong with one field of the input.' })
export class FieldProblem {
  @Field(() => String, {
    description: 'Name of the field as the REST API calls it; `non_field_errors` for the whole input.',
  })
  field!: string;

  @Field(() => String, { description: 'What is wrong with it.' })
  message!: string;
}

@ObjectType({ implements: () => [Problem], description: 'The input is not acceptable.' })
export class ValidationProblem extends Problem {
  @Field(() => [FieldProblem], { description: 'The fields that are wrong.' })
  fields!: readonly FieldProblem[];
}

@ObjectType({ implements: () => [Problem], description: 'The object does not exist, or not for this caller.' })
export class NotFound extends Problem {}

@ObjectType({
  implements: () => [Problem],
  description: 'Something else stands in the way, such as a child of what is to be deleted.',
})
export class Conflict extends Problem {}

@ObjectType({ implements: () => [Problem], description: 'The caller may not do this.' })
export class PermissionDenied extends Problem {}

@ObjectType({
  implements: () => [Problem],
  description: 'The object is not the version that `ifMatch` names any more.',
})
export class PreconditionFailed extends Problem {}

const PROBLEMS = [ValidationProblem, NotFound, Conflict, PermissionDenied, PreconditionFailed] as const;

interface Told {
  readonly __typename: string;
}

/** The union of one success and all problems. */
export function resultOf(name: string, success: Type<unknown>, description: string): object {
  return createUnionType({
    name,
    description,
    types: () => [success, ...PROBLEMS] as const,
    resolveType: (told: Told) => told.__typename,
  }) as object;
}

export interface ProblemTold extends Told {
  readonly code: string;
  readonly message: string;
  readonly fields?: readonly FieldProblem[];
}

/**
 * Runs one write. Refusals that a client can act upon become data; what concerns the whole request (no credential,
 * rate limit, core out of reach) stays an error. Where the write is about credentials, a wrong one is such a refusal.
 */
export async function attempt<Success extends object>(
  name: string,
  write: () => Promise<Success>,
  { judgesCredentials = false }: { readonly judgesCredentials?: boolean } = {},
): Promise<object> {
  try {
    return { __typename: name, ...(await write()) };
  } catch (error) {
    const problem = error instanceof Failure ? problemOf(error, judgesCredentials) : null;
    if (!problem) throw error;
    return problem;
  }
}

function problemOf(failure: Failure, judgesCredentials: boolean): ProblemTold | null {
  const { code, message } = failure;
  switch (failure.kind) {
    case 'invalid':
    case 'too_large':
    case 'unprocessable':
    // not every provider of integrations has everything
    case 'method_not_allowed':
      return { __typename: 'ValidationProblem', code, message, fields: failure.problems };
    case 'not_found':
      return { __typename: 'NotFound', code, message };
    case 'conflict':
      return { __typename: 'Conflict', code, message };
    case 'forbidden':
      return { __typename: 'PermissionDenied', code, message };
    case 'bad_credential':
    case 'unauthenticated':
      return judgesCredentials ? { __typename: 'PermissionDenied', code, message } : null;
    case 'precondition_failed':
      return { __typename: 'PreconditionFailed', code, message };
    default:
      return null;
  }
}
