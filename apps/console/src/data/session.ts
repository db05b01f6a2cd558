import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { asCredentialError, pinOrganization, requestGraphql, send, toRequestError } from '../graphql/request.ts';
import { Viewer, type ViewerQuery } from '../graphql/viewer.graphql.ts';
import { readStored, writeStored } from '../lib/browser-storage.ts';
import { RequestError } from '../lib/request-error.ts';
import { queryKeys } from './query-keys.ts';

/** An identity provider, such as that of a company. */
export interface ProviderChoice {
  readonly id: string;
  readonly name: string;
}

export interface CurrentSession {
  readonly signedIn: boolean;
  /** The latest possible end of the session; null without a session. */
  readonly endsAt: string | null;
  /** The identity providers that the user can sign in with; none if there is a session. */
  readonly providers: readonly ProviderChoice[];
}

interface SessionResponse {
  readonly signedIn?: boolean;
  readonly endsAt?: string;
  readonly providers?: readonly ProviderChoice[];
  readonly logoutUrl?: string;
  readonly errors?: readonly [Parameters<typeof toRequestError>[0]];
}

export type SignInCredential =
  | {
      readonly email: string;
      readonly password: string;
      /** The id of the organization to open, for users with several. */
      readonly organization?: string;
    }
  | { readonly apiKey: string };

async function request(method: 'GET' | 'POST' | 'DELETE', body?: object, path = '/session'): Promise<SessionResponse> {
  const response = await send<SessionResponse>(method, path, body);
  if (response.errors) throw toRequestError(response.errors[0]);
  return response;
}

async function session(method: 'GET' | 'POST', body?: object): Promise<CurrentSession> {
  const { signedIn, endsAt = null, providers = [] } = await request(method, body);
  return { signedIn: signedIn === true, endsAt, providers };
}

/** The name of the browser lock that a tab holds while it replaces the session. */
const RENEWAL = 'strata-session';
let runningRenewal: Promise<unknown> | null = null;

/** Returns a promise while this tab replaces the session. Requests must wait for it, because the previous session may have ended. */
export const pendingRenewal = (): Promise<unknown> | null => runningRenewal;

/** Replaces the session while no tab reads it. */
export async function renewSession<Result>(renew: () => Promise<Result>): Promise<Result> {
  const renewed = locked('exclusive', renew);
  runningRenewal = renewed;
  try {
    return await renewed;
  } finally {
    runningRenewal = null;
  }
}

/** Runs an action while holding the lock. An insecure origin has no locks, but it cannot have sessions either. */
async function locked<Result>(mode: LockMode, act: () => Promise<Result>): Promise<Result> {
  return 'locks' in navigator ? navigator.locks.request(RENEWAL, { mode }, act) : act();
}

async function readSession(): Promise<CurrentSession> {
  const currentSession = await locked('shared', () => session('GET'));
  if (currentSession.signedIn && isProviderSignInStarted()) completeProviderSignIn();
  return currentSession;
}

export const sessionKeys = queryKeys('session', { isSeparate: true }, (all) => ({
  address: [...all, 'address'],
}));

/** The query for the current session. It throws `RequestError` with the reason if this installation does not support sign-in. */
export const sessionQuery = queryOptions({ queryKey: sessionKeys.all, queryFn: readSession, retry: false });
/** Returns whether the browser has a session. */
export const isSignedIn = async (): Promise<boolean> => (await readSession()).signedIn;

/** The messages between the tabs of the browser. A tab does not receive its own messages. */
type SessionNews = 'signed in' | 'signed out' | 'switched';
const tabs = new BroadcastChannel('strata-session');
const notifyTabs = (news: SessionNews) => tabs.postMessage(news);

/** A new session. */
interface NewSession extends CurrentSession {
  /** Whether the organization was named, remembered or determined by a key. Otherwise it is the user's first one. */
  readonly isOrganizationKnown: boolean;
}

/** The key in storage of the last organization, which the next sign-in opens. */
const LAST_ORGANIZATION = 'strata-organization';
/** The key in storage that is set until the user has chosen an organization. */
const UNCHOSEN = 'strata-organization-unchosen';

/** Returns whether the user must choose an organization. */
export const isOrganizationUnchosen = (): boolean => readStored(UNCHOSEN) !== null;

/** Records that the user has chosen an organization. */
export const markOrganizationChosen = (): void => writeStored(UNCHOSEN, null);

/**
 * Starts a session in the given organization, or else in the last one of this browser if the user is still a member. Notifies the other
 * tabs, which may have a session of another user.
 */
export async function signIn(credential: SignInCredential): Promise<NewSession> {
  pinOrganization(null);
  const startedSession = await begin(credential).catch((error: unknown) => {
    throw asCredentialError(error);
  });
  writeStored(UNCHOSEN, startedSession.isOrganizationKnown ? null : 'yes');
  writeStored(PROVIDER_SIGN_IN, null, 'tab');
  notifyTabs('signed in');
  return startedSession;
}

