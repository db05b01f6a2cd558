import { z } from 'zod';
import { identifiedObject, LIMITS, linkOutput, nameField, textField, timeOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { booleanParameter, choiceParameter, PageQuery, textParameter, versionsParameter } from './query.ts';
import { Role } from './role.ts';
import { vocabulary } from './vocabulary.ts';
import { memberOnCreate, optionalMember, requiredMember, writeShapes } from './write-shapes.ts';

const INVITATION_STATES = ['pending', 'sent', 'accepted', 'bounced'] as const;
const InvitationState = vocabulary(INVITATION_STATES, {
  name: 'InvitationState',
  description: 'The state of an invitation.',
  meaning: (state) => `The invitation is ${state}.`,
});

/**
 * Accepts any text with one @, text on both sides of it and no blanks. Only its owner can prove that an address exists.
 */
const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+$/;
const email = nameField(LIMITS.email)
  .refine((text) => ADDRESS.test(text), { error: 'Enter a valid email address.' })
  .meta({ format: 'email', maxLength: LIMITS.email });

const shape = {
  ...identifiedObject,
  email: z
    .string()
    .meta({ format: 'email', maxLength: LIMITS.email })
    .meta({ description: 'E-mail address of the invited person.' }),
  role: Role.meta({ description: 'The role that the invited person will have.' }),
  reveals_secrets: z
    .boolean()
    .meta({ description: 'Whether responses may show secrets in clear to the invited person.' }),
  inviter: linkOutput.meta({ description: 'The user who sent the invitation.' }),
  inviter_name: z.string().meta({ description: 'Name of the user who sent the invitation.' }),
  state: InvitationState.meta({ description: 'The state.' }),
  state_detail: z.string().meta({ description: 'Details of the status.' }),
  membership: linkOutput.nullable().meta({ description: 'The membership that was created from it.' }),
  organization: linkOutput.meta({ description: 'The organization.' }),
};

export const Invitation = z
  .object({
    ...shape,
    token_expires_at: timeOutput.nullable().optional().meta({
      description:
        'Only in a list with `token_expiry`: when its token expires. Null if it has no token, because the token was used or the role was changed.',
    }),
    modified_at: timeOutput
      .optional()
      .meta({ description: 'Only in a list with `versions`: when it was last changed.' }),
  })
  .meta({ id: 'Invitation', description: 'An invitation of one person to the organization.' });
export type Invitation = z.infer<typeof Invitation>;

export const InvitationPage = pageSchema(Invitation, 'PaginatedInvitationList');

/** The response to creating and renewing an invitation. */
export const InvitationCreated = z
  .object({
    ...shape,
    token: z.string().meta({
      description:
        'Send this token to the invited person, who needs it to accept. It is shown once; only its hash is stored.',
    }),
  })
  .meta({
    id: 'InvitationCreateResponse',
    description: 'An invitation with the token that lets the invited person accept.',
  });
export type InvitationCreated = z.infer<typeof InvitationCreated>;

const invitationShapes = writeShapes(
  { create: 'InvitationCreate', update: 'InvitationUpdate', patch: 'PatchedInvitation' },
  {
    email: memberOnCreate(email, 'E-mail address of the invited person.'),
    role: requiredMember(Role, 'The role that the invited person will have.'),
    reveals_secrets: optionalMember(
      z.boolean(),
      'Whether responses may show secrets in clear to the invited person. The default is that of a new membership.',
    ),
  },
);

export const InvitationCreate = invitationShapes.create;
export type InvitationCreate = z.infer<typeof InvitationCreate>;

/** Only the role and the ability to reveal secrets can change, so `email` is ignored. */
export const InvitationUpdate = invitationShapes.update;
export const InvitationPatch = invitationShapes.patch;
export type InvitationPatch = z.infer<typeof InvitationPatch>;

export const PASSWORD_LENGTH_MIN = 12;

/**
 * The body that accepts an invitation. A signed-in user sends an empty body. Anyone else sends the token and chooses a
 * password.
 */
export const InvitationAccept = z
  .object({
    token: textField({ max: LIMITS.password, blank: 'allowed' })
      .optional()
      .meta({ description: 'The token of the invitation. Required without a credential.' }),
    password: textField({ max: LIMITS.password, blank: 'rejected' })
      .refine((text) => text.length >= PASSWORD_LENGTH_MIN, {
        error: `Use at least ${PASSWORD_LENGTH_MIN} characters.`,
      })
      .optional()
      .meta({ description: 'The password of the new account. Required without a credential.' }),
    name: nameField(LIMITS.serviceAccountName).optional().meta({ description: 'The name of the new account.' }),
  })
  .meta({ id: 'InvitationAccept' });
export type InvitationAccept = z.infer<typeof InvitationAccept>;

/** Identifies an invitation by its token. */
export const INVITATION_OFFER_STATES = ['open', 'expired', 'accepted'] as const;
const InvitationOfferState = vocabulary(INVITATION_OFFER_STATES, {
  name: 'InvitationOfferState',
  description: 'The state of an invitation token.',
  meaning: (state) =>
    ({
      open: 'The invitation can be accepted.',
      expired: 'The invitation has expired. The organization can renew it.',
      accepted: 'The invitation has been accepted already.',
    })[state],
});

export const InvitationOfferRequest = z
  .object({
    token: textField({ max: LIMITS.password, blank: 'rejected' }).meta({ description: 'The token of the invitation.' }),
  })
  .meta({ id: 'InvitationOfferRequest' });
export type InvitationOfferRequest = z.infer<typeof InvitationOfferRequest>;

/** The details that the holder of a token needs before accepting. The holder may not have an account yet. */
export const InvitationOffer = z
  .object({
    state: InvitationOfferState.meta({ description: 'Whether it can be accepted.' }),
    organization_name: z.string().meta({ description: 'Name of the organization that invites.' }),
    inviter_name: z.string().meta({ description: 'Name of the user who sent the invitation.' }),
    email: z
      .string()
      .meta({ format: 'email', maxLength: LIMITS.email })
      .meta({ description: 'E-mail address of the invited person.' }),
    role: Role.meta({ description: 'The role that the invited person will have.' }),
    has_account: z
      .boolean()
      .meta({ description: 'Whether a user with this address exists, who must sign in to accept.' }),
    expires_at: timeOutput
      .nullable()
      .meta({ description: 'When the invitation expires; null if it has been accepted.' }),
  })
  .meta({ id: 'InvitationOffer', description: 'The details of an invitation, for the holder of its token.' });
export type InvitationOffer = z.infer<typeof InvitationOffer>;

export const InvitationListQuery = PageQuery.extend({
  email: textParameter('Only invitations of this address, ignoring case.'),
  role: choiceParameter(Role, 'Only invitations with this role.'),
  state: choiceParameter(InvitationState, 'Only invitations in this state.'),
  token_expiry: booleanParameter('Return when the token of each invitation expires.').default(false),
  versions: versionsParameter,
});
export type InvitationListQuery = z.infer<typeof InvitationListQuery>;
