import { queryOptions } from '@tanstack/react-query';
import { ask, Refused, refused, send } from '../graphql/ask.ts';
import { Viewer } from './viewer.graphql.ts';

export interface SessionNow {
  readonly signedIn: boolean;
  /** When it ends at the latest; null where nobody is signed in. */
  readonly endsAt: string | null;
}

interface SessionTold {
  readonly signedIn?: boolean;
  readonly endsAt?: string;
  readonly errors?: readonly [Parameters<typeof refused>[0]];
}

export type GivenCredential = { readonly email: string; readonly password: string } | { readonly apiKey: string };

async function session(method: 'GET' | 'POST' | 'DELETE', body?: GivenCredential): Promise<SessionNow> {
  const told = await send<SessionTold>(method, '/session', body);
  if (told.errors) throw refused(told.errors[0]);
  return { signedIn: told.signedIn === true, endsAt: told.endsAt ?? null };
}

/** Fails with `Refused` where nobody can sign in, with the reason. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => session('GET'),
  retry: false,
});
export const signIn = (credential: GivenCredential): Promise<SessionNow> => session('POST', credential);
/** Whether somebody is signed in now. */
export const isSignedIn = async (): Promise<boolean> => (await session('GET')).signedIn;

/** What the tabs of this browser tell each other; a channel does not hear itself. */
const tabs = new BroadcastChannel('strata-session');

/** Also in the other tabs of this browser, whose websockets would stay open. */
export async function signOut(): Promise<void> {
  await session('DELETE');
  tabs.postMessage('signed out');
}

/** Returns what ends the listening. */
export function onSignedOutElsewhere(listener: () => void): () => void {
  tabs.addEventListener('message', listener);
  return () => tabs.removeEventListener('message', listener);
}

/** Where nobody can sign in at all; the gateway says what is needed. */
export const isNotPossibleHere = (error: unknown): error is Refused =>
  error instanceof Refused && ['sessions_off', 'https_needed'].includes(error.code);

export const viewerQuery = queryOptions({
  queryKey: ['viewer'],
  queryFn: async ({ signal }) => (await ask(Viewer, {}, signal)).viewer,
});
