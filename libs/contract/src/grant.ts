import { z } from 'zod';
import { identifiedObject, linkIn, linkOutput, timeOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { choiceParameter, PageQuery, textParameter } from './query.ts';
import { Role } from './role.ts';
import { memberOnCreate, requiredMember, writeShapes } from './write-shapes.ts';

export const Grant = z
  .object({
    ...identifiedObject,
    principal: linkOutput.meta({ description: 'The user or group.' }),
    scope: linkOutput.meta({ description: 'The project or environment.' }),
    role: Role.meta({ description: 'The role that is granted.' }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Grant', description: 'A role of a user or group in one project or environment.' });
export type Grant = z.infer<typeof Grant>;

export const GrantPage = pageSchema(Grant, 'PaginatedGrantList');

const grantShapes = writeShapes(
  { create: 'GrantCreate', update: 'GrantUpdate', patch: 'PatchedGrant' },
  {
    principal: requiredMember(linkIn, 'Id of the user or group.'),
    scope: memberOnCreate(linkIn, 'Id of the project or environment.'),
    role: requiredMember(Role, 'The role that is granted.'),
  },
);

export const GrantCreate = grantShapes.create;
export type GrantCreate = z.infer<typeof GrantCreate>;

/** The scope of a grant cannot change, so `scope` is ignored. */
export const GrantUpdate = grantShapes.update;
export const GrantPatch = grantShapes.patch;
export type GrantPatch = z.infer<typeof GrantPatch>;

const filters = {
  principal: textParameter('Only grants to this user or group (URL or id).'),
  scope: textParameter('Only grants on this project or environment (URL or id).'),
  role: choiceParameter(Role, 'Only grants with this role.'),
};

export const GrantListQuery = PageQuery.extend(filters);
export type GrantListQuery = z.infer<typeof GrantListQuery>;

/** Selects the grants to remove. At least one filter is required. */
export const GrantMultiQuery = z.object(filters);
export type GrantMultiQuery = z.infer<typeof GrantMultiQuery>;
