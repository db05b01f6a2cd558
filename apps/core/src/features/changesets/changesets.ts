import { Injectable } from '@nestjs/common';
import type { ChangesetOperation, ChangesetRequest, Place } from '@strata/contract';
import { Failure } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { OperationCommands } from '../../platform/http/operation-commands.ts';
import type { Call } from '../../platform/http/request.ts';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { EXECUTION_MS_MAX } from './held-time.ts';
import { namedPlace } from './named-state.ts';
import { NamedValues } from './named-values.ts';
import type { PreparedSteps } from './prepared-steps.ts';
import { type Made, placed, referencesIn } from './references.ts';
import { assertCall, operationStep, type PreparedStep, type Step } from './steps.ts';

const NOTHING_MADE: Made = new Map();

/** The operations of a request as steps. */
@Injectable()
export class Changesets {
  constructor(
    private readonly commands: OperationCommands,
    private readonly values: NamedValues,
  ) {}

  /** What can be done before anybody has to wait is done here: whatever refers to nothing that is yet to be made. */
  async prepare(call: Call, input: ChangesetRequest): Promise<PreparedSteps> {
    const { plan_hash: hash, plan } = input;
    return { ...(await this.prepared(call, input)), wanted: hash === null ? null : { hash, plan } };
  }

  /** The same to be planned. */
  async preparePlan(call: Call, input: ChangesetRequest): Promise<PreparedSteps> {
    return this.prepared(call, input);
  }

  private async prepared(call: Call, input: ChangesetRequest): Promise<PreparedSteps> {
    const steps: PreparedStep[] = [];
    for (const operation of input.operations) steps.push(await preparedStep(call.caller, this.stepOf(call, operation)));
    return {
      operation: 'changesets_create',
      caller: call.caller,
      note: { message: input.message, externalRef: input.external_ref },
      baseRevision: input.base_revision,
      asked: input.operations,
      executionMs: EXECUTION_MS_MAX,
      smaller: 'Make several smaller changesets of it.',
      wanted: null,
      steps: () => steps,
    };
  }

  private stepOf(call: Call, input: ChangesetOperation): Step {
    if (input.set) {
      const { set } = input;
      return valuesStep('set', input, [set.project, set.environment], (context, [project, environment]) =>
        this.at(context, project, environment, (place) => this.values.set(context, place, set)),
      );
    }
    if (input.unset) {
      const { unset } = input;
      return valuesStep('unset', input, [unset.project, unset.environment], (context, [project, environment]) =>
        this.at(context, project, environment, (place) => this.values.unset(context, place, unset.names)),
      );
    }
    if (input.promote) {
      const { project, from, to, names = null } = input.promote;
      return valuesStep('promote', input, [project, to, from], (context, [inProject, target, source]) =>
        this.at(context, inProject, target, (place) => this.values.promote(context, place, source ?? '', names)),
      );
    }
    return operationStep(this.commands, call, input);
  }

  private async at<Result>(
    { caller, em }: WriteContext,
    project: string | undefined,
    environment: string | undefined,
    write: (place: Awaited<ReturnType<typeof namedPlace>>) => Promise<Result>,
  ): Promise<Result> {
    const place = await namedPlace(em, caller, project ?? '', environment ?? '');
    assertCall(caller, 'write_content', { id: place.project.id, part: 'contents' });
    return write(place);
  }
}

/** Values by names: what they mean shows only once it is their turn. */
function valuesStep(
  name: string,
  { as, if_match: ledgerId, if_none_match: none }: ChangesetOperation,
  places: readonly Place[],
  run: (context: WriteContext, places: readonly string[]) => Promise<unknown>,
): Step {
  return {
    name,
    as: as ?? null,
    refersTo: referencesIn(places),
    expects: null,
    command: async (caller, made) => {
      if (ledgerId !== undefined || none !== undefined) {
        const field = ledgerId === undefined ? 'if_none_match' : 'if_match';
        throw Failure.field(
          'contradiction',
          field,
          'It is about many values. Give it with each of them, or base_revision.',
        );
      }
      const texts = places.map((place) => placed(place, made));
      return { operation: name, caller, run: (context) => run(context, texts) };
    },
    assertMayCall: () => undefined,
    idOf: () => null,
  };
}

async function preparedStep(caller: Caller, step: Step): Promise<PreparedStep> {
  if (step.refersTo.length > 0) return { step, early: null };
  try {
    return { step, early: { command: await step.command(caller, NOTHING_MADE) } };
  } catch (refused) {
    if (refused instanceof Failure && refused.kind !== 'unavailable') return { step, early: { refused } };
    throw refused;
  }
}
