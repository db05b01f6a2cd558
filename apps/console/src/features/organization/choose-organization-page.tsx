import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import { type OwnOrganization, ownOrganizationsQuery } from '../../data/organizations.ts';
import { markOrganizationChosen } from '../../data/session.ts';
import { roleWord } from '../../lib/role-word.ts';
import { ActionError } from '../../ui/action-error.tsx';
import card from '../../ui/card-page.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { UserText } from '../../ui/user-text.tsx';
import styles from './choose-organization-page.module.css';
import { useSwitchOrganization } from './use-switch-organization.ts';

const route = getRouteApi('/sign-in/organization');

/** Lets the user choose an organization after signing in. It is skipped if there is only one. */
export function ChooseOrganizationPage() {
  const { back = '/' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: organizations, error, refetch } = useQuery(ownOrganizationsQuery);
  const isOne = organizations !== undefined && organizations.length < 2;
  const goOn = useCallback(() => {
    markOrganizationChosen();
    void navigate({ href: back, replace: true });
  }, [navigate, back]);
  useEffect(() => {
    document.title = 'Choose an organization · Strata';
  }, []);
  useEffect(() => {
    if (isOne) goOn();
  }, [isOne, goOn]);
  return (
    <main className={card.page}>
      <div className={card.card}>
        <img src="/strata.svg" alt="" width={40} height={40} />
        {error && <ErrorMessage error={error} reset={() => void refetch()} heading="h1" />}
        {!error && (!organizations || isOne) && <p>Signing in …</p>}
        {!error && organizations && !isOne && <Choice organizations={organizations} back={back} />}
      </div>
    </main>
  );
}

interface ChoiceProps {
  readonly organizations: readonly OwnOrganization[];
  readonly back: string;
}

function Choice({ organizations, back }: ChoiceProps) {
  const { switchingTo, error, switchTo } = useSwitchOrganization(back);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('button')?.focus();
  }, []);
  return (
    <>
      <h1 className={card.title}>Choose an organization</h1>
      <p className={card.about}>
        You belong to several organizations. This browser remembers your choice. To switch, use the name at the top
        left.
      </p>
      {error !== null && <ActionError error={error} />}
      <ul ref={list} className={styles.list} aria-label="Your organizations">
        {organizations.map(({ id, name, role }) => (
          <li key={id}>
            {/* The list includes the organization of the session, because another tab may have switched it. */}
            <button type="button" disabled={switchingTo !== null} onClick={() => switchTo(id)}>
              <span className={styles.name}>
                <UserText>{name}</UserText>
              </span>
              <span className={styles.role}>{switchingTo === id ? 'switching …' : roleWord(role)}</span>
              <ChevronRight size={14} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
