import type { User } from '@strata/contract';
import { Client } from '../core/client.ts';
import { CommandError } from '../core/errors.ts';

/** Ends the session of a credential. Returns whether that succeeded; null if the credential is not a session. */
export async function endSession(url: string, authorization: string | null): Promise<boolean | null> {
  if (!authorization?.startsWith('Bearer ')) return null;
  try {
    await new Client(url, authorization).call('auth_session_destroy');
    return true;
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
}

/** Returns an account as JSON output shows it. */
export const accountOutput = ({ name, email, type, organization_name, role }: User) => ({
  account: name,
  email,
  type,
  organization: organization_name,
  role,
});
