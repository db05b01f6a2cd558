import { Args, Context, Field, ID, Int, Mutation, ObjectType, Resolver } from '@nestjs/graphql';
import { type Page, ValueCreate, type Value as ValueRow } from '@strata/contract';
import { Failure, masked } from '@strata/domain';
import type { GatewayContext } from '../context.ts';
import type { Answer, Core } from '../core.ts';
import { DeleteResult } from '../graphql/deleted.ts';
import { inputOf } from '../graphql/inputs.ts';
import { filled } from '../graphql/operations.ts';
import { Value } from '../parameters/parameters.ts';
import { attempt, resultOf } from '../problems.ts';
import { ExpectedVersion, writeVersion } from '../version.ts';

@ObjectType({ description: 'The value as it is now.' })
class ValueSaved {
  @Field(() => Value.type, { description: 'The value; a secret is masked.' })
  value!: object;

  @Field(() => Boolean, { description: 'Whether the parameter had no value in this environment before.' })
  created!: boolean;

  @Field(() => Int, { nullable: true, description: 'Revision of the organization after this write.' })
  revision!: number | null;
}

const ValueResult = resultOf('ValueResult', ValueSaved, 'What became of a write of a value.');

const input = inputOf(
  'SetValueInput',
  'The value that a parameter shall have in one environment.',
  ValueCreate,
  {
    environment: 'The environment to set it in.',
    internal_value: 'The text, at most 65536 characters; null is an explicit "nothing".',
    interpolated: 'Whether references in the text are replaced.',
    external: 'Whether the text comes from outside.',
    external_fqn: 'Where outside.',
    external_filter: 'What of the content there.',
  },
  ['projectId', 'parameterId'],
);

interface SetValue {
  readonly projectId: string;
  readonly parameterId: string;
  readonly environmentId: string;
}

@Resolver()
export class ValuesResolver {
  @Mutation(() => ValueResult, {
    description: 'Sets the value of a parameter in one environment, whether it had one or not.',
  })
  setValue(
    @Args('input', { type: () => input.type, description: 'Which value, and what it shall be.' }) given: SetValue,
    @Args('evaluate', {
      type: () => Boolean,
      defaultValue: true,
      description: 'Show the text of a value with references as it looks once they are replaced.',
    })
    evaluate: boolean,
    @Args() { expectedLedgerId }: ExpectedVersion,
    @Context() { core }: GatewayContext,
  ) {
    return attempt('ValueSaved', async () => {
      const { answer, created } = await set(core, given, expectedLedgerId ?? null);
      const { body: row, revision } = answer;
      return { value: Value.present(await hidden(core, given, row, evaluate)), created, revision };
    });
  }

  @Mutation(() => DeleteResult, {
    description: 'Removes the value set in one environment, which inherits again from then on.',
  })
  unsetValue(
    @Args('projectId', { type: () => ID, description: 'The project that owns the parameter.' }) projectId: string,
    @Args('parameterId', { type: () => ID, description: 'The parameter.' }) parameterId: string,
    @Args('environmentId', { type: () => ID, description: 'The environment.' }) environmentId: string,
    @Args() { expectedLedgerId }: ExpectedVersion,
    @Context() { core }: GatewayContext,
  ) {
    return attempt('Deleted', async () => {
      const path = pathOf(projectId, parameterId);
      const old = await find(core, path, environmentId);
      if (!old) throw Failure.notFound('Value');
      const { revision } = await writeVersion(core, 'DELETE', `${path}${old.id}/`, undefined, expectedLedgerId);
      return { id: old.id, revision };
    });
  }
}

/**
 * Writes answer in clear; what was just typed need not be shown again. A text that is rendered may show secrets of other
 * parameters, and which it depends on only the core knows.
 */
async function hidden(
  core: Core,
  { projectId, parameterId }: SetValue,
  row: ValueRow,
  evaluate: boolean,
): Promise<ValueRow> {
  if (!row.interpolated) return { ...row, value: masked(row.value, row.secret) };
  const path = `${pathOf(projectId, parameterId)}${row.id}/`;
  const { body } = await core.get<ValueRow>(path, { mask_secrets: true, evaluate });
  return body;
}

/**
 * REST tells creating from changing, GraphQL callers need not. Should somebody else set or remove the value between
 * the look and the write, the core refuses, and a second look knows better.
 */
async function set(
  core: Core,
  given: SetValue,
  expected: string | null,
  again = true,
): Promise<{ answer: Answer<ValueRow>; created: boolean }> {
  const path = pathOf(given.projectId, given.parameterId);
  const { environment: _, ...content } = input.body(given);
  const old = await find(core, path, given.environmentId);
  try {
    if (old) {
      const answer = await writeVersion<ValueRow>(core, 'PATCH', `${path}${old.id}/`, content, expected);
      return { answer, created: false };
    }
    if (expected) throw new Failure('precondition_failed', 'precondition_failed', 'The value has been removed since.');
    const answer = await core.send<ValueRow>('POST', path, { environment: given.environmentId, ...content });
    return { answer, created: true };
  } catch (error) {
    const raced = error instanceof Failure && (error.kind === 'not_found' || isTaken(error));
    if (!raced || !again || expected) throw error;
    return set(core, given, expected, false);
  }
}

function isTaken({ kind, problems }: Failure): boolean {
  return kind === 'invalid' && problems.some(({ field }) => field === 'non_field_errors');
}

async function find(core: Core, path: string, environmentId: string): Promise<ValueRow | undefined> {
  const { body } = await core.get<Page<ValueRow>>(path, { environment: environmentId, mask_secrets: true });
  return body.results[0];
}

function pathOf(projectId: string, parameterId: string): string {
  return filled('projects/{projectId}/parameters/{parameterId}/values/', { projectId, parameterId });
}
