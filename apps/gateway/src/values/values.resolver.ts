import { Args, Context, ID, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { Page, Value as ValueRow } from '@strata/contract';
import { Failure, masked } from '@strata/domain';
import type { GatewayContext } from '../context.ts';
import type { Answer, Core } from '../core.ts';
import { Environment, toEnvironment } from '../environments/environment.type.ts';
import { bodyOf, segment } from '../graphql/body.ts';
import { DeleteResult } from '../graphql/deleted.ts';
import { Parameter, toParameter } from '../parameters/parameter.type.ts';
import { attempt } from '../problems.ts';
import { ExpectedVersion, writeVersion } from '../version.ts';
import { SetValueInput, toValue, Value, ValueResult } from './value.type.ts';

@Resolver(() => Value)
export class ValuesResolver {
  @ResolveField(() => Environment, { nullable: true, description: 'The environment that the value is set in.' })
  async environment(@Parent() { environmentId }: Value, @Context() { loaders }: GatewayContext) {
    const row = await loaders.environment.load(environmentId);
    return row && toEnvironment(row);
  }

  @ResolveField(() => Parameter, {
    nullable: true,
    description:
      'The parameter that the value is set on; that of another project when the value is inherited from there.',
  })
  async parameter(@Parent() { projectId, parameterId }: Value, @Context() { loaders }: GatewayContext) {
    const row = await loaders.parameter.load({ projectId, parameterId });
    return row && toParameter(row, { projectId });
  }

  @Mutation(() => ValueResult, {
    description: 'Sets the value of a parameter in one environment, whether it had one or not.',
  })
  setValue(
    @Args('input', { description: 'Which value, and what it shall be.' }) input: SetValueInput,
    @Args() { expectedLedgerId }: ExpectedVersion,
    @Context() { core }: GatewayContext,
  ) {
    return attempt('ValueSaved', async () => {
      const { answer, created } = await set(core, input, expectedLedgerId ?? null);
      const { body: row, revision } = answer;
      // Writes answer in clear; what was just typed need not be shown again.
      return { value: { ...toValue(row), value: masked(row.value, row.secret) }, created, revision };
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
      const { revision } = await writeVersion(
        core,
        'DELETE',
        `${path}${segment(old.id)}/`,
        undefined,
        expectedLedgerId,
      );
      return { id: old.id, revision };
    });
  }
}

/**
 * REST tells creating from changing, GraphQL callers need not. Should somebody else set or remove the value between
 * the look and the write, the core refuses, and a second look knows better.
 */
async function set(
  core: Core,
  input: SetValueInput,
  expected: string | null,
  again = true,
): Promise<{ answer: Answer<ValueRow>; created: boolean }> {
  const path = pathOf(input.projectId, input.parameterId);
  const content = bodyOf({ internal_value: input.value, interpolated: input.interpolated }, ['internal_value']);
  const old = await find(core, path, input.environmentId);
  try {
    if (old) {
      const answer = await writeVersion<ValueRow>(core, 'PATCH', `${path}${segment(old.id)}/`, content, expected);
      return { answer, created: false };
    }
    if (expected) throw new Failure('precondition_failed', 'precondition_failed', 'The value has been removed since.');
    const answer = await core.send<ValueRow>('POST', path, { environment: input.environmentId, ...content });
    return { answer, created: true };
  } catch (error) {
    const raced = error instanceof Failure && (error.kind === 'not_found' || isTaken(error));
    if (!raced || !again || expected) throw error;
    return set(core, input, expected, false);
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
  return `projects/${segment(projectId)}/parameters/${segment(parameterId)}/values/`;
}
