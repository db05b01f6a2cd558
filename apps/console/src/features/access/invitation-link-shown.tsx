import type { InvitationLink } from '../../data/people.ts';
import { OneTimeSecret } from '../../ui/one-time-secret.tsx';
import { UserText } from '../../ui/user-text.tsx';

/** The lifetime of an invitation link in days. The core defines it. */
const GOOD_FOR_DAYS = 7;

interface InvitationLinkShownProps {
  readonly link: InvitationLink;
  onDone(): void;
}

export function InvitationLinkShown({ link: { email, link }, onDone }: InvitationLinkShownProps) {
  return (
    <OneTimeSecret secret={link} copyLabel="Copy link" onDone={onDone}>
      <p>
        Anyone who opens it joins as{' '}
        <b>
          <UserText>{email}</UserText>
        </b>
        . It is valid for {GOOD_FOR_DAYS} days and works once. Share it only with that person.
      </p>
    </OneTimeSecret>
  );
}
