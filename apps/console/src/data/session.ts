import { queryOptions } from '@tanstack/react-query';
import { asCredentialError, pinOrganization, requestGraphql, send, toRefusedError } from '../graphql/request.ts';
import { Viewer, type ViewerQuery } from '../graphql/viewer.graphql.ts';
import { Refused } from '../lib/refused.ts';
import { readStored, writeStored } from '../lib/stored.ts';
import { queryKeys } from './query-keys.ts';

export interface CurrentSession {
  readonly signedIn: boolean;
  /** The latest end of the session; null without a session. */
  readonly endsAt: string | null;
}

interface SessionTold {
  readonly signedIn?: boolean;
  readonly endsAt?: string;
  readonly errors?: readonly [Parameters<typeof toRefusedError>[0]];
}

export type SignInCredential =
  | {
      readonly email: string;
      readonly password: string;
      /** The id of the organization to open, for users of several. */
      readonly organization?: string;
    }
  | { readonly apiKey: string };

async function session(method: 'GET' | 'POST' | 'DELETE', body?: object, path = '/session'): Promise<CurrentSession> {
  const told = await send<SessionTold>(method, path, body);
  if (told.errors) throw toRefusedError(told.errors[0]);
  return { signedIn: told.signedIn === true, endsAt: told.endsAt ?? null };
}

/** A lock that a tab holds while it replaces the session. */
const RENEWAL = 'strata-session';
let underWay: Promise<unknown> | null = null;

/** Set while this tab replaces the session. Requests must wait for it, because the previous session may have ended already. */
export const pendingRenewal = (): Promise<unknown> | null => underWay;

/** Replaces the session, while no tab checks whether there is one. */
export async function renewSession<Result>(renew: () => Promise<Result>): Promise<Result> {
  const renewed = locked('exclusive', renew);
  underWay = renewed;
  try {
    return await renewed;
  } finally {
    underWay = null;
  }
}

/** Pages of an insecure origin have no locks, and no sessions either. */
async function locked<Result>(mode: LockMode, act: () => Promise<Result>): Promise<Result> {
  return 'locks' in navigator ? navigator.locks.request(RENEWAL, { mode }, act) : act();
}

const told = (): Promise<CurrentSession> => locked('shared', () => session('GET'));

export const sessionKeys = queryKeys('session', { isSeparate: true }, (all) => ({
  address: [...all, 'address'],
}));

/** Throws `Refused` with the reason if sign-in is not available. */
export const sessionQuery = queryOptions({ queryKey: sessionKeys.all, queryFn: told, retry: false });
/** Returns whether there is a session. */
export const isSignedIn = async (): Promise<boolean> => (await told()).signedIn;

/** Messages between the tabs of the browser. A channel does not receive its own messages. */
type SessionNews = 'signed in' | 'signed out' | 'switched';
const tabs = new BroadcastChannel('strata-session');
const tell = (news: SessionNews) => tabs.postMessage(news);

/** A new session. */
interface BegunSession extends CurrentSession {
  /** Whether its organization was named, remembered or given by a key. Otherwise it is the one that the user joined first. */
  readonly isForChosen: boolean;
}

/** The organization of the last session, which the next sign-in continues with. */
const LAST_ORGANIZATION = 'strata-organization';
/** Set while the user still has to choose an organization. */
const UNCHOSEN = 'strata-organization-unchosen';

/** Returns whether the user still has to choose an organization. */
export const isOrganizationUnchosen = (): boolean => readStored(UNCHOSEN) !== null;

/** Call this when the user has chosen an organization. */
export const organizationIsChosen = (): void => writeStored(UNCHOSEN, null);

/**
 * Starts a session in the named organization, or in the last one of this browser if the user still belongs to it. Notifies the other
 * tabs, which may have the session of another user.
 */
export async function signIn(credential: SignInCredential): Promise<BegunSession> {
  pinOrganization(null);
  const begun = await begin(credential).catch((error: unknown) => {
    throw asCredentialError(error);
  });
  writeStored(UNCHOSEN, begun.isForChosen ? null : 'yes');
  tell('signed in');
  return begun;
}

