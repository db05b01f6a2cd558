import { z } from 'zod';
import { LIMITS, text } from './fields.ts';
import { pageOf } from './page.ts';
import { PageQuery } from './query.ts';
import { RuleType } from './rule.ts';

export const TypeUse = z
  .object({
    type_id: z.string().meta({ description: 'Id of the type.' }),
    parameter_count: z.int().meta({ description: 'How many parameters are of it itself, of those that you may see.' }),
  })
  .meta({ id: 'TypeUse', description: 'How much a type is used.' });
export type TypeUse = z.infer<typeof TypeUse>;

/** As many as there are types. */
export const TypeUsage = z
  .object({ results: z.array(TypeUse).meta({ description: 'The types that have parameters.' }) })
  .meta({ id: 'TypeUsage', description: 'How much the types of the organization are used.' });
export type TypeUsage = z.infer<typeof TypeUsage>;

export const ParameterOfType = z
  .object({
    id: z.string().meta({ description: 'Id of the parameter.' }),
    name: z.string().meta({ description: 'Its name.' }),
    project_id: z.string().meta({ description: 'Id of the project that owns it.' }),
    project_name: z.string().meta({ description: 'Name of that project.' }),
  })
  .meta({ id: 'ParameterOfType', description: 'A parameter that is of a type itself.' });
export type ParameterOfType = z.infer<typeof ParameterOfType>;

export const ParameterOfTypePage = pageOf(ParameterOfType, 'PaginatedParameterOfTypeList');

export const ParameterOfTypeListQuery = PageQuery.extend({});
export type ParameterOfTypeListQuery = z.infer<typeof ParameterOfTypeListQuery>;

export const TextToJudge = z
  .object({
    text: text({ max: LIMITS.internalValue, blank: 'allowed' }).meta({ description: 'The text; it is kept nowhere.' }),
  })
  .meta({ id: 'TextToJudge' });
export type TextToJudge = z.infer<typeof TextToJudge>;

export const TextViolation = z
  .object({
    message: z.string().meta({ description: 'What is wrong, in words; it does not repeat the text.' }),
    rule: RuleType.nullable().meta({
      description: 'The kind of the rule that refuses it; null when it is no text of the type at all.',
    }),
    constraint: z.string().nullable().meta({ description: 'The limit of that rule.' }),
    owner: z.string().nullable().meta({ description: 'What has that rule: `type port`, `parameter PORT`.' }),
  })
  .meta({ id: 'TextViolation', description: 'A reason why a text cannot be a value.' });
export type TextViolation = z.infer<typeof TextViolation>;

export const TextVerdict = z
  .object({
    fits: z.boolean().meta({ description: 'Whether it could be stored.' }),
    violations: z.array(TextViolation).meta({ description: 'Everything that is wrong with it.' }),
  })
  .meta({ id: 'TextVerdict', description: 'Whether a text could be a value.' });
export type TextVerdict = z.infer<typeof TextVerdict>;
