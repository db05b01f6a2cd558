import type { Plan } from '@strata/contract';
import { longAnswer } from '../../platform/http/answer.ts';
import type { Call } from '../../platform/http/request.ts';
import { planText } from './plan-text.ts';

/** JSON, or the same for people where that is asked for. */
export async function answerPlan(call: Call, plan: Plan): Promise<unknown> {
  call.reply.header('x-plan-hash', plan.plan_hash);
  if (!wantsText(call.headers.accept)) return longAnswer(call, plan.base_revision, plan);
  call.reply.header('x-revision', String(plan.base_revision)).type('text/plain; charset=utf-8');
  return planText(plan);
}

const KNOWN = ['text/plain', 'application/json', 'application/*', '*/*'];

/** Whichever is named first; JSON unless told. */
function wantsText(accept = ''): boolean {
  const types = accept.split(',').map((type) => type.replace(/;.*$/s, '').trim().toLowerCase());
  return types.find((type) => KNOWN.includes(type)) === 'text/plain';
}
