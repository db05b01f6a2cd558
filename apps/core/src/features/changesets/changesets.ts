import { Injectable } from '@nestjs/common';
import type { ChangesetOperation, ChangesetRequest, Place } from '@strata/contract';
import { Failure } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { OperationCommands } from '../../platform/http/operation-commands.ts';
import type { Call } from '../../platform/http/request.ts';
import type { Command, WriteContext } from '../../platform/ledger/command.ts';
import { ChangesetRun, type DoneStep, type EarlyCommand } from './changeset-run.ts';
import { namedPlace } from './named-state.ts';
import { NamedValues } from './named-values.ts';
import { type Made, placed, referencesIn } from './references.ts';
import { assertCall, operationStep, type Step } from './steps.ts';

/** What a changeset leaves behind for its answer. */
export interface DoneChangeset {
  readonly isChanged: boolean;
  readonly steps: readonly (DoneStep & Pick<Step, 'name' | 'as'>)[];
}

const NOTHING_MADE: Made = new Map();

/** Many operations as one command: one revision, all or nothing. */
@Injectable()
export class Changesets {
  constructor(
    private readonly commands: OperationCommands,
    private readonly values: NamedValues,
  ) {}

  /** What can be done before anybody has to wait is done here: whatever refers to nothing that is yet to be made. */
  async command(call: Call, input: ChangesetRequest): Promise<Command<DoneChangeset>> {
    const { caller } = call;
    let current: ChangesetRun | null = null;
    const steps = input.operations.map((operation) => {
      const step: Step = this.stepOf(call, operation, async () => current?.assertLedgerId(step));
      return step;
    });
    const early: EarlyCommand[] = [];
    for (const step of steps) early.push(await earlyCommand(step));
    return {
      operation: 'changesets_create',
      caller,
      isLong: true,
      note: { message: input.message, externalRef: input.external_ref },
      run: async (context) => {
        current = new ChangesetRun(caller, context, input.base_revision);
        const { isChanged, steps: done } = await current.all(steps, early);
        return {
          isChanged,
          steps: done.map((each, index) => ({ ...each, name: steps[index]?.name ?? '', as: steps[index]?.as ?? null })),
        };
      },
    };
  }

  private stepOf(call: Call, input: ChangesetOperation, precondition: () => Promise<void>): Step {
    const { caller } = call;
    if (input.set) {
      const { set } = input;
      return valuesStep('set', caller, input, [set.project, set.environment], (context, [project, environment]) =>
        this.at(context, caller, project, environment, (place) => this.values.set(context, caller, place, set)),
      );
    }
    if (input.unset) {
      const { unset } = input;
      return valuesStep('unset', caller, input, [unset.project, unset.environment], (context, [project, environment]) =>
        this.at(context, caller, project, environment, (place) =>
          this.values.unset(context, caller, place, unset.names),
        ),
      );
    }
    if (input.promote) {
      const { project, from, to, names = null } = input.promote;
      return valuesStep('promote', caller, input, [project, to, from], (context, [inProject, target, source]) =>
        this.at(context, caller, inProject, target, (place) =>
          this.values.promote(context, caller, place, source ?? '', names),
        ),
      );
    }
    return operationStep(this.commands, call, input, precondition);
  }

  private async at<Result>(
    { em }: WriteContext,
    caller: Caller,
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
  caller: Caller,
  { as, if_match: ledgerId, if_none_match: none }: ChangesetOperation,
  places: readonly Place[],
  run: (context: WriteContext, places: readonly string[]) => Promise<unknown>,
): Step {
  return {
    name,
    as: as ?? null,
    refersTo: referencesIn(places),
    expects: null,
    command: async (made) => {
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

async function earlyCommand(step: Step): Promise<EarlyCommand> {
  if (step.refersTo.length > 0) return null;
  try {
    return { command: await step.command(NOTHING_MADE) };
  } catch (refused) {
    if (refused instanceof Failure && refused.kind !== 'unavailable') return { refused };
    throw refused;
  }
}
