import { ChangeAction, RuleType } from '@strata/contract';
import {
  Failure,
  type Params,
  PlanOutdatedError,
  PreconditionFailedError,
  type PresentVersion,
  type RuleKind,
} from '@strata/domain';
import {
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLNullableType,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql';
import { type FieldProblem, toFieldProblems } from '../field-problems.ts';
import { changeObjectType } from './change-object.ts';
import { enumKind } from './member.ts';
import type { ObjectSource } from './object-type.ts';
import { DateTime } from './scalars.ts';
import { field, type SchemaBuild, type SchemaFields } from './schema-build.ts';

export interface ProblemObject {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly pointer: string;
  readonly params: Params;
  readonly fields?: readonly FieldProblem[];
  readonly rules?: readonly RuleKind[];
  readonly present?: readonly PresentVersion[];
  readonly plan?: ObjectSource | null;
  readonly difference?: ObjectSource | null;
}

const PROBLEMS = {
  ValidationProblem: 'The input is invalid.',
  NotFound: 'The object does not exist, or the caller cannot access it.',
  Conflict: 'Another object prevents the write, such as a child of the object to delete.',
  PermissionDenied: 'The caller does not have permission.',
  PreconditionFailed: 'The object no longer has the expected version.',
} as const;

const PLAN = 'ChangesetPlan';
const PLAN_DIFFERENCE = 'PlanDifference';

const text = (description: string) => field({ type: new GraphQLNonNull(GraphQLString), description });
const codeAndMessage = {
  code: text('Stable error code, the same as X-Error-Code of the REST API.'),
  message: text('The error message.'),
};

/** The members of an error as data. */
const dataFields = (build: SchemaBuild): SchemaFields => ({
  pointer: text(
    'JSON pointer to the part of the REST input that the error is about: a member, `/environment` for a query parameter, `/path/id` for a segment of the path. Empty if the error is about no input.',
  ),
  params: field({
    type: new GraphQLNonNull(build.scalar({ is: 'json' })),
    description: 'The names and numbers in the message, by name. The code determines the names.',
  }),
});

const problemFields = (build: SchemaBuild): SchemaFields => ({ ...codeAndMessage, ...dataFields(build) });

export function problemInterface(build: SchemaBuild): GraphQLInterfaceType {
  return build.once(
    'Problem',
    () =>
      new GraphQLInterfaceType({
        name: 'Problem',
        description:
          'The reason why a write was rejected or a list cannot be read. `code` is stable; `message` explains to a person what to do next.',
        fields: () => problemFields(build),
      }),
  );
}

function problemTypes(build: SchemaBuild): GraphQLObjectType[] {
  const fieldProblem = build.once(
    'FieldProblem',
    () =>
      new GraphQLObjectType({
        name: 'FieldProblem',
        description: 'The error of one field of the input.',
        fields: () => ({
          field: text('Name of the field in the REST API; `non_field_errors` for the whole input.'),
          message: text('The error message. It starts with the path of the member, if the error is inside the field.'),
          detail: text('The sentence of the error message without that path.'),
          code: text('Stable code of this error.'),
          ...dataFields(build),
        }),
      }),
  );
  const fields = field({
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(fieldProblem))),
    description:
      'The errors by location: a field of the input; `operations.2.PORT` for a changeset; `conflicts.0` for a revert.',
  });
  const rules = field({
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(build.scalar(enumKind(RuleType))))),
    description: 'The kinds of rules that were violated, the same as X-Error-Rule of the REST API; usually empty.',
  });
  const currentVersions = field({
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(presentVersionType(build)))),
    description:
      'The current versions of the changed objects, as far as the caller can access them. Writes of several objects can have several entries.',
  });
  return Object.entries(PROBLEMS).map(([name, description]) =>
    build.once(
      name,
      () =>
        new GraphQLObjectType({
          name,
          description,
          interfaces: [problemInterface(build)],
          fields: () => ({
            ...problemFields(build),
            ...(name === 'PreconditionFailed'
              ? { present: currentVersions, ...planFields(build) }
              : { fields, ...(name === 'ValidationProblem' && { rules }) }),
          }),
        }),
    ),
  );
}

