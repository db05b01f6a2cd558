import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { ownSessionsQuery } from '../../data/own-sessions.ts';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { PasswordForm } from './password-form.tsx';

interface SignInProps {
  readonly email: string;
  readonly organization: string | undefined;
}

/** Shows how the user signs in, with the form to change the password if there is one. */
export function SignIn(props: SignInProps) {
  const { data } = useQuery(ownSessionsQuery);
  if (!data) return null;
  const { hasPassword, providers } = data.signInMethods;
  return (
    <>
      {providers.length > 0 && (
        <section className={page.part} aria-labelledby="sign-in">
          <h2 id="sign-in">Sign-in</h2>
          <p>
            You sign in with{' '}
            {providers.map(({ id, name }, at) => (
              <Fragment key={id}>
                {at > 0 && ' or '}
                <strong>
                  <UserText>{name}</UserText>
                </strong>
              </Fragment>
            ))}
            {hasPassword ? ' or with your password.' : '. You have no password in Strata.'}
          </p>
        </section>
      )}
      {hasPassword && <PasswordForm {...props} />}
    </>
  );
}
