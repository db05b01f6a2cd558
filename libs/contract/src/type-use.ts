import { z } from 'zod';
import { LIMITS, textField } from './fields.ts';
import { pageSchema } from './page.ts';
import { PageQuery } from './query.ts';
import { RuleType } from './rule.ts';

export const TypeUse = z
  .object({
    type_id: z.string().meta({ description: 'Id of the type.' }),
    parameter_count: z
      .int()
      .meta({ description: 'Number of parameters with exactly this type, among those that you can access.' }),
  })
  .meta({ id: 'TypeUse', description: 'Usage of a type.' });
export type TypeUse = z.infer<typeof TypeUse>;

export const TypeUsage = z
  .object({ results: z.array(TypeUse).meta({ description: 'The types that have parameters.' }) })
  .meta({ id: 'TypeUsage', description: 'Usage of the types of the organization.' });
export type TypeUsage = z.infer<typeof TypeUsage>;

export const ParameterOfType = z
  .object({
    id: z.string().meta({ description: 'Id of the parameter.' }),
    name: z.string().meta({ description: 'Name of the parameter.' }),
    project_id: z.string().meta({ description: 'Id of the project that owns it.' }),
    project_name: z.string().meta({ description: 'Name of that project.' }),
  })
  .meta({ id: 'ParameterOfType', description: 'A parameter with exactly this type.' });
export type ParameterOfType = z.infer<typeof ParameterOfType>;

export const ParameterOfTypePage = pageSchema(ParameterOfType, 'PaginatedParameterOfTypeList');

export const ParameterOfTypeListQuery = PageQuery.extend({});
export type ParameterOfTypeListQuery = z.infer<typeof ParameterOfTypeListQuery>;

export const TextToValidate = z
  .object({
    text: textField({ max: LIMITS.internalValue, blank: 'allowed' }).meta({
      description: 'The text to validate. It is not stored.',
    }),
  })
  .meta({ id: 'TextToJudge' });
export type TextToValidate = z.infer<typeof TextToValidate>;

export const TextViolation = z
  .object({
    message: z.string().meta({ description: 'The error message, which does not contain the text.' }),
    rule: RuleType.nullable().meta({
      description: 'The kind of the violated rule; null if the text does not match the type.',
    }),
    constraint: z.string().nullable().meta({ description: 'The limit of that rule.' }),
    owner: z.string().nullable().meta({ description: 'The owner of the rule: `type port`, `parameter PORT`.' }),
  })
  .meta({ id: 'TextViolation', description: 'A reason why a text is not valid.' });
export type TextViolation = z.infer<typeof TextViolation>;

export const TextValidationResult = z
  .object({
    fits: z.boolean().meta({ description: 'Whether the text is valid.' }),
    violations: z.array(TextViolation).meta({ description: 'All errors.' }),
  })
  .meta({ id: 'TextVerdict', description: 'The result of validating a text.' });
export type TextValidationResult = z.infer<typeof TextValidationResult>;
