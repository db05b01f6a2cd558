import { ChangePassword, SignOutEverywhere } from '../graphql/own-account.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { saved } from '../graphql/saved.ts';
import { renewing, signIn } from './session.ts';

interface PasswordWish {
  readonly email: string;
  /** Where one is and stays. */
  readonly organization: string | undefined;
  readonly oldPassword: string;
  readonly newPassword: string;
}

/**
 * Changes the password, which ends every session of this person; then begins a new one here with the password that was just
 * typed, so that only the others have to sign in again.
 */
export function changePassword({ email, organization, oldPassword, newPassword }: PasswordWish): Promise<void> {
  return renewing(async () => {
    const { changePassword: answer } = await requestGraphql(ChangePassword, { input: { oldPassword, newPassword } });
    saved(answer);
    await signIn({ email, password: newPassword, ...(organization !== undefined && { organization }) });
  });
}

/** Ends every session and token of this person, this one too. */
export async function signOutEverywhere(): Promise<void> {
  const { signOutEverywhere: answer } = await requestGraphql(SignOutEverywhere, {});
  saved(answer);
}
