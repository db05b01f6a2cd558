import type { Plan } from '@strata/contract';
import { withoutHidden } from '@strata/domain';
import { type Client, type ClientReply, type CodeHints, HINTS_OF_CODES, type SendOptions } from '../core/client.ts';
import { CommandError, EXIT } from '../core/errors.ts';
import { readSingleHeader } from '../core/http-request.ts';
import type { ChangesetWrite } from './changesets.ts';

interface PlanReadOptions {
  /** Whether to plan as if the role of the caller could write. */
  readonly assumeWrite?: boolean | undefined;
}

/** Returns a plan as text, with the codes of the rejected operations. */
export async function readPlanText(client: Client, write: ChangesetWrite, options: PlanReadOptions = {}) {
  const { body: lines, headers } = await sendPlan<string>(client, write, options, { accept: 'text/plain' });
  const text = withoutHidden(lines.trimEnd(), '\n');
  return {
    text,
    hash: readSingleHeader(headers, 'x-plan-hash') ?? '',
    rejectionCodes: readSingleHeader(headers, 'x-plan-rejected')?.split(', ') ?? [],
  };
}

/** Returns a plan without the objects that it depends on, which have no names. */
export async function readPlan(
  client: Client,
  write: ChangesetWrite,
  options: PlanReadOptions = {},
): Promise<Omit<Plan, 'objects'>> {
  const { objects: _, ...plan } = (await sendPlan<Plan>(client, write, options)).body;
  return plan;
}

function sendPlan<T>(
  client: Client,
  { body, reverted }: ChangesetWrite,
  { assumeWrite }: PlanReadOptions,
  options?: SendOptions,
): Promise<ClientReply<T>> {
  if (reverted !== undefined)
    return client.send('changesets_revert_plan_create', { path: { revision: reverted }, body }, options);
  return client.send('changesets_plan_create', { body, query: { assume_write: assumeWrite } }, options);
}

/** Returns the error for a plan with rejected operations, which have these codes. */
export function rejectedPlanError(codes: readonly string[], hints: CodeHints = {}): CommandError {
  const matchingHints = Object.entries({ ...HINTS_OF_CODES, ...hints }).filter(([code]) => codes.includes(code));
  return new CommandError(EXIT.checkFailed, 'The plan contains operations that Strata would reject.', {
    hint: ['Correct them, and plan again.', ...matchingHints.map(([, hint]) => hint)].join(' '),
  });
}
