import { z } from 'zod';
import { CHANGESET_LIMITS } from './changeset-limits.ts';
import { flagField, identifiedObject, linkIn, linkOutput, textField, timeOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { choiceParameter, PageQuery, textParameter } from './query.ts';
import { Role } from './role.ts';
import { vocabulary } from './vocabulary.ts';

const DAY_MINUTES = 1_440;

export const TEMPORARY_ACCESS_LIMITS = {
  /** The longest duration that a member can request. */
  requestMinutes: 30 * DAY_MINUTES,
  /** The longest duration of a request that its requester approves. */
  breakGlassMinutes: 240,
  /** The latest end of a grant. */
  grantDays: 366,
  pendingPerMember: 20,
  /** Requests are deleted this long after their last change, or after the end of their access. */
  retentionDays: 90,
  perOrganization: 1_000,
} as const;

export const ACCESS_REQUEST_STATES = ['pending', 'approved', 'declined', 'revoked'] as const;
const AccessRequestState = vocabulary(ACCESS_REQUEST_STATES, {
  name: 'AccessRequestState',
  description: 'Whether a request for access has been decided.',
  meaning: (state) =>
    ({
      pending: 'It waits for a decision.',
      approved: 'The requester has the access until `expires_at`.',
      declined: 'The requester does not get the access.',
      revoked: 'The access was ended early.',
    })[state],
}).meta({ id: 'AccessRequestStateEnum' });

const duration = z
  .int()
  .min(1)
  .max(TEMPORARY_ACCESS_LIMITS.requestMinutes)
  .meta({
    description: `How long the access is valid after its approval, in minutes. At most 30 days; at most ${TEMPORARY_ACCESS_LIMITS.breakGlassMinutes} minutes for a break-glass read.`,
  });

export const AccessRequest = z
  .object({
    ...identifiedObject,
    requester: linkOutput.meta({ description: 'The user who requests the access.' }),
    scope: linkOutput
      .nullable()
      .meta({ description: 'The project or environment; null for the ability to reveal secrets.' }),
    role: Role.nullable().meta({ description: 'The requested role; null for the ability to reveal secrets.' }),
    reveal: z.boolean().meta({ description: 'Whether it requests the ability to reveal secrets.' }),
    duration_minutes: duration,
    message: z.string().meta({ description: 'Why the requester needs the access.' }),
    state: AccessRequestState.meta({ description: 'Whether it has been decided.' }),
    is_break_glass: z.boolean().meta({ description: 'Whether the requester approved it.' }),
    decided_by: linkOutput.nullable().meta({ description: 'The user who decided; null while it is pending.' }),
    decided_at: timeOutput.nullable().meta({ description: 'When it was decided; null while it is pending.' }),
    decision_message: z.string().meta({ description: 'The message of the decision; may be empty.' }),
    expires_at: timeOutput.nullable().meta({ description: 'When the access ends or ended; null without approval.' }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'AccessRequest', description: 'A request of a member for access that ends at a time.' });
export type AccessRequest = z.infer<typeof AccessRequest>;

export const AccessRequestPage = pageSchema(AccessRequest, 'PaginatedAccessRequestList');

const message = textField({ max: CHANGESET_LIMITS.message, blank: 'rejected' });

export const AccessRequestCreate = z
  .object({
    scope: linkIn.optional().meta({ description: 'The restricted project or environment.' }),
    role: Role.optional().meta({ description: 'The role: VIEWER, CONTRIB or ADMIN.' }),
    reveal: flagField.default(false).meta({
      description:
        'Set it instead of `scope` and `role` to request the ability to reveal secrets. For an ADMIN or OWNER, the request is approved at once (break-glass read).',
    }),
    duration_minutes: duration,
    message: message.meta({ description: 'Why you need the access. It is shown in the history.' }),
  })
  .meta({ id: 'AccessRequestCreate' });
export type AccessRequestCreate = z.infer<typeof AccessRequestCreate>;

export const AccessRequestDecision = z
  .object({
    message: textField({ max: CHANGESET_LIMITS.message, blank: 'allowed' })
      .default('')
      .meta({ description: 'The reason for the decision. It is shown in the history.' }),
  })
  .meta({ id: 'AccessRequestDecision' });
export type AccessRequestDecision = z.infer<typeof AccessRequestDecision>;

export const AccessRequestListQuery = PageQuery.omit({ ordering: true }).extend({
  requester: textParameter('Only requests of this user (URL or id).'),
  state: choiceParameter(AccessRequestState, 'Only requests in this state.'),
});
export type AccessRequestListQuery = z.infer<typeof AccessRequestListQuery>;
