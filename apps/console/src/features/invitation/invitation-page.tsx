import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type GivenLink, type Offer, readOffer } from '../../data/invitation.ts';
import { roleWord } from '../../lib/role-word.ts';
import button from '../../ui/button.module.css';
import card from '../../ui/card-page.module.css';
import { Given } from '../../ui/given.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { When } from '../../ui/when.tsx';
import { JoinForm } from './join-form.tsx';

const route = getRouteApi('/invitations/$id');

type Found =
  | { readonly kind: 'reading' }
  | { readonly kind: 'error'; readonly error: Error }
  | { readonly kind: 'offer'; readonly offer: Offer | null };

/** What an invitation offers, and the way in. The token is kept by this component and nowhere else. */
export function InvitationPage() {
  const { id } = route.useParams();
  const token = useTokenOfAddress();
  const [link] = useState<GivenLink>({ id, token });
  const [found, read] = useOffer(link);
  useEffect(() => {
    document.title = 'Invitation · Strata';
  }, []);
  return (
    <main className={card.page}>
      <div className={card.card}>
        <img src="/strata.svg" alt="" width={40} height={40} />
        {token === '' ? (
          <Dead title="Incomplete link">
            The end of the link is missing. Open the complete link again. This page does not keep it when you reload.
          </Dead>
        ) : (
          <>
            {found.kind === 'reading' && <p>Loading …</p>}
            {found.kind === 'error' && <Trouble error={found.error} reset={read} heading="h1" />}
            {found.kind === 'offer' && <Offered link={link} offer={found.offer} />}
          </>
        )}
      </div>
    </main>
  );
}

/** Read once, and taken out of the address, where it could be seen and sent on. */
function useTokenOfAddress(): string {
  const navigate = route.useNavigate();
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => {
    if (location.hash !== '') void navigate({ hash: '', replace: true });
  }, [navigate]);
  return token;
}

/** Not by a query, whose key would have the token in it. */
function useOffer(link: GivenLink): readonly [Found, () => void] {
  const [found, setFound] = useState<Found>({ kind: 'reading' });
  const [times, setTimes] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `times` counts the requests to try again
  useEffect(() => {
    let isOver = false;
    const tell = (next: Found) => !isOver && setFound(next);
    if (link.token === '') return;
    readOffer(link).then(
      (offer) => tell({ kind: 'offer', offer }),
      (error: Error) => tell({ kind: 'error', error }),
    );
    return () => {
      isOver = true;
    };
  }, [link, times]);
  return [found, () => setTimes(times + 1)];
}

function Offered({ link, offer }: { readonly link: GivenLink; readonly offer: Offer | null }) {
  if (offer === null) {
    return (
      <Dead title="Link no longer valid">
        The invitation was withdrawn, or it has a newer link. Ask the person who invited you for a new link.
      </Dead>
    );
  }
  const { state, organizationName, inviterName, email, role, expiresAt } = offer;
  if (state === 'accepted') {
    return (
      <>
        <Dead title="Invitation already used">
          <Given>{email}</Given> has joined <Given>{organizationName}</Given>. If that was you, sign in.
        </Dead>
        <Link to="/sign-in" className={button.main}>
          Sign in
        </Link>
      </>
    );
  }
  if (state === 'expired') {
    return (
      <Dead title="Link expired">
        It allowed <Given>{email}</Given> to join <Given>{organizationName}</Given>
        {expiresAt !== null && (
          <>
            {' '}
            until <When at={expiresAt} />
          </>
        )}
        . Ask <Given>{inviterName}</Given> for a new one.
      </Dead>
    );
  }
  return (
    <>
      <h1 className={card.title}>
        Join <Given>{organizationName}</Given>
      </h1>
      <p className={card.about}>
        <Given>{inviterName}</Given> invites{' '}
        <b>
          <Given>{email}</Given>
        </b>{' '}
        as {roleWord(role)}.
      </p>
      <JoinForm link={link} offer={offer} />
    </>
  );
}

function Dead({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <>
      <h1 className={card.title}>{title}</h1>
      <p className={card.about}>{children}</p>
    </>
  );
}
