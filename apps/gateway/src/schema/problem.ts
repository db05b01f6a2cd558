import { ChangeAction, RuleType } from '@strata/contract';
import { Failure, PlanOutdated, PreconditionFailed, type PresentVersion, type RuleKind } from '@strata/domain';
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
import { changeObjectType } from './change-object.ts';
import { oneOf } from './member.ts';
import type { Presented } from './object-type.ts';
import { DateTime } from './scalars.ts';
import { field, type SchemaBuild, type SchemaFields } from './schema-build.ts';

export interface ProblemData {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
  readonly rules?: readonly RuleKind[];
  readonly present?: readonly PresentVersion[];
  readonly plan?: Presented | null;
  readonly difference?: Presented | null;
}

const PROBLEMS = {
  ValidationProblem: 'The input is not acceptable.',
  NotFound: 'The object does not exist, or not for this caller.',
  Conflict: 'Something else stands in the way, such as a child of what is to be deleted.',
  PermissionDenied: 'The caller may not do this.',
  PreconditionFailed: 'The object is not the version that was expected any more.',
} as const;

const PLAN = 'ChangesetPlan';
const PLAN_DIFFERENCE = 'PlanDifference';

const text = (description: string) => field({ type: new GraphQLNonNull(GraphQLString), description });
const problemFields = {
  code: text('Stable name of the reason, the same as X-Error-Code of the REST API.'),
  message: text('The reason in words.'),
};

export function problemInterface(build: SchemaBuild): GraphQLInterfaceType {
  return build.once(
    'Problem',
    () =>
      new GraphQLInterfaceType({
        name: 'Problem',
        description:
          'Why a write was refused, or a list cannot be seen. `code` is stable; `message` tells a person what to do next.',
        fields: problemFields,
      }),
  );
}

function problemTypes(build: SchemaBuild): GraphQLObjectType[] {
  const fieldProblem = build.once(
    'FieldProblem',
    () =>
      new GraphQLObjectType({
        name: 'FieldProblem',
        description: 'What is wrong with one field of the input.',
        fields: {
          field: text('Name of the field as the REST API calls it; `non_field_errors` for the whole input.'),
          message: text('What is wrong with it.'),
        },
      }),
  );
  const fields = field({
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(fieldProblem))),
    description:
      'What is wrong, by its place where it has one: a field of the input; of a changeset `operations.2.PORT`; of a revert `conflicts.0`.',
  });
  const rules = field({
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(build.scalar(oneOf(RuleType))))),
    description:
      'The kinds of rules that the refusal is about, the same as X-Error-Rule of the REST API; most are about none.',
  });
  const present = field({
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(presentVersionType(build)))),
    description:
      'What is there instead, as far as the caller may know: of one object, or of each that a write of several found changed.',
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
            ...problemFields,
            ...(name === 'PreconditionFailed'
              ? { present, ...planFields(build) }
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
      description: 'Of `plan_outdated`: the plan as it is now, whose hash can be sent instead. Else null.',
    }),
    difference: field({
      type: build.declared(PLAN_DIFFERENCE),
      description: 'Of `plan_outdated`: what is different from the plan that was looked at. Else null.',
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
      description: 'Its version: what a write that shall overwrite it expects. Null when it is gone or has none.',
      resolve: ({ ledger_id: ledgerId }) => ledgerId,
    }),
    action: must(build.scalar(oneOf(ChangeAction)), 'What was done to it last.'),
    revision: must(GraphQLInt, 'Revision of the organization that did it.'),
    at: must(DateTime, 'When.'),
    actor: must(changeObjectType(build), 'Who did it.'),
    operation: field({
      type: GraphQLInt,
      description: 'Of a changeset: the operation that expected something else, by its place from 0.',
    }),
  });
  const description = 'The version that an object has now, and who made it when.';
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

/** What a client is told of a refusal that it can act upon; null for others. */
export function problemOf(failure: Failure, judgesCredentials = false): ProblemData | null {
  const { code, message, problems: fields, rules } = failure;
  switch (failure.kind) {
    case 'invalid':
    case 'too_large':
    case 'unprocessable':
    // not every provider of integrations has everything
    case 'method_not_allowed':
      return { __typename: 'ValidationProblem', code, message, fields, rules };
    case 'not_found':
      return { __typename: 'NotFound', code, message, fields };
    case 'conflict':
      return { __typename: 'Conflict', code, message, fields };
    case 'forbidden':
      return { __typename: 'PermissionDenied', code, message, fields };
    case 'bad_credential':
    case 'unauthenticated':
      return judgesCredentials ? { __typename: 'PermissionDenied', code, message, fields } : null;
    case 'precondition_failed':
      return {
        __typename: 'PreconditionFailed',
        code,
        message,
        present: failure instanceof PreconditionFailed ? failure.present : [],
        ...(failure instanceof PlanOutdated && {
          plan: presented(PLAN, failure.plan),
          difference: presented(PLAN_DIFFERENCE, failure.difference),
        }),
      };
    default:
      return null;
  }
}

function presented(type: string, row: unknown): Presented | null {
  return row === null || row === undefined ? null : { __typename: type, row, view: {} };
}
