import { ask } from '../graphql/ask.ts';
import { saved } from '../graphql/saved.ts';
import { renewing, signIn } from '../session/session.ts';
import { ChangePassword, SignOutEverywhere } from './own-account.graphql.ts';

interface PasswordWish {
  readonly email: string;
  readonly oldPassword: string;
  readonly newPassword: string;
}

/**
 * Changes the password, which ends every session of this person; then begins a new one here with the password that was just
 * typed, so that only the others have to sign in again.
 */
export function changePassword({ email, oldPassword, newPassword }: PasswordWish): Promise<void> {
  return renewing(async () => {
    const { changePassword: answer } = await ask(ChangePassword, { input: { oldPassword, newPassword } });
    saved(answer);
    await signIn({ email, password: newPassword });
  });
}

/** Ends every session and token of this person, this one too. */
export async function signOutEverywhere(): Promise<void> {
  const { signOutEverywhere: answer } = await ask(SignOutEverywhere, {});
  saved(answer);
}
