import type { Plan } from '@strata/contract';
import { withoutHidden } from '@strata/domain';
import type { Query } from '@strata/rest-client';
import { type Client, HINTS_OF_CODES } from '../core/client.ts';
import { CommandError, EXIT } from '../core/errors.ts';
import { single } from '../core/http-request.ts';
import { note } from '../core/output.ts';
import { confirm } from '../core/prompt.ts';
import { type StoredChangeset, storeChangeset } from './changesets.ts';

interface ApplyOptions {
  /** The hash of a plan. */
  readonly plan?: string;
  readonly yes?: boolean;
  /** How to apply without a terminal. */
  readonly hint?: string;
}

/** Applies with a plan hash, at once with --yes, and otherwise after a confirmation. */
export async function applyPlanned(
  client: Client,
  path: string,
  body: object,
  { plan: hash, yes = false, hint }: ApplyOptions,
): Promise<StoredChangeset> {
  if (hash !== undefined) return storeChangeset(client, path, { ...body, plan_hash: hash });
  if (yes) return storeChangeset(client, path, body);
  const planned = await readPlanText(client, path, body);
  note(planned.text);
  if (planned.rejectionCodes.length > 0) throw rejectedPlan(planned.rejectionCodes);
  if (await confirm('Apply these changes?', hint))
    return storeChangeset(client, path, { ...body, plan_hash: planned.hash });
  throw new CommandError(EXIT.failed, 'Nothing was changed.');
}

/** Returns a plan as text, with the codes of the rejected operations. */
export async function readPlanText(client: Client, path: string, body: object, query: Query = {}) {
  const sent = { body, accept: 'text/plain', query };
  const { body: lines, headers } = await client.send<string>('POST', `${path}plan/`, sent);
  const text = withoutHidden(lines.trimEnd(), '\n');
  return {
    text,
    hash: single(headers, 'x-plan-hash') ?? '',
    rejectionCodes: single(headers, 'x-plan-rejected')?.split(', ') ?? [],
  };
}

/** Returns a plan without the objects that it depends on, which have no names. */
export async function readPlan(
  client: Client,
  path: string,
  body: object,
  query: Query = {},
): Promise<Omit<Plan, 'objects'>> {
  const { objects: _, ...plan } = await client.post<Plan>(`${path}plan/`, body, { query });
  return plan;
}

/** Returns the error for a plan with rejected operations, which have these codes. */
export function rejectedPlan(codes: readonly string[], hints = HINTS_OF_CODES): CommandError {
  const matching = Object.entries(hints).filter(([code]) => codes.includes(code));
  return new CommandError(EXIT.checkFailed, 'The plan contains operations that Strata would reject.', {
    hint: ['Correct them, and plan again.', ...matching.map(([, hint]) => hint)].join(' '),
  });
}
