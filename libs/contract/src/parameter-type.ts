import { z } from 'zod';
import { freeText, linkIn, linkOut, name, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { nameFilters, PageQuery, pointInTime, textParameter } from './query.ts';
import { ParameterTypeRule } from './rule.ts';

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

/** Every new type refines another one; the built-in types are the roots. */
export const ParameterTypeCreate = z
  .object({ name: name(), description: freeText().default(''), parent: linkIn })
  .meta({ id: 'ParameterTypeCreate' });
export type ParameterTypeCreate = z.infer<typeof ParameterTypeCreate>;

/** PUT. What is absent keeps its value. */
export const ParameterTypeUpdate = z
  .object({ name: name(), description: freeText().optional(), parent: linkIn })
  .meta({ id: 'ParameterTypeUpdate' });
export type ParameterTypeUpdate = z.infer<typeof ParameterTypeUpdate>;

export const ParameterTypePatch = ParameterTypeUpdate.partial().meta({ id: 'PatchedParameterTypeUpdate' });
export type ParameterTypePatch = z.infer<typeof ParameterTypePatch>;

export const ParameterTypeQuery = z.object(pointInTime);
export type ParameterTypeQuery = z.infer<typeof ParameterTypeQuery>;

export const ParameterTypeListQuery = PageQuery.extend({
  ...nameFilters,
  ...pointInTime,
  name__iexact: textParameter('This name, letter case ignored.'),
  parent__name: textParameter('Exactly this name of the parent.'),
  parent__name__icontains: textParameter("Part of the parent's name, letter case ignored."),
  parent__name__iexact: textParameter('This name of the parent, letter case ignored.'),
});
export type ParameterTypeListQuery = z.infer<typeof ParameterTypeListQuery>;
