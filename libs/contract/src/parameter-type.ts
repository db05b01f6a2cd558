import { z } from 'zod';
import { freeText, linkIn, linkOut, name, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { nameFilters, PageQuery, pointInTime, textParameter } from './query.ts';
import { ParameterTypeRule } from './rule.ts';

export const ParameterType = z
  .object({
    url: linkOut.meta({ description: 'Its link.' }),
    id: z.string().meta({ description: 'Its id.' }),
    ledger_id: z.string().meta({ description: 'Changes with every modification.' }),
    name: z.string().meta({ description: 'Unique in the organization.' }),
    description: z.string().meta({ description: 'What it is for; may be empty.' }),
    rules: z
      .array(ParameterTypeRule)
      .meta({ description: 'Rules of this type itself; those of the types it refines apply as well.' }),
    parent: linkOut.nullable().meta({ description: 'The type it refines; null for the roots.' }),
    parent_name: z.string().nullable().meta({ description: 'Name of the type it refines.' }),
    created_at: timeOut.meta({ description: 'When it was made.' }),
    modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({
    id: 'ParameterType',
    description: 'A kind of value. Every type refines another one; string, integer, boolean are the roots.',
  });
export type ParameterType = z.infer<typeof ParameterType>;

export const ParameterTypePage = pageOf(ParameterType, 'PaginatedParameterTypeList');

/** Every new type refines another one; the built-in types are the roots. */
export const ParameterTypeCreate = z
  .object({
    name: name().meta({ description: 'Unique in the organization.' }),
    description: freeText().default('').meta({ description: 'What it is for; may be empty.' }),
    parent: linkIn.meta({ description: 'The type to refine.' }),
  })
  .meta({ id: 'ParameterTypeCreate' });
export type ParameterTypeCreate = z.infer<typeof ParameterTypeCreate>;

/** PUT. What is absent keeps its value. */
export const ParameterTypeUpdate = z
  .object({
    name: name().meta({ description: 'Unique in the organization.' }),
    description: freeText().optional().meta({ description: 'What it is for; may be empty.' }),
    parent: linkIn.meta({ description: 'The type to refine.' }),
  })
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
