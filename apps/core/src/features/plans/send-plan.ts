import type { Plan } from '@strata/contract';
import { preferredType } from '../../platform/http/preferred-type.ts';
import type { Call } from '../../platform/http/request.ts';
import { sendLongJson } from '../../platform/http/send-json.ts';
import { planText } from './plan-text.ts';

/** Sends the plan as JSON, or as plain text if the client prefers it. */
export async function sendPlan(call: Call, plan: Plan): Promise<unknown> {
  call.reply.header('x-plan-hash', plan.plan_hash);
  const type = preferredType(call.headers.accept, ['application/json', 'text/plain']);
  if (type === 'application/json') return sendLongJson(call, plan.base_revision, plan);
  call.reply.header('x-revision', String(plan.base_revision)).type('text/plain; charset=utf-8');
  return planText(plan);
}
