import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LogOut, Moon, Sun, User } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { SignedInViewer } from '../data/session.ts';
import { useDrafts } from '../kit/drafts/drafts.ts';
import { useSignOut } from '../kit/use-sign-out.ts';
import { describeError } from '../lib/request-error.ts';
import { roleWord } from '../lib/role-word.ts';
import { chooseTheme, chosenTheme, isDark } from '../lib/theme.ts';
import button from '../ui/button.module.css';
import { lazyPart } from '../ui/lazy-part.tsx';
import { UserText } from '../ui/user-text.tsx';
import styles from './account.module.css';

const SignOutDialog = lazyPart(async () => (await import('../kit/sign-out-dialog.tsx')).SignOutDialog);

interface AccountProps {
  readonly viewer: SignedInViewer | undefined;
}

/** Shows the account menu with the user's role, the theme and a button to sign out. */
export function Account({ viewer }: AccountProps) {
  return (
    <div className={styles.account}>
      {viewer && (
        <Link to="/account" className={styles.who}>
          <User size={15} aria-hidden className={styles.sign} />
          <span>
            <UserText>{viewer.user.name || viewer.user.email}</UserText>
          </span>
          <span className={styles.role}>{describeAccess(viewer)}</span>
        </Link>
      )}
      <ThemeSwitch />
      <SignOut />
    </div>
  );
}

function describeAccess({ role, abilities }: SignedInViewer): string {
  const name = roleWord(role ?? '');
  return abilities.abilities.includes('write_content') ? name : `${name}, read only`;
}

function ThemeSwitch() {
  const [dark, setDark] = useState(() => isDark(chosenTheme()));
  const change = () => {
    chooseTheme(dark ? 'light' : 'dark');
    setDark(!dark);
  };
  const Sign = dark ? Sun : Moon;
  return (
    <button type="button" className={button.icon} onClick={change} aria-label={dark ? 'Light theme' : 'Dark theme'}>
      <Sign size={15} aria-hidden />
    </button>
  );
}

function SignOut() {
  const signOut = useSignOut();
  const { drafts } = useDrafts();
  const [isAsking, setAsking] = useState(false);
  const { mutate: leave, error } = useMutation({ mutationFn: signOut, onError: () => setAsking(false) });
  return (
    <>
      <button
        type="button"
        className={button.icon}
        onClick={() => (drafts.size > 0 ? setAsking(true) : leave())}
        aria-label="Sign out"
      >
        <LogOut size={15} aria-hidden />
      </button>
      {error && (
        <p className={styles.trouble} role="alert">
          You are still signed in. {describeError(error)}
        </p>
      )}
      {isAsking && (
        <Suspense>
          <SignOutDialog count={drafts.size} onSignOut={() => leave()} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
