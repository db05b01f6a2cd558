import type { Plan } from '@strata/contract';
import { planText } from '@strata/domain';
import { preferredType } from '../../platform/http/preferred-type.ts';
import type { Call } from '../../platform/http/request.ts';
import { sendLongJson } from '../../platform/http/send-json.ts';

/** The codes of the rejected operations, each once. A client need not find them in the text. */
function rejectionCodes({ refusals }: Plan): readonly string[] {
  return [...new Set(refusals.map(({ code }) => code))].sort();
}

/** Sends the plan as JSON, or as plain text if the client prefers it. */
export async function sendPlan(call: Call, plan: Plan): Promise<unknown> {
  call.reply.header('x-plan-hash', plan.plan_hash);
  const rejections = rejectionCodes(plan);
  if (rejections.length > 0) call.reply.header('x-plan-rejected', rejections.join(', '));
  const type = preferredType(call.headers.accept, ['application/json', 'text/plain']);
  if (type === 'application/json') return sendLongJson(call, plan.base_revision, plan);
  call.reply.header('x-revision', String(plan.base_revision)).type('text/plain; charset=utf-8');
  return planText(plan);
}
