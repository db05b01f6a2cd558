import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  isSignInUnavailable,
  onSessionChangeInOtherTab,
  sessionQuery,
  signIn,
  signInWithProvider,
} from '../../data/session.ts';
import { clearUserData } from '../../kit/clear-user-data.ts';
import { describeError, isSignedOut, RequestError } from '../../lib/request-error.ts';
import button from '../../ui/button.module.css';
import card from '../../ui/card-page.module.css';
import { providerSignInProblem } from './provider-sign-in-problem.ts';
import styles from './sign-in-page.module.css';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const { error } = useQuery(sessionQuery);
  const unavailable = isSignInUnavailable(error) ? error : null;
  return (
    <main className={card.page}>
      <div className={card.card}>
        <img src="/strata.svg" alt="" width={40} height={40} />
        <h1 className={card.title}>Sign in to Strata</h1>
        {unavailable === null ? (
          <>
            <ProviderSignIn />
            <SignInForm />
          </>
        ) : (
          <p className={styles.error} role="alert">
            {unavailable.message}
          </p>
        )}
      </div>
    </main>
  );
}

/** The buttons of the identity providers, above the form. */
function ProviderSignIn() {
  const { data: session } = useQuery(sessionQuery);
  const { back = '/', problem } = route.useSearch();
  const providers = session?.providers ?? [];
  return (
    <>
      {problem !== undefined && (
        <p className={styles.trouble} role="alert">
          {providerSignInProblem(problem)}
        </p>
      )}
      {providers.map((provider) => (
        <button
          key={provider.id}
          type="button"
          className={button.plain}
          onClick={() => signInWithProvider(provider, back)}
        >
          Sign in with {provider.name}
        </button>
      ))}
      {providers.length > 0 && <p className={styles.or}>or</p>}
    </>
  );
}

function SignInForm() {
  const [byKey, setByKey] = useState(false);
  const { mutate, error, variables, isPending } = useSignIn(byKey);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        // `onSubmit` instead of `action`, because React resets the fields after an `action`.
        event.preventDefault();
        mutate(new FormData(event.currentTarget));
      }}
    >
      {byKey ? (
        <label key="key">
          API key
          <input name="key" type="password" required autoComplete="off" spellCheck={false} />
        </label>
      ) : (
        <>
          <label key="email">
            E-mail address
            <input name="email" type="email" required autoComplete="username" />
          </label>
          <label key="password">
            Password
            <input name="password" type="password" required autoComplete="current-password" />
          </label>
        </>
      )}
      {error !== null && (
        <p className={styles.trouble} role="alert">
          {describeSignInError(error, variables?.has('key') ?? false)}
        </p>
      )}
      <button type="submit" className={button.main} disabled={isPending}>
        {isPending ? 'Signing in …' : 'Sign in'}
      </button>
      <button type="button" className={button.quiet} onClick={() => setByKey(!byKey)}>
        {byKey ? 'Use e-mail address and password' : 'Use an API key'}
      </button>
    </form>
  );
}

/** Signs in and opens the requested page. The page also opens when the user signs in in another tab. */
function useSignIn(byKey: boolean) {
  const { back: href = '/' } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  useEffect(
    () =>
      onSessionChangeInOtherTab((change) => {
        if (change !== 'signed in') return;
        clearUserData(client);
        void navigate({ href, replace: true });
      }),
    [client, navigate, href],
  );
  return useMutation({
    mutationFn: async (form: FormData) => {
      const readField = (name: string) => String(form.get(name) ?? '');
      const { isOrganizationKnown, ...session } = await signIn(
        byKey ? { apiKey: readField('key').trim() } : { email: readField('email'), password: readField('password') },
      );
      // The cache may contain data of the previous user.
      clearUserData(client);
      client.setQueryData(sessionQuery.queryKey, session);
      if (isOrganizationKnown) await navigate({ href, replace: true });
      else await navigate({ to: '/sign-in/organization', search: { back: href }, replace: true });
    },
  });
}

function describeSignInError(error: Error, byKey: boolean): string {
  const isWrong = isSignedOut(error) || (error instanceof RequestError && error.code === 'wrong_credential');
  if (!isWrong) return describeError(error);
  return byKey ? 'This API key is not valid.' : 'Wrong e-mail or password.';
}
