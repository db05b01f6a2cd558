import { z } from 'zod';
import { linkIn, linkOut, timeOut, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { choiceParameter, PageQuery, textParameter } from './query.ts';
import { Role } from './role.ts';

export const Grant = z
  .object({
    url: linkOut.meta({ description: 'Its link.' }),
    id: uuidOut.meta({ description: 'Its id.' }),
    principal: linkOut.meta({ description: 'The user or group.' }),
    scope: linkOut.meta({ description: 'The project or environment.' }),
    role: Role.meta({ description: 'What they may do there.' }),
    created_at: timeOut.meta({ description: 'When it was made.' }),
    modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Grant', description: 'What a user or group may do in one project or environment.' });
export type Grant = z.infer<typeof Grant>;

export const GrantPage = pageOf(Grant, 'PaginatedGrantList');

export const GrantCreate = z
  .object({
    principal: linkIn.meta({ description: 'Id of the user or group.' }),
    scope: linkIn.meta({ description: 'Id of the project or environment.' }),
    role: Role.meta({ description: 'What they may do there.' }),
  })
  .meta({ id: 'GrantCreate' });
export type GrantCreate = z.infer<typeof GrantCreate>;

/** PUT. A grant never moves to another scope: a scope that is sent along is ignored. */
export const GrantUpdate = z
  .object({
    principal: linkIn.meta({ description: 'Id of the user or group.' }),
    role: Role.meta({ description: 'What they may do there.' }),
  })
  .meta({ id: 'GrantUpdate' });
export type GrantUpdate = z.infer<typeof GrantUpdate>;

export const GrantPatch = GrantUpdate.partial().meta({ id: 'PatchedGrant' });
export type GrantPatch = z.infer<typeof GrantPatch>;

const filters = {
  principal: textParameter('Only grants to this user or group (link or id).'),
  scope: textParameter('Only grants on this project or environment (link or id).'),
  role: choiceParameter(Role, 'Only grants of this role.'),
};

export const GrantListQuery = PageQuery.extend(filters);
export type GrantListQuery = z.infer<typeof GrantListQuery>;

/** Which grants to remove at once; at least one filter must be given. */
export const GrantMultiQuery = z.object(filters);
export type GrantMultiQuery = z.infer<typeof GrantMultiQuery>;
