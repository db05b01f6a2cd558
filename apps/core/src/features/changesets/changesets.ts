import { Injectable } from '@nestjs/common';
import type { ChangesetOperation, ChangesetRequest, NameOrReference } from '@strata/contract';
import { Failure, jsonPointer } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { OperationCommands } from '../../platform/http/operation-commands.ts';
import type { Call } from '../../platform/http/request.ts';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { DynamicTexts } from './dynamic-texts.ts';
import { namedLocation } from './named-state.ts';
import { NamedValues } from './named-values.ts';
import type { PreparedSteps } from './prepared-steps.ts';
import { type CreatedIds, listReferences, resolveReference } from './references.ts';
import { assertCall, operationStep, type PreparedStep, type Step } from './steps.ts';
import { ASSUMED_EXECUTION_MS_MAX, EXECUTION_MS_MAX } from './time-limits.ts';

const NOTHING_CREATED: CreatedIds = new Map();

/** Turns the operations of a request into steps. */
@Injectable()
export class Changesets {
  constructor(
    private readonly commands: OperationCommands,
    private readonly values: NamedValues,
    private readonly dynamic: DynamicTexts,
  ) {}

  /**
   * Prepares the operations of a changeset before the write, except those that refer to earlier ones. Other writers do
   * not have to wait for this work.
   */
  async prepare(call: Call, input: ChangesetRequest): Promise<PreparedSteps> {
    const { plan_hash: hash, plan } = input;
    return { ...(await this.prepared(call, input)), expectedPlan: hash === null ? null : { hash, plan } };
  }

  /** `assumesWrite` plans as if the caller could write what they may read. */
  async preparePlan(call: Call, input: ChangesetRequest, assumesWrite: boolean): Promise<PreparedSteps> {
    if (!assumesWrite) return this.prepared(call, input);
    assertValuesOnly(input);
    return { ...(await this.prepared(call, input)), assumesWrite, executionMsMax: ASSUMED_EXECUTION_MS_MAX };
  }

  private async prepared(call: Call, input: ChangesetRequest): Promise<PreparedSteps> {
    const steps: PreparedStep[] = [];
    for (const operation of input.operations)
      steps.push(await preparedStep(call.caller, this.createStep(call, operation)));
    return {
      operation: 'changesets_create',
      caller: call.caller,
      note: { message: input.message, externalRef: input.external_ref },
      isForced: input.force,
      locateChange: ({ operations }) => jsonPointer(['operations', operations?.[0] ?? 0]),
      baseRevision: input.base_revision,
      request: input.operations,
      executionMsMax: EXECUTION_MS_MAX,
      advice: 'Split the changeset into smaller ones.',
      expectedPlan: null,
      steps: () => steps,
    };
  }

  private createStep(call: Call, input: ChangesetOperation): Step {
    if (input.set) {
      const { set } = input;
      return valuesStep('set', input, [set.project, set.environment], async ({ organizationId }) => {
        const mentions = await this.dynamic.mentionsIn(organizationId, set.values);
        return (context, [project, environment]) =>
          this.at(context, project, environment, (location) => this.values.set(context, location, set, mentions));
      });
    }
    if (input.unset) {
      const { unset } = input;
      return valuesStep(
        'unset',
        input,
        [unset.project, unset.environment],
        () =>
          (context, [project, environment]) =>
            this.at(context, project, environment, (location) => this.values.unset(context, location, unset.names)),
      );
    }
    if (input.promote) {
      const { project, from, to, names = null } = input.promote;
      return valuesStep(
        'promote',
        input,
        [project, to, from],
        () =>
          (context, [inProject, target, source]) =>
            this.at(
              context,
              inProject,
              target,
              (location) => this.values.promote(context, location, source ?? '', names),
              '/to',
            ),
      );
    }
    return operationStep(this.commands, call, input);
  }

  private async at<Result>(
    { caller, em }: WriteContext,
    project: string | undefined,
    environment: string | undefined,
    write: (location: Awaited<ReturnType<typeof namedLocation>>) => Promise<Result>,
    environmentPointer?: string,
  ): Promise<Result> {
    const location = await namedLocation(em, caller, project ?? '', environment ?? '', environmentPointer);
    assertCall(caller, 'write_content', { id: location.project.id, part: 'contents' });
    return write(location);
  }
}

/** Other operations can change permissions, which a plan with assumed permissions must not do. */
function assertValuesOnly({ operations }: ChangesetRequest): void {
  if (operations.every(({ operation }) => operation === undefined)) return;
  const advice = 'Remove the other operations, or plan without it.';
  throw Failure.field('contradiction', 'assume_write', `It plans only set, unset and promote. ${advice}`);
}

type RunValuesStep = (context: WriteContext, names: readonly string[]) => Promise<unknown>;

/**
 * Returns a step that writes values by the names of their parameters. The step looks up the names when it runs.
 * `prepare` does the work that does not need the lock of the write.
 */
function valuesStep(
  name: 'set' | 'unset' | 'promote',
  operation: ChangesetOperation,
  namesOrReferences: readonly NameOrReference[],
  prepare: (caller: Caller) => RunValuesStep | Promise<RunValuesStep>,
): Step {
  const { as, if_match: ledgerId, if_none_match: none } = operation;
  return {
    name,
    input: name,
    request: { template: '', path: {}, query: {}, body: operation[name] },
    as: as ?? null,
    refersTo: listReferences(namesOrReferences),
    expects: null,
    command: async (caller, createdIds) => {
      if (ledgerId !== undefined || none !== undefined) {
        const field = ledgerId === undefined ? 'if_none_match' : 'if_match';
        throw Failure.field(
          'contradiction',
          field,
          'The operation changes several values. Set the version of each value, or base_revision.',
        );
      }
      const texts = namesOrReferences.map((nameOrReference) => resolveReference(nameOrReference, createdIds));
      const run = await prepare(caller);
      return { operation: name, caller, run: (context) => run(context, texts) };
    },
    assertMayCall: () => undefined,
    resolveId: () => null,
  };
}

async function preparedStep(caller: Caller, step: Step): Promise<PreparedStep> {
  if (step.refersTo.length > 0) return { step, prepared: null };
  try {
    return { step, prepared: { command: await step.command(caller, NOTHING_CREATED) } };
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'unavailable') return { step, prepared: { failure: error } };
    throw error;
  }
}
