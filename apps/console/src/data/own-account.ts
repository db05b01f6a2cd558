import { requireSaved } from '../graphql/mutation-result.ts';
import { ChangeOwnName, ChangePassword, SignOutEverywhere } from '../graphql/own-account.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { renewSession, signIn } from './session.ts';

interface NewPassword {
  readonly email: string;
  /** The organization that the new session opens. */
  readonly organization: string | undefined;
  readonly oldPassword: string;
  readonly newPassword: string;
}

/**
 * Changes the password, which ends all sessions of the user, and starts a new session in this browser. Other browsers must sign in again.
 */
export function changePassword({ email, organization, oldPassword, newPassword }: NewPassword): Promise<void> {
  return renewSession(async () => {
    const { changePassword: result } = await requestGraphql(ChangePassword, { input: { oldPassword, newPassword } });
    requireSaved(result);
    await signIn({ email, password: newPassword, ...(organization !== undefined && { organization }) });
  });
}

/** Changes the name of the user in all of their organizations. */
export async function changeOwnName(name: string): Promise<void> {
  requireSaved((await requestGraphql(ChangeOwnName, { input: { name } })).changeOwnName);
}

/** Ends every session and token of the user, including this one. */
export async function signOutEverywhere(): Promise<void> {
  const { signOutEverywhere: result } = await requestGraphql(SignOutEverywhere, {});
  requireSaved(result);
}