async function begin(credential: SignInCredential): Promise<NewSession> {
  if ('apiKey' in credential || credential.organization !== undefined) {
    return { ...(await session('POST', credential)), isOrganizationKnown: true };
  }
  const lastOrganizationId = readStored(LAST_ORGANIZATION);
  if (lastOrganizationId !== null) {
    try {
      return {
        ...(await session('POST', { ...credential, organization: lastOrganizationId })),
        isOrganizationKnown: true,
      };
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== 'unknown_link') throw error;
      writeStored(LAST_ORGANIZATION, null);
    }
  }
  return { ...(await session('POST', credential)), isOrganizationKnown: false };
}

/** The key in the storage of the tab that is set while the page of an identity provider is open in it. */
const PROVIDER_SIGN_IN = 'strata-provider-sign-in';

/** Opens the page of an identity provider. It returns to `back` after the sign-in, in the last organization of this browser if possible. */
export function signInWithProvider({ id }: ProviderChoice, back: string): void {
  writeStored(PROVIDER_SIGN_IN, 'yes', 'tab');
  // encodes the path as the gateway expects it
  const { pathname, search, hash } = new URL(back, location.origin);
  const organization = readStored(LAST_ORGANIZATION);
  const query = new URLSearchParams({
    return: pathname + search + hash,
    ...(organization !== null && { organization }),
  });
  location.assign(`/session/provider/${id}?${query}`);
}

const isProviderSignInStarted = (): boolean => readStored(PROVIDER_SIGN_IN, 'tab') !== null;

/** Does for a sign-in with an identity provider what `signIn` does for one with a password. */
function completeProviderSignIn(): void {
  writeStored(PROVIDER_SIGN_IN, null, 'tab');
  markOrganizationChosen();
  notifyTabs('signed in');
}

/**
 * Ends the session, and notifies the other tabs, which must close their websockets. Cancels running queries, which would be rejected. Returns
 * the URL at which the user signs out of the identity provider, if the session was started with one.
 */
export async function signOut(client: QueryClient): Promise<string | null> {
  await client.cancelQueries();
  const { logoutUrl = null } = await request('DELETE');
  pinOrganization(null);
  writeStored(LAST_ORGANIZATION, null);
  markOrganizationChosen();
  notifyTabs('signed out');
  return logoutUrl;
}

/** Switches all tabs of the browser to another organization of the user, because they share the session. This tab opens `href`. */
export async function switchOrganization(organization: string, href?: string): Promise<void> {
  await request('POST', { organization }, '/session/organization');
  markOrganizationChosen();
  return reloadConsole(href);
}

/**
 * Reloads all tabs after the session has switched to another organization, because their cached data is invalid. The promise never
 * resolves, because the page is being replaced.
 */
export function reloadConsole(href = '/'): Promise<never> {
  notifyTabs('switched');
  location.assign(href);
  return new Promise(() => undefined);
}

/** Calls a listener when the session changes in another tab. Returns a function that removes the listener. */
export function onSessionChangeInOtherTab(listener: (news: 'signed in' | 'signed out') => void): () => void {
  const onMessage = ({ data }: MessageEvent<SessionNews>) =>
    data === 'switched' ? location.assign('/') : listener(data);
  tabs.addEventListener('message', onMessage);
  return () => tabs.removeEventListener('message', onMessage);
}

/** Returns whether an error means that this installation does not support sign-in. The error contains the instructions. */
export const isSignInUnavailable = (error: unknown): error is RequestError =>
  error instanceof RequestError && ['sessions_off', 'https_needed'].includes(error.code);

export type SignedInViewer = ViewerQuery['viewer'];

export const readSignedInViewer = async (signal?: AbortSignal): Promise<SignedInViewer> =>
  (await requestGraphql(Viewer, {}, signal)).viewer;

// The permissions of the viewer depend on memberships and grants.
export const viewerKeys = queryKeys('viewer', { on: ['membership', 'grant'] }, () => ({}));

export const viewerQuery = queryOptions({
  queryKey: viewerKeys.all,
  queryFn: async ({ signal }) => {
    const viewer = await readSignedInViewer(signal);
    const { organization } = viewer;
    pinOrganization(organization?.id ?? null);
    if (organization) writeStored(LAST_ORGANIZATION, organization.id);
    return viewer;
  },
});

/** The query for the e-mail address of the signed-in user; null without a session. */
export const signedInAddressQuery = queryOptions({
  queryKey: sessionKeys.address,
  queryFn: async ({ client, signal }) => {
    const { signedIn } = await client.fetchQuery(sessionQuery);
    return signedIn ? (await readSignedInViewer(signal)).user.email : null;
  },
  retry: false,
});

/** Returns whether both viewers are the same user in the same organization. */
export const isSameViewer = (left: SignedInViewer, right: SignedInViewer): boolean =>
  left.user.id === right.user.id && left.organization?.id === right.organization?.id;

/** Throws if the browser now has the session of another user, because a write would be attributed to that user. */
export async function assertStillSignedIn(expected: SignedInViewer): Promise<void> {
  const now = await readSignedInViewer();
  if (isSameViewer(expected, now)) return;
  const { name, email } = now.user;
  throw new RequestError(
    'ANOTHER_PERSON',
    `Signed in as ${name || email} in another tab. Nothing was saved; your drafts are kept.`,
    null,
  );
}
