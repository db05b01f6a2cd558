import { z } from 'zod';
import { freeTextField, linkIn, linkOutput, nameField, timeOutput, versionedObject } from './fields.ts';
import { pageSchema } from './page.ts';
import { descriptionFilter, nameFilters, PageQuery, pointInTime, textParameter } from './query.ts';
import { ParameterTypeRule } from './rule.ts';
import { memberWithDefault, requiredMember, writeShapes } from './write-shapes.ts';

export const ParameterType = z
  .object({
    ...versionedObject,
    name: z.string().meta({ description: 'Unique in the organization.' }),
    description: z.string().meta({ description: 'Description; may be empty.' }),
    rules: z
      .array(ParameterTypeRule)
      .meta({ description: "The type's own rules. The rules of its parent types apply as well." }),
    parent: linkOutput.nullable().meta({ description: 'The parent type; null for the built-in root types.' }),
    parent_name: z.string().nullable().meta({ description: 'Name of the parent type.' }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({
    id: 'ParameterType',
    description: 'The type of a value. Every type has a parent type; string, integer and boolean are the roots.',
  });
export type ParameterType = z.infer<typeof ParameterType>;

export const ParameterTypePage = pageSchema(ParameterType, 'PaginatedParameterTypeList');

/** Every new type needs a parent, because only built-in types are roots. */
const parameterTypeShapes = writeShapes(
  { create: 'ParameterTypeCreate', update: 'ParameterTypeUpdate', patch: 'PatchedParameterTypeUpdate' },
  {
    name: requiredMember(nameField(), 'Unique in the organization.'),
    description: memberWithDefault(freeTextField(), '', 'Description; may be empty.'),
    parent: requiredMember(linkIn, 'The parent type.'),
  },
);

export const ParameterTypeCreate = parameterTypeShapes.create;
export type ParameterTypeCreate = z.infer<typeof ParameterTypeCreate>;

export const ParameterTypeUpdate = parameterTypeShapes.update;
export const ParameterTypePatch = parameterTypeShapes.patch;
export type ParameterTypePatch = z.infer<typeof ParameterTypePatch>;

export const ParameterTypeQuery = z.object(pointInTime);
export type ParameterTypeQuery = z.infer<typeof ParameterTypeQuery>;

export const ParameterTypeListQuery = PageQuery.extend({
  ...nameFilters,
  ...descriptionFilter,
  ...pointInTime,
  name__iexact: textParameter('This name, ignoring case.'),
  parent__name: textParameter('Exact name of the parent.'),
  parent__name__icontains: textParameter("Part of the parent's name, ignoring case."),
  parent__name__iexact: textParameter('Name of the parent, ignoring case.'),
});
export type ParameterTypeListQuery = z.infer<typeof ParameterTypeListQuery>;
