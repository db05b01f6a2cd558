import { useQuery } from '@tanstack/react-query';
import {
  type InvitationDetails,
  type InvitationLinkParts,
  joinAsNew,
  joinAsSignedIn,
  joinWithAccount,
} from '../../data/invitation.ts';
import { signedInAddressQuery } from '../../data/session.ts';
import card from '../../ui/card-page.module.css';
import { Field, Form, trimmedField } from '../../ui/form.tsx';
import { UserText } from '../../ui/user-text.tsx';

/** The minimum length of a password. The core defines it. */
const LENGTH_MIN = 12;

interface JoinFormProps {
  readonly link: InvitationLinkParts;
  readonly offer: InvitationDetails;
}

/** Accepts the invitation with a new account, an existing account or the current session. */
export function JoinForm({ link, offer: { email, hasAccount, organizationName } }: JoinFormProps) {
  const signedInSession = useSignedInHere();
  if (signedInSession === undefined) return null;
  const isHere = signedInSession?.toLowerCase() === email.toLowerCase();
  const join = async (form: FormData) => {
    const password = String(form.get('password') ?? '');
    if (isHere) return joinAsSignedIn(link);
    if (hasAccount) return joinWithAccount(link, email, password);
    return joinAsNew(link, { email, name: trimmedField(form, 'name'), password });
  };
  return (
    <Form verb={`Join ${organizationName}`} busyVerb="Joining …" submit={join}>
      {!isHere && signedInSession !== null && (
        <p className={card.about}>
          In this browser <UserText>{signedInSession}</UserText> is signed in. Joining signs you in as{' '}
          <UserText>{email}</UserText> instead.
        </p>
      )}
      {isHere && <p className={card.about}>You are signed in with this address.</p>}
      {!isHere && (
        // A read-only field with the e-mail address lets password managers store the account.
        <input
          className="heard"
          name="username"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
      )}
      {!isHere && !hasAccount && (
        <Field name="name" label="Your name">
          {(attributes) => <input {...attributes} required maxLength={128} autoComplete="name" />}
        </Field>
      )}
      {!isHere && (
        <Field
          name="password"
          label={hasAccount ? 'Your password' : 'Choose a password'}
          hint={
            hasAccount
              ? 'You have an account with this address. Enter its password.'
              : `At least ${LENGTH_MIN} characters.`
          }
        >
          {(attributes) => (
            <input
              {...attributes}
              type="password"
              required
              {...(hasAccount
                ? { autoComplete: 'current-password' }
                : { autoComplete: 'new-password', minLength: LENGTH_MIN })}
            />
          )}
        </Field>
      )}
    </Form>
  );
}

/** Returns the e-mail address of the signed-in user: null without a session, undefined until it is loaded. */
function useSignedInHere(): string | null | undefined {
  const { data, isError } = useQuery(signedInAddressQuery);
  return isError ? null : data;
}