async function begin(credential: SignInCredential): Promise<BegunSession> {
  if ('apiKey' in credential || credential.organization !== undefined) {
    return { ...(await session('POST', credential)), isForChosen: true };
  }
  const last = readStored(LAST_ORGANIZATION);
  if (last !== null) {
    try {
      return { ...(await session('POST', { ...credential, organization: last })), isForChosen: true };
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'unknown_link') throw error;
      writeStored(LAST_ORGANIZATION, null);
    }
  }
  return { ...(await session('POST', credential)), isForChosen: false };
}

/** Ends the session, also in the other tabs, whose websockets would stay open. */
export async function signOut(): Promise<void> {
  await session('DELETE');
  pinOrganization(null);
  writeStored(LAST_ORGANIZATION, null);
  organizationIsChosen();
  tell('signed out');
}

/**
 * Opens another organization of the user in all tabs of the browser, because they share the session. This tab continues at
 * `href`.
 */
export async function switchOrganization(organization: string, href?: string): Promise<void> {
  await session('POST', { organization }, '/session/organization');
  organizationIsChosen();
  return reloadConsole(href);
}

/**
 * Runs after the session has changed to another organization: the cached data of all tabs is invalid. The promise never resolves,
 * because the page is being replaced.
 */
export function reloadConsole(href = '/projects'): Promise<never> {
  tell('switched');
  location.assign(href);
  return new Promise(() => undefined);
}

/** Calls a function after changes of the session in other tabs. Returns a function that stops this. */
export function onSessionChangeInOtherTab(listener: (news: 'signed in' | 'signed out') => void): () => void {
  const hear = ({ data }: MessageEvent<SessionNews>) =>
    data === 'switched' ? location.assign('/projects') : listener(data);
  tabs.addEventListener('message', hear);
  return () => tabs.removeEventListener('message', hear);
}

/** Returns whether sign-in is not available at all. The error contains what is needed. */
export const isSignInUnavailable = (error: unknown): error is Refused =>
  error instanceof Refused && ['sessions_off', 'https_needed'].includes(error.code);

export type SignedInViewer = ViewerQuery['viewer'];

export const signedInViewer = async (signal?: AbortSignal): Promise<SignedInViewer> =>
  (await requestGraphql(Viewer, {}, signal)).viewer;

// Permissions depend on roles and grants.
export const viewerKeys = queryKeys('viewer', { on: ['membership', 'grant'] }, () => ({}));

export const viewerQuery = queryOptions({
  queryKey: viewerKeys.all,
  queryFn: async ({ signal }) => {
    const viewer = await signedInViewer(signal);
    const { organization } = viewer;
    pinOrganization(organization?.id ?? null);
    if (organization) writeStored(LAST_ORGANIZATION, organization.id);
    return viewer;
  },
});

/** The e-mail address of the session in this browser; null without a session. */
export const signedInAddressQuery = queryOptions({
  queryKey: sessionKeys.address,
  queryFn: async ({ client, signal }) => {
    const { signedIn } = await client.fetchQuery(sessionQuery);
    return signedIn ? (await signedInViewer(signal)).user.email : null;
  },
  retry: false,
});

/** Returns whether it is the same user in the same organization. */
export const isSameViewer = (one: SignedInViewer, other: SignedInViewer): boolean =>
  one.user.id === other.user.id && one.organization?.id === other.organization?.id;

/** Throws if the browser now has the session of another user, who would become the author. */
export async function assertStillSignedIn(expected: SignedInViewer): Promise<void> {
  const now = await signedInViewer();
  if (isSameViewer(expected, now)) return;
  const { name, email } = now.user;
  throw new Refused(
    'ANOTHER_PERSON',
    `Signed in as ${name || email} in another tab. Nothing was saved; your drafts are kept.`,
    null,
  );
}
