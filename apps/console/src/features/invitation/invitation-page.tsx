import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type InvitationDetails, type InvitationLinkParts, readInvitation } from '../../data/invitation.ts';
import { roleWord } from '../../lib/role-word.ts';
import button from '../../ui/button.module.css';
import { CardMessage } from '../../ui/card-message.tsx';
import card from '../../ui/card-page.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { JoinForm } from './join-form.tsx';

const route = getRouteApi('/invitations/$id');

type Found =
  | { readonly kind: 'reading' }
  | { readonly kind: 'error'; readonly error: Error }
  | { readonly kind: 'offer'; readonly offer: InvitationDetails | null };

/** Shows an invitation, which the user can accept. Only this component holds the token. */
export function InvitationPage() {
  const { id } = route.useParams();
  const token = useTokenOfAddress();
  const [link] = useState<InvitationLinkParts>({ id, token });
  const [offer, read] = useOffer(link);
  useEffect(() => {
    document.title = 'Invitation · Strata';
  }, []);
  return (
    <main className={card.page}>
      <div className={card.card}>
        <img src="/strata.svg" alt="" width={40} height={40} />
        {token === '' ? (
          <CardMessage title="Incomplete link">
            The end of the link is missing. Open the complete link again. This page does not keep it when you reload.
          </CardMessage>
        ) : (
          <>
            {offer.kind === 'reading' && <p>Loading …</p>}
            {offer.kind === 'error' && <ErrorMessage error={offer.error} reset={read} heading="h1" />}
            {offer.kind === 'offer' && <Offered link={link} offer={offer.offer} />}
          </>
        )}
      </div>
    </main>
  );
}

/** Returns the token of the URL, and removes it from the URL so that it is not visible. */
function useTokenOfAddress(): string {
  const navigate = route.useNavigate();
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => {
    if (location.hash !== '') void navigate({ hash: '', replace: true });
  }, [navigate]);
  return token;
}

/** Loads the invitation without the query cache, whose key would contain the token. */
function useOffer(link: InvitationLinkParts): readonly [Found, () => void] {
  const [offer, setOffer] = useState<Found>({ kind: 'reading' });
  const [times, setTimes] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `times` counts the requests to try again
  useEffect(() => {
    let isOver = false;
    const update = (next: Found) => !isOver && setOffer(next);
    if (link.token === '') return;
    readInvitation(link).then(
      (offer) => update({ kind: 'offer', offer }),
      (error: Error) => update({ kind: 'error', error }),
    );
    return () => {
      isOver = true;
    };
  }, [link, times]);
  return [offer, () => setTimes(times + 1)];
}

function Offered({ link, offer }: { readonly link: InvitationLinkParts; readonly offer: InvitationDetails | null }) {
  if (offer === null) {
    return (
      <CardMessage title="Link no longer valid">
        The invitation was withdrawn, or it has a newer link. Request a new link from the person who invited you.
      </CardMessage>
    );
  }
  const { state, organizationName, inviterName, email, role, expiresAt } = offer;
  if (state === 'accepted') {
    return (
      <>
        <CardMessage title="Invitation already used">
          <UserText>{email}</UserText> has joined <UserText>{organizationName}</UserText>. If that was you, sign in.
        </CardMessage>
        <Link to="/sign-in" className={button.main}>
          Sign in
        </Link>
      </>
    );
  }
  if (state === 'expired') {
    return (
      <CardMessage title="Link expired">
        It allowed <UserText>{email}</UserText> to join <UserText>{organizationName}</UserText>
        {expiresAt !== null && (
          <>
            {' '}
            until <When at={expiresAt} as="date" />
          </>
        )}
        . Request a new one from <UserText>{inviterName}</UserText>.
      </CardMessage>
    );
  }
  return (
    <>
      <h1 className={card.title}>
        Join <UserText>{organizationName}</UserText>
      </h1>
      <p className={card.about}>
        <UserText>{inviterName}</UserText> invites{' '}
        <b>
          <UserText>{email}</UserText>
        </b>{' '}
        as {roleWord(role)}.
      </p>
      <JoinForm link={link} offer={offer} />
    </>
  );
}
