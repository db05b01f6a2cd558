import { type Page, ValueCreate, type Value as ValueRow } from '@strata/contract';
import { Failure, PreconditionFailedError } from '@strata/domain';
import { GraphQLBoolean, GraphQLNonNull, GraphQLObjectType } from 'graphql';
import type { GatewayContext } from '../context.ts';
import type { CoreClient, CoreResponse } from '../core.ts';
import type { Assembly } from '../schema/assembly.ts';
import { type InputShape, inputType } from '../schema/input-type.ts';
import { EXPECTED_VERSION } from '../schema/noun.ts';
import { fillPath } from '../schema/operations.ts';
import { resultType, runWrite } from '../schema/problem.ts';
import { idArgs } from '../schema/query-args.ts';
import { type FieldArgs, field } from '../schema/schema-build.ts';
import type { SchemaPart } from '../schema/schema-part.ts';
import { deleteResult, revisionField } from '../schema/write-result-types.ts';
import { writeVersion } from '../version.ts';

export const VALUES_PART: SchemaPart = { extend: addValueWrites };

const MASKED = { mask_secrets: true };

interface SetValue extends FieldArgs {
  readonly projectId: string;
  readonly parameterId: string;
  readonly environmentId: string;
}

interface SetValueArgs {
  readonly input: SetValue;
  readonly evaluate: boolean;
  readonly expectedLedgerId?: string | null;
  readonly expectAbsent: boolean;
}

/** `setValue` creates the value or updates the existing one. */
function addValueWrites(assembly: Assembly): void {
  const { build } = assembly;
  const shape = assembly.shapeNamed('Value');
  const input = inputType(build, {
    name: 'SetValueInput',
    description: 'The new value of a parameter in one environment.',
    schema: ValueCreate,
    ids: ['projectId', 'parameterId'],
  });
  build.add('Mutation', {
    setValue: field<unknown, SetValueArgs>({
      type: new GraphQLNonNull(valueResult(assembly)),
      description: 'Sets the value of a parameter in one environment: creates it or updates the existing one.',
      args: {
        input: { type: new GraphQLNonNull(input.type), description: 'The cell and its new value.' },
        evaluate: {
          type: new GraphQLNonNull(GraphQLBoolean),
          defaultValue: true,
          description: 'Evaluate the references in the returned text.',
        },
        expectedLedgerId: EXPECTED_VERSION,
        expectAbsent: {
          type: new GraphQLNonNull(GraphQLBoolean),
          defaultValue: false,
          description: 'Reject the write if the parameter already has a value in this environment.',
        },
      },
      reaches: ['create', 'update', 'partial_update'].map((action) => `projects_parameters_values_${action}`),
      resolve: (_source, { input: args, evaluate, expectedLedgerId, expectAbsent }, { core }: GatewayContext) =>
        runWrite('ValueSaved', async () => {
          if (expectAbsent && (expectedLedgerId ?? null) !== null) throw bothExpectedError();
          const { answer, created } = expectAbsent
            ? { answer: await make(core, input, args, '*'), created: true }
            : await set(core, input, args, expectedLedgerId ?? null);
          const { body: row, revision } = answer;
          return { value: shape.toSource(await hidden(core, args, row, evaluate)), created, revision };
        }),
    }),
    unsetValue: field<unknown, SetValue & Pick<SetValueArgs, 'expectedLedgerId'> & { readonly force?: boolean | null }>(
      {
        type: new GraphQLNonNull(deleteResult(build)),
        description: 'Deletes the value of one environment, which inherits its value again afterwards.',
        args: {
          ...idArgs(build, ['projectId', 'parameterId', 'environmentId']),
          expectedLedgerId: EXPECTED_VERSION,
          force: {
            type: GraphQLBoolean,
            description: 'Delete it although a service account read it recently and the organization protects it.',
          },
        },
        reaches: ['projects_parameters_values_destroy'],
        resolve: (_source, args, { core }: GatewayContext) =>
          runWrite('Deleted', async () => {
            const path = valuesPath(args);
            const previousRow = await find(core, path, args.environmentId);
            if (!previousRow) throw Failure.notFound('Value');
            const at = `${path}${previousRow.id}/`;
            const query = args.force ? { force: true } : {};
            const { revision } = await writeVersion(core, 'DELETE', at, undefined, args.expectedLedgerId, query);
            return { id: previousRow.id, revision };
          }),
      },
    ),
  });
}

function valueResult(assembly: Assembly) {
  const { build } = assembly;
  const resultTypes = build.once(
    'ValueSaved',
    () =>
      new GraphQLObjectType({
        name: 'ValueSaved',
        description: 'The value after the write.',
        fields: () => ({
          value: field({
            type: new GraphQLNonNull(assembly.shapeNamed('Value').type),
            description: 'The value; a secret is masked.',
          }),
          created: field({
            type: new GraphQLNonNull(GraphQLBoolean),
            description: 'Whether the parameter had no value in this environment before.',
          }),
          revision: revisionField,
        }),
      }),
  );
  return resultType(build, 'ValueResult', resultTypes, 'The result of writing a value.');
}

/** Reads a dynamic value again with secrets masked, because its evaluated text may contain secrets. */
async function hidden(core: CoreClient, args: SetValue, row: ValueRow, evaluate: boolean): Promise<ValueRow> {
  if (!row.interpolated) return row;
  const path = `${valuesPath(args)}${row.id}/`;
  const { body } = await core.get<ValueRow>(path, { mask_secrets: true, evaluate });
  return body;
}

/**
 * Creates or updates a value, which are two operations in REST. If the value is set or removed between the read and the
 * write, the core rejects the write, and a second attempt reads the current state.
 */
async function set(
  core: CoreClient,
  input: InputShape,
  args: SetValue,
  expected: string | null,
  mayRetry = true,
): Promise<{ answer: CoreResponse<ValueRow>; created: boolean }> {
  const path = valuesPath(args);
  const { environment: _, ...content } = input.body(args);
  const previousRow = await find(core, path, args.environmentId);
  try {
    if (previousRow) {
      const response = await writeVersion<ValueRow>(
        core,
        'PATCH',
        `${path}${previousRow.id}/`,
        content,
        expected,
        MASKED,
      );
      return { answer: response, created: false };
    }
    if (expected !== null) throw new PreconditionFailedError([], 'The value has been removed in the meantime.');
    return { answer: await make(core, input, args), created: true };
  } catch (error) {
    const raced = error instanceof Failure && (error.kind === 'not_found' || isTaken(error));
    if (!raced || !mayRetry || expected !== null) throw error;
    return set(core, input, args, expected, false);
  }
}

function make(core: CoreClient, input: InputShape, args: SetValue, ifNoneMatch?: '*'): Promise<CoreResponse<ValueRow>> {
  const body = { ...input.body(args), environment: args.environmentId };
  return core.send('POST', valuesPath(args), body, { ifNoneMatch, query: MASKED });
}

function bothExpectedError(): Failure {
  return Failure.field('contradiction', 'expectAbsent', 'Set expectedLedgerId or expectAbsent, not both.');
}

function isTaken({ kind, problems }: Failure): boolean {
  return kind === 'invalid' && problems.some(({ field }) => field === 'non_field_errors');
}

async function find(core: CoreClient, path: string, environmentId: string): Promise<ValueRow | undefined> {
  const { body } = await core.get<Page<ValueRow>>(path, { environment: environmentId, mask_secrets: true });
  return body.results[0];
}

function valuesPath(args: SetValue): string {
  return fillPath('projects/{projectId}/parameters/{parameterId}/values/', args);
}
