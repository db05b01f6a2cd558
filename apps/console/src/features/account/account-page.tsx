import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SignedInViewer } from '../../data/session.ts';
import { viewerQuery } from '../../data/session.ts';
import { NO_REVEAL } from '../../kit/reveal/no-reveal.tsx';
import { roleWord } from '../../lib/role-word.ts';
import { chooseTheme, chosenTheme, THEMES, type Theme } from '../../lib/theme.ts';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { ABILITY_WORDS } from './ability-descriptions.ts';
import styles from './account-page.module.css';
import { NameForm } from './name-form.tsx';
import { Sessions } from './sessions.tsx';
import { SignIn } from './sign-in.tsx';

/** Shows the account of the user: permissions, name, theme, ways to sign in and sessions. */
export function AccountPage() {
  const { data: viewer } = useQuery(viewerQuery);
  if (!viewer) return null;
  const { user } = viewer;
  const isPerson = user.type === 'interactive';
  return (
    <div className={page.page}>
      <Who viewer={viewer} />
      {isPerson && <NameForm name={user.name ?? ''} />}
      <ThemeChoice />
      {isPerson && user.email !== null && <SignIn email={user.email} organization={viewer.organization?.id} />}
      <Sessions isPerson={isPerson} />
    </div>
  );
}

function Who({ viewer: { user, organization, role, abilities } }: { readonly viewer: SignedInViewer }) {
  return (
    <section className={page.part} aria-labelledby="who">
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
        <Fact name="Secrets">
          {abilities.revealsSecrets ? 'You can reveal, copy and export secrets. Each reveal is recorded.' : NO_REVEAL}
        </Fact>
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
  const [selectedTheme, setSelectedTheme] = useState(chosenTheme);
  const choose = (theme: Theme) => {
    chooseTheme(theme);
    setSelectedTheme(theme);
  };
  return (
    <section className={page.part} aria-labelledby="theme">
      <h2 id="theme">Theme</h2>
      <fieldset className={styles.choice} aria-labelledby="theme">
        {THEMES.map((theme) => (
          <label key={theme}>
            <input type="radio" name="theme" checked={theme === selectedTheme} onChange={() => choose(theme)} />
            {THEME_WORDS[theme]}
          </label>
        ))}
      </fieldset>
      <p className={styles.hint}>Saved in this browser.</p>
    </section>
  );
}
