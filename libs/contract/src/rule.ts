import { RULE_KINDS } from '@strata/domain';
import { z } from 'zod';
import { linkOutput, textField, timeOutput, versionedObject } from './fields.ts';
import { pageSchema } from './page.ts';
import { choiceParameter, PageQuery, pointInTime } from './query.ts';
import { vocabulary } from './vocabulary.ts';
import { requiredMember, writeShapes } from './write-shapes.ts';

export { RULE_KINDS };
export const RuleType = vocabulary(RULE_KINDS, {
  name: 'RuleKind',
  description: 'The constraint of a rule.',
  meaning: (kind) =>
    ({
      max: 'Maximum integer.',
      min: 'Minimum integer.',
      max_len: 'Maximum number of characters.',
      min_len: 'Minimum number of characters.',
      regex: 'Regular expression that the text must match from its start.',
    })[kind],
}).meta({ id: 'ParameterRuleTypeEnum' });
export type RuleType = z.infer<typeof RuleType>;

const CONSTRAINT_LENGTH_MAX = 1024;

const rule = {
  type: RuleType.meta({ description: 'The kind of constraint.' }),
  constraint: z.string().meta({ description: 'The limit, as text.' }),
  created_at: timeOutput.meta({ description: 'When it was created.' }),
  modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
};
const identity = {
  ...versionedObject,
};

export const ParameterRule = z
  .object({ ...identity, parameter: linkOutput.meta({ description: 'The parameter.' }), ...rule })
  .meta({ id: 'ParameterRule', description: 'A constraint on the values of one parameter.' });
export type ParameterRule = z.infer<typeof ParameterRule>;

export const ParameterTypeRule = z
  .object({ ...identity, parameter_type: linkOutput.meta({ description: 'The type.' }), ...rule })
  .meta({ id: 'ParameterTypeRule', description: 'A constraint on the values of all parameters of a type.' });
export type ParameterTypeRule = z.infer<typeof ParameterTypeRule>;

export const ParameterRulePage = pageSchema(ParameterRule, 'PaginatedParameterRuleList');
export const ParameterTypeRulePage = pageSchema(ParameterTypeRule, 'PaginatedParameterTypeRuleList');

/** A text, or a JSON number for a bound. It is not trimmed, because blanks are significant in a pattern. */
const constraintIn = z.preprocess(
  (input) => (typeof input === 'number' && Number.isFinite(input) ? String(input) : input),
  textField({ max: CONSTRAINT_LENGTH_MAX, blank: 'rejected' }),
);

/** The input of rules of types and of rules of parameters. The path identifies the owner. */
const ruleMembers = {
  type: requiredMember(RuleType, 'The kind of constraint.'),
  constraint: requiredMember(constraintIn, 'The limit, as text.'),
};

const parameterRuleShapes = writeShapes(
  { create: 'ParameterRuleCreate', update: 'ParameterRuleUpdate', patch: 'PatchedParameterRuleUpdate' },
  ruleMembers,
);
export const ParameterRuleCreate = parameterRuleShapes.create;
export const ParameterRuleUpdate = parameterRuleShapes.update;
export const ParameterRulePatch = parameterRuleShapes.patch;

const typeRuleShapes = writeShapes(
  { create: 'ParameterTypeRuleCreate', update: 'ParameterTypeRuleUpdate', patch: 'PatchedParameterTypeRuleUpdate' },
  ruleMembers,
);
export const ParameterTypeRuleCreate = typeRuleShapes.create;
export const ParameterTypeRuleUpdate = typeRuleShapes.update;
export const ParameterTypeRulePatch = typeRuleShapes.patch;

export type RuleCreate = z.infer<typeof ParameterRuleCreate>;
export type RulePatch = z.infer<typeof ParameterRulePatch>;

export const RuleQuery = z.object(pointInTime);
export type RuleQuery = z.infer<typeof RuleQuery>;

export const RuleListQuery = PageQuery.extend({
  ...pointInTime,
  type: choiceParameter(RuleType, 'Only rules of this kind.'),
});
export type RuleListQuery = z.infer<typeof RuleListQuery>;