function planFields(build: SchemaBuild): SchemaFields {
  return {
    plan: field({
      type: build.declared(PLAN),
      description: 'Only for `plan_outdated`: the current plan. You can send its hash instead.',
    }),
    difference: field({
      type: build.declared(PLAN_DIFFERENCE),
      description: 'Only for `plan_outdated`: the differences from the reviewed plan.',
    }),
  };
}

function presentVersionType(build: SchemaBuild): GraphQLObjectType {
  const must = (type: GraphQLNullableType & GraphQLOutputType, description: string) =>
    field({ type: new GraphQLNonNull(type), description });
  const fields = () => ({
    object: must(changeObjectType(build), 'The object.'),
    ledgerId: field<PresentVersion>({
      type: GraphQLID,
      description:
        'The version that a write must expect to overwrite the object. Null if the object was deleted or has no version.',
      resolve: ({ ledger_id: ledgerId }) => ledgerId,
    }),
    action: must(build.scalar(enumKind(ChangeAction)), 'The latest action.'),
    revision: must(GraphQLInt, 'Revision of the latest action.'),
    at: must(DateTime, 'The time of the latest action.'),
    actor: must(changeObjectType(build), 'The user who did it.'),
    operation: field({
      type: GraphQLInt,
      description: 'For a changeset: index of the operation that expected another version, from 0.',
    }),
  });
  const description = 'The current version of an object, with its author and time.';
  return build.once('PresentVersion', () => new GraphQLObjectType({ name: 'PresentVersion', description, fields }));
}

/** The union of one success and all problems. */
export function resultType(
  build: SchemaBuild,
  name: string,
  success: GraphQLObjectType,
  description: string,
): GraphQLUnionType {
  return build.once(name, () => new GraphQLUnionType({ name, description, types: [success, ...problemTypes(build)] }));
}

/**
 * Runs one write. Errors that a client can act on become data. Errors of the whole request (no credential, rate limit,
 * unavailable core) stay GraphQL errors. For writes that check credentials, a wrong credential becomes data as well.
 */
export async function runWrite<Success extends object>(
  name: string,
  write: () => Promise<Success>,
  { judgesCredentials = false }: { readonly judgesCredentials?: boolean } = {},
): Promise<object> {
  try {
    return { __typename: name, ...(await write()) };
  } catch (error) {
    const problem = error instanceof Failure ? toProblem(error, judgesCredentials) : null;
    if (!problem) throw error;
    return problem;
  }
}

/** Returns the problem for an error that a client can act on; null for other errors. */
export function toProblem(failure: Failure, judgesCredentials = false): ProblemObject | null {
  const { code, message, params, pointer, rules } = failure;
  const data = { code, message, pointer, params };
  const fields = toFieldProblems(failure);
  switch (failure.kind) {
    case 'invalid':
    case 'too_large':
    case 'unprocessable':
    // Some operations do not exist for all providers of integrations.
    case 'method_not_allowed':
      return { __typename: 'ValidationProblem', ...data, fields, rules };
    case 'not_found':
      return { __typename: 'NotFound', ...data, fields };
    case 'conflict':
      return { __typename: 'Conflict', ...data, fields };
    case 'forbidden':
      return { __typename: 'PermissionDenied', ...data, fields };
    case 'bad_credential':
    case 'unauthenticated':
      return judgesCredentials ? { __typename: 'PermissionDenied', ...data, fields } : null;
    case 'precondition_failed':
      return {
        __typename: 'PreconditionFailed',
        ...data,
        present: failure instanceof PreconditionFailedError ? failure.currentVersions : [],
        ...(failure instanceof PlanOutdatedError && {
          plan: presented(PLAN, failure.plan),
          difference: presented(PLAN_DIFFERENCE, failure.difference),
        }),
      };
    default:
      return null;
  }
}

function presented(type: string, row: unknown): ObjectSource | null {
  return row === null || row === undefined ? null : { __typename: type, row, view: {} };
}
