import { RULE_KINDS } from '@strata/domain';
import { z } from 'zod';
import { linkOut, text, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { choiceParameter, PageQuery, pointInTime } from './query.ts';

export { RULE_KINDS };
export const RuleKind = z.enum(RULE_KINDS).meta({ id: 'ParameterRuleTypeEnum' });
export type RuleKind = z.infer<typeof RuleKind>;

const CONSTRAINT_LENGTH_MAX = 1024;

const rule = { type: RuleKind, constraint: z.string(), created_at: timeOut, modified_at: timeOut.nullable() };
const identity = { url: linkOut, id: z.string(), ledger_id: z.string() };

export const ParameterRule = z.object({ ...identity, parameter: linkOut, ...rule }).meta({ id: 'ParameterRule' });
export type ParameterRule = z.infer<typeof ParameterRule>;

export const ParameterTypeRule = z
  .object({ ...identity, parameter_type: linkOut, ...rule })
  .meta({ id: 'ParameterTypeRule' });
export type ParameterTypeRule = z.infer<typeof ParameterTypeRule>;

export const ParameterRulePage = pageOf(ParameterRule, 'PaginatedParameterRuleList');
export const ParameterTypeRulePage = pageOf(ParameterTypeRule, 'PaginatedParameterTypeRuleList');

/** Text; a bound may come as a JSON number. Blanks around it belong to it: in a pattern they count. */
const constraintIn = z.preprocess(
  (input) => (typeof input === 'number' && Number.isFinite(input) ? String(input) : input),
  text({ max: CONSTRAINT_LENGTH_MAX, blank: 'refused' }),
);

/** One shape for rules of types and of parameters: the path says whose it is. */
export const RuleCreate = z.object({ type: RuleKind, constraint: constraintIn });
export type RuleCreate = z.infer<typeof RuleCreate>;
export const RuleUpdate = z.object({ type: RuleKind, constraint: constraintIn });
export type RuleUpdate = z.infer<typeof RuleUpdate>;
export const RulePatch = RuleUpdate.partial();
export type RulePatch = z.infer<typeof RulePatch>;

export const ParameterRuleCreate = RuleCreate.meta({ id: 'ParameterRuleCreate' });
export const ParameterRuleUpdate = RuleUpdate.meta({ id: 'ParameterRuleUpdate' });
export const ParameterRulePatch = RulePatch.meta({ id: 'PatchedParameterRuleUpdate' });
export const ParameterTypeRuleCreate = RuleCreate.meta({ id: 'ParameterTypeRuleCreate' });
export const ParameterTypeRuleUpdate = RuleUpdate.meta({ id: 'ParameterTypeRuleUpdate' });
export const ParameterTypeRulePatch = RulePatch.meta({ id: 'PatchedParameterTypeRuleUpdate' });

export const RuleQuery = z.object(pointInTime);
export type RuleQuery = z.infer<typeof RuleQuery>;

export const RuleListQuery = PageQuery.extend({
  ...pointInTime,
  type: choiceParameter(RULE_KINDS, 'Only the rule of this kind.'),
});
export type RuleListQuery = z.infer<typeof RuleListQuery>;
