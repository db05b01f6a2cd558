import { z } from 'zod';
import { timeOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { countParameter, PageQuery } from './query.ts';
import { Role } from './role.ts';
import { vocabulary } from './vocabulary.ts';

/** Reads of service accounts are recorded for this long. */
export const UNUSED_DAYS_MAX = 90;

export const UNUSED_RIGHTS = ['grant', 'grant_write', 'role_write', 'reveal'] as const;
const unusedRight = vocabulary(UNUSED_RIGHTS, {
  name: 'UnusedRight',
  description: 'The right that was not used.',
  meaning: (right) =>
    ({
      grant: 'A grant to service accounts that have neither read nor written in its scope.',
      grant_write: 'The right of a grant to write: no member with the grant has written in its scope.',
      role_write: 'The role CONTRIB of a member who has written nothing.',
      reveal: 'The ability to reveal secrets of a member who has revealed none.',
    })[right],
}).meta({ id: 'UnusedRightEnum' });

export const UnusedAccess = z
  .object({
    id: z.string().meta({ description: 'Identifies the right in this list.' }),
    right: unusedRight.meta({ description: 'The right that was not used.' }),
    object_id: z.string().meta({ format: 'uuid', description: 'Id of the grant or of the membership.' }),
    principal_name: z.string().meta({ description: 'Name of the user, the service account or the group.' }),
    scope_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the project or environment; null for the organization.' }),
    role: Role.meta({ description: 'The present role.' }),
    proposed_role: Role.nullable().meta({
      description: 'The role that suffices; null if the grant can be removed, and for the ability to reveal secrets.',
    }),
    last_used_at: timeOutput.nullable().meta({ description: 'When the right was last used, if that is recorded.' }),
    operation: z.record(z.string(), z.unknown()).meta({
      description: 'The operation of a changeset that makes the proposed change. Plan it before you apply it.',
    }),
  })
  .meta({ id: 'UnusedAccess', description: 'A right that was not used for some time, with a change that removes it.' });
export type UnusedAccess = z.infer<typeof UnusedAccess>;

export const UnusedAccessPage = pageSchema(UnusedAccess, 'PaginatedUnusedAccessList');

export const UnusedAccessQuery = PageQuery.omit({ ordering: true, id__in: true }).extend({
  days: countParameter(1, UNUSED_DAYS_MAX, 'Number of days without use.').default(UNUSED_DAYS_MAX),
});
export type UnusedAccessQuery = z.infer<typeof UnusedAccessQuery>;
