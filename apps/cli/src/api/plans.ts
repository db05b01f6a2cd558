import type { Plan } from '@strata/contract';
import { withoutHidden } from '@strata/domain';
import type { Query } from '@strata/rest-client';
import { type Client, type CodeHints, HINTS_OF_CODES } from '../core/client.ts';
import { CommandError, EXIT } from '../core/errors.ts';
import { single } from '../core/http-request.ts';

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
export function rejectedPlan(codes: readonly string[], hints: CodeHints = {}): CommandError {
  const matching = Object.entries({ ...HINTS_OF_CODES, ...hints }).filter(([code]) => codes.includes(code));
  return new CommandError(EXIT.checkFailed, 'The plan contains operations that Strata would reject.', {
    hint: ['Correct them, and plan again.', ...matching.map(([, hint]) => hint)].join(' '),
  });
}
