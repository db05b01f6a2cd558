import { z } from 'zod';
import { LIMITS, linkOut, name, text, timeOut, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { choiceParameter, flagParameter, PageQuery, textParameter, versionsParameter } from './query.ts';
import { Role } from './role.ts';
import { vocabulary } from './vocabulary.ts';

export const INVITATION_STATES = ['pending', 'sent', 'accepted', 'bounced'] as const;
const InvitationState = vocabulary(INVITATION_STATES, {
  name: 'InvitationState',
  description: 'How far an invitation came.',
  meaning: (state) => `It is ${state}.`,
});

/** One @, something on both sides, no blanks: whether it is somebody's address only its owner can prove. */
const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+$/;
const email = name(LIMITS.email)
  .refine((text) => ADDRESS.test(text), { error: 'Enter a valid email address.' })
  .meta({ format: 'email', maxLength: LIMITS.email });

const shape = {
  url: linkOut.meta({ description: 'Its link.' }),
  id: uuidOut.meta({ description: 'Its id.' }),
  email: z
    .string()
    .meta({ format: 'email', maxLength: LIMITS.email })
    .meta({ description: 'Address of the invited person.' }),
  role: Role.meta({ description: 'The role they will have.' }),
  inviter: linkOut.meta({ description: 'Who invited them.' }),
  inviter_name: z.string().meta({ description: 'Name of who invited them.' }),
  state: InvitationState.meta({ description: 'How far it came.' }),
  state_detail: z.string().meta({ description: 'More about it.' }),
  membership: linkOut.nullable().meta({ description: 'The membership it led to.' }),
  organization: linkOut.meta({ description: 'The organization.' }),
};

export const Invitation = z
  .object({
    ...shape,
    token_expires_at: timeOut.nullable().optional().meta({
      description:
        'In a list with `token_expiry`: until when its token is good; null when it has none, since it was used or its role was changed.',
    }),
    modified_at: timeOut.optional().meta({ description: 'In a list with `versions`: when it was last changed.' }),
  })
  .meta({ id: 'Invitation', description: 'A way into the organization for one person.' });
export type Invitation = z.infer<typeof Invitation>;

export const InvitationPage = pageOf(Invitation, 'PaginatedInvitationList');

/** The answer to an invitation, and to sending it again. */
export const InvitationCreated = z
  .object({
    ...shape,
    token: z.string().meta({
      description: 'Hand it to the invited person; it lets them accept. Shown once; only a hash of it is kept.',
    }),
  })
  .meta({
    id: 'InvitationCreateResponse',
    description: 'An invitation with the token that lets the invited person accept.',
  });
export type InvitationCreated = z.infer<typeof InvitationCreated>;

export const InvitationCreate = z
  .object({
    email: email.meta({ description: 'Address of the invited person.' }),
    role: Role.meta({ description: 'The role they will have.' }),
  })
  .meta({ id: 'InvitationCreate' });
export type InvitationCreate = z.infer<typeof InvitationCreate>;

/** PUT. An invitation is for one address; only the role changes, and an address that is sent along is ignored. */
export const InvitationUpdate = z
  .object({ role: Role.meta({ description: 'The role they will have.' }) })
  .meta({ id: 'InvitationUpdate' });
export type InvitationUpdate = z.infer<typeof InvitationUpdate>;

export const InvitationPatch = InvitationUpdate.partial().meta({ id: 'PatchedInvitation' });
export type InvitationPatch = z.infer<typeof InvitationPatch>;

export const PASSWORD_LENGTH_MIN = 12;

/** A signed-in person need not send anything; somebody without an account sends the token and chooses a password. */
export const InvitationAccept = z
  .object({
    token: text({ max: LIMITS.password, blank: 'allowed' })
      .optional()
      .meta({ description: 'The token of the invitation; needed without a credential.' }),
    password: text({ max: LIMITS.password, blank: 'refused' })
      .refine((text) => text.length >= PASSWORD_LENGTH_MIN, {
        error: `Use at least ${PASSWORD_LENGTH_MIN} characters.`,
      })
      .optional()
      .meta({ description: 'The password to have; needed without a credential.' }),
    name: name(LIMITS.serviceAccountName).optional().meta({ description: 'The name to have.' }),
  })
  .meta({ id: 'InvitationAccept' });
export type InvitationAccept = z.infer<typeof InvitationAccept>;

/** What a link with a token leads to. */
export const INVITATION_OFFER_STATES = ['open', 'expired', 'accepted'] as const;
const InvitationOfferState = vocabulary(INVITATION_OFFER_STATES, {
  name: 'InvitationOfferState',
  description: 'Whether a token still lets somebody in.',
  meaning: (state) =>
    ({
      open: 'It can be accepted.',
      expired: 'Its time is over; the organization can send it again.',
      accepted: 'It was accepted already.',
    })[state],
});

export const InvitationOfferRequest = z
  .object({
    token: text({ max: LIMITS.password, blank: 'refused' }).meta({ description: 'The token of the invitation.' }),
  })
  .meta({ id: 'InvitationOfferRequest' });
export type InvitationOfferRequest = z.infer<typeof InvitationOfferRequest>;

/** All that its holder must know before they accept; they may be nobody here yet. */
export const InvitationOffer = z
  .object({
    state: InvitationOfferState.meta({ description: 'Whether it can be accepted.' }),
    organization_name: z.string().meta({ description: 'Name of the organization that invites.' }),
    inviter_name: z.string().meta({ description: 'Name of who invited.' }),
    email: z
      .string()
      .meta({ format: 'email', maxLength: LIMITS.email })
      .meta({ description: 'Address of the invited person.' }),
    role: Role.meta({ description: 'The role they will have.' }),
    has_account: z
      .boolean()
      .meta({ description: 'Whether somebody with this address has an account, and so signs in to accept.' }),
    expires_at: timeOut.nullable().meta({ description: 'Until when it can be accepted; null once it was.' }),
  })
  .meta({ id: 'InvitationOffer', description: 'What an invitation offers, for who holds its token.' });
export type InvitationOffer = z.infer<typeof InvitationOffer>;

export const InvitationListQuery = PageQuery.extend({
  email: textParameter('Only invitations of this address, letter case ignored.'),
  role: choiceParameter(Role, 'Only invitations to this role.'),
  state: choiceParameter(InvitationState, 'Only invitations in this state.'),
  token_expiry: flagParameter('Show until when the token of each is good.').default(false),
  versions: versionsParameter,
});
export type InvitationListQuery = z.infer<typeof InvitationListQuery>;
