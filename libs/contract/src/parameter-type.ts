import { z } from 'zod';
import { linkOut, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { nameFilters, PageQuery, textParameter } from './query.ts';

export const RULE_KINDS = ['max', 'min', 'max_len', 'min_len', 'regex'] as const;
export const RuleKind = z.enum(RULE_KINDS).meta({ id: 'ParameterRuleTypeEnum' });
export type RuleKind = z.infer<typeof RuleKind>;

export const ParameterRule = z
  .object({
    url: linkOut,
    id: z.string(),
    ledger_id: z.string(),
    parameter: linkOut,
    type: RuleKind,
    constraint: z.string(),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
  })
  .meta({ id: 'ParameterRule' });
export type ParameterRule = z.infer<typeof ParameterRule>;

export const ParameterTypeRule = z
  .object({
    url: linkOut,
    id: z.string(),
    ledger_id: z.string(),
    parameter_type: linkOut,
    type: RuleKind,
    constraint: z.string(),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
  })
  .meta({ id: 'ParameterTypeRule' });
export type ParameterTypeRule = z.infer<typeof ParameterTypeRule>;

export const ParameterType = z
  .object({
    url: linkOut,
    id: z.string(),
    ledger_id: z.string(),
    name: z.string(),
    description: z.string(),
    rules: z.array(ParameterTypeRule),
    parent: linkOut.nullable(),
    parent_name: z.string().nullable(),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
  })
  .meta({ id: 'ParameterType' });
export type ParameterType = z.infer<typeof ParameterType>;

export const ParameterTypePage = pageOf(ParameterType, 'PaginatedParameterTypeList');

export const ParameterTypeListQuery = PageQuery.extend({
  ...nameFilters,
  name__iexact: textParameter('This name, letter case ignored.'),
});
export type ParameterTypeListQuery = z.infer<typeof ParameterTypeListQuery>;
