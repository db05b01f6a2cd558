import { parseInstant } from '@strata/domain';
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
    expires_at: timeOutput
      .nullable()
      .meta({ description: 'When a temporary grant ends; null for a grant without an end.' }),
  })
  .meta({ id: 'Grant', description: 'A role of a user or group in one project or environment.' });
export type Grant = z.infer<typeof Grant>;

/** Forms cannot send null, so an empty text means null. */
const endIn = z.preprocess(
  (input) => (input === '' ? null : typeof input === 'string' ? (parseInstant(input) ?? { unreadable: input }) : input),
  z
    .string({ error: 'Enter a valid date and time, such as 2024-05-01T10:00:00Z.' })
    .meta({ format: 'date-time' })
    .nullable(),
);

export const GrantPage = pageSchema(Grant, 'PaginatedGrantList');

const grantShapes = writeShapes(
  { create: 'GrantCreate', update: 'GrantUpdate', patch: 'PatchedGrant' },
  {
    principal: requiredMember(linkIn, 'Id of the user or group.'),
    scope: memberOnCreate(linkIn, 'Id of the project or environment.'),
    role: requiredMember(Role, 'The role that is granted.'),
    expires_at: memberOnCreate(
      endIn.default(null),
      'When the grant ends, within 366 days; null or absent for a grant without an end. A temporary grant needs a restricted scope, is at most ADMIN, and cannot be changed.',
    ),
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
