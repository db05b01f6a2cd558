import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { signOutEverywhere } from '../../data/own-account.ts';
import type { SignedInViewer } from '../../data/session.ts';
import { sessionQuery, signOut, viewerQuery } from '../../data/session.ts';
import { clearDrafts, useDrafts } from '../../kit/drafts/drafts.ts';
import { SignOutDialog } from '../../kit/sign-out-dialog.tsx';
import { roleWord } from '../../lib/role-word.ts';
import { chooseTheme, chosenTheme, THEMES, type Theme } from '../../lib/theme.ts';
import button from '../../ui/button.module.css';
import { Refusal } from '../../ui/refusal.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { ABILITY_WORDS } from './ability-words.ts';
import styles from './account-page.module.css';
import { PasswordForm } from './password-form.tsx';

/** Shows the account of the user: permissions, password, theme and sessions. */
export function AccountPage() {
  const { data: viewer } = useQuery(viewerQuery);
  if (!viewer) return null;
  const { user } = viewer;
  return (
    <div className={styles.page}>
      <Who viewer={viewer} />
      <ThemeChoice />
      {user.type === 'interactive' && user.email !== null && (
        <PasswordForm email={user.email} organization={viewer.organization?.id} />
      )}
      <Sessions isPerson={user.type === 'interactive'} />
    </div>
  );
}

function Who({ viewer: { user, organization, role, abilities } }: { readonly viewer: SignedInViewer }) {
  return (
    <section className={styles.part} aria-labelledby="who">
      <h2 id="who">
        <UserText>{user.name || user.email}</UserText>
      </h2>
      <dl className={styles.facts}>
        {user.type === 'interactive' ? (
          <Fact name="E-mail address">
            <UserText>{user.email}</UserText>
          </Fact>
        ) : (
          <Fact name="Signed in as">the service account of an API key</Fact>
        )}
        <Fact name="Organization">
          <UserText>{organization?.name}</UserText>
        </Fact>
        <Fact name="Role">{roleWord(role ?? 'none')}</Fact>
        <Fact name="Permissions">
          <ul className={styles.abilities}>
            {abilities.abilities.map((ability) => (
              <li key={ability}>{ABILITY_WORDS[ability]}</li>
            ))}
          </ul>
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const THEME_WORDS: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

function ThemeChoice() {
  const [chosen, setChosen] = useState(chosenTheme);
  const choose = (theme: Theme) => {
    chooseTheme(theme);
    setChosen(theme);
  };
  return (
    <section className={styles.part} aria-labelledby="theme">
      <h2 id="theme">Theme</h2>
      <fieldset className={styles.choice} aria-labelledby="theme">
        {THEMES.map((theme) => (
          <label key={theme}>
            <input type="radio" name="theme" checked={theme === chosen} onChange={() => choose(theme)} />
            {THEME_WORDS[theme]}
          </label>
        ))}
      </fieldset>
      <p className={styles.hint}>Saved in this browser.</p>
    </section>
  );
}

function Sessions({ isPerson }: { readonly isPerson: boolean }) {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const client = useQueryClient();
  const navigate = useNavigate();
  const { drafts } = useDrafts();
  const [isAsked, setIsAsked] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const leave = async (endAll?: () => Promise<unknown>) => {
    let logoutUrl: string | null;
    try {
      await endAll?.();
      // Deletes the cookie as well.
      logoutUrl = await signOut();
    } catch (refusal) {
      setError(refusal);
      return;
    }
    clearDrafts();
    if (logoutUrl !== null) return location.assign(logoutUrl);
    await navigate({ to: '/sign-in' });
    client.clear();
  };
  return (
    <section className={styles.part} aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      {session?.endsAt && (
        <p>
          Expires <When at={session.endsAt} />.
        </p>
      )}
      <div className={styles.buttons}>
        <button
          type="button"
          className={button.plain}
          onClick={() => (drafts.size > 0 ? setIsLeaving(true) : void leave())}
        >
          Sign out here
        </button>
        {isPerson && !isAsked && (
          <button type="button" className={button.plain} onClick={() => setIsAsked(true)}>
            Sign out everywhere …
          </button>
        )}
      </div>
      {isAsked && (
        <section className={styles.asked} aria-label="Sign out everywhere">
          <p>
            All your sessions and tokens end within one second, in every browser and organization, including this one.
            API keys stay valid.{drafts.size > 0 && ' Changes that are not applied are discarded.'}
          </p>
          <div className={styles.buttons}>
            <button type="button" className={button.main} onClick={() => void leave(signOutEverywhere)}>
              Sign out everywhere
            </button>
            <button type="button" className={button.quiet} onClick={() => setIsAsked(false)}>
              Stay signed in
            </button>
          </div>
        </section>
      )}
      {isLeaving && (
        <SignOutDialog count={drafts.size} onSignOut={() => void leave()} onClose={() => setIsLeaving(false)} />
      )}
      {error !== null && <Refusal error={error} />}
    </section>
  );
}
