import { queryOptions } from '@tanstack/react-query';
import { ofCredential, pinOrganization, refused, requestGraphql, send } from '../graphql/request.ts';
import { Viewer, type ViewerQuery } from '../graphql/viewer.graphql.ts';
import { Refused } from '../lib/refused.ts';
import { readStored, writeStored } from '../lib/stored.ts';
import { queryKeys } from './query-keys.ts';

export interface CurrentSession {
  readonly signedIn: boolean;
  /** When it ends at the latest; null where nobody is signed in. */
  readonly endsAt: string | null;
}

interface SessionTold {
  readonly signedIn?: boolean;
  readonly endsAt?: string;
  readonly errors?: readonly [Parameters<typeof refused>[0]];
}

export type SignInCredential =
  | {
      readonly email: string;
      readonly password: string;
      /** Id of the one to go to, of who belongs to several. */
      readonly organization?: string;
    }
  | { readonly apiKey: string };

async function session(method: 'GET' | 'POST' | 'DELETE', body?: object, path = '/session'): Promise<CurrentSession> {
  const told = await send<SessionTold>(method, path, body);
  if (told.errors) throw refused(told.errors[0]);
  return { signedIn: told.signedIn === true, endsAt: told.endsAt ?? null };
}

/** Held while a session is begun in place of one that ends with that, in whichever tab. */
const RENEWAL = 'strata-session';
let underWay: Promise<unknown> | null = null;

/** The session before may have ended already: to ask now would lead to the door. Null where none is being begun in this tab. */
export const renewalUnderWay = (): Promise<unknown> | null => underWay;

/** Does what ends the session and begins another one, while nobody asks whether somebody is signed in. */
export async function renewing<Result>(renew: () => Promise<Result>): Promise<Result> {
  const renewed = locked('exclusive', renew);
  underWay = renewed;
  try {
    return await renewed;
  } finally {
    underWay = null;
  }
}

/** Pages that came by an insecure way have no locks, and no sessions either. */
async function locked<Result>(mode: LockMode, act: () => Promise<Result>): Promise<Result> {
  return 'locks' in navigator ? navigator.locks.request(RENEWAL, { mode }, act) : act();
}

const told = (): Promise<CurrentSession> => locked('shared', () => session('GET'));

export const sessionKeys = queryKeys('session', { isSeparate: true }, (all) => ({
  address: [...all, 'address'],
}));

/** Fails with `Refused` where nobody can sign in, with the reason. */
export const sessionQuery = queryOptions({ queryKey: sessionKeys.all, queryFn: told, retry: false });
/** Whether somebody is signed in now. */
export const isSignedIn = async (): Promise<boolean> => (await told()).signedIn;

/** What the tabs of this browser tell each other; a channel does not hear itself. */
type SessionNews = 'signed in' | 'signed out' | 'switched';
const tabs = new BroadcastChannel('strata-session');
const tell = (news: SessionNews) => tabs.postMessage(news);

/** A session that was begun just now. */
interface BegunSession extends CurrentSession {
  /** Whether it is for the organization that was named or remembered, or that a key is of; otherwise for the one joined first. */
  readonly isForChosen: boolean;
}

/** Where who comes back goes on: a session that ended has told which organization it was for. */
const LAST_ORGANIZATION = 'strata-organization';
/** There while a session is for the organization joined first only because nobody has said yet for which. */
const UNCHOSEN = 'strata-organization-unchosen';

/** Whether who signed in has still to say which organization they want. */
export const isOrganizationUnchosen = (): boolean => readStored(UNCHOSEN) !== null;

/** The session is for the one that they want. */
export const organizationIsChosen = (): void => writeStored(UNCHOSEN, null);

/**
 * Begins a session in the organization that is named; else in the one that this browser showed last, as far as it is still theirs.
 * Tells the other tabs, where somebody else may have been signed in.
 */
export async function signIn(credential: SignInCredential): Promise<BegunSession> {
  pinOrganization(null);
  const begun = await begin(credential).catch((error: unknown) => {
    throw ofCredential(error);
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

/** Also in the other tabs of this browser, whose websockets would stay open. */
export async function signOut(): Promise<void> {
  await session('DELETE');
  pinOrganization(null);
  writeStored(LAST_ORGANIZATION, null);
  organizationIsChosen();
  tell('signed out');
}

/**
 * Goes to another organization of the same person: in all tabs of this browser, since they share the session. This one goes on at
 * `href`.
 */
export async function switchOrganization(organization: string, href?: string): Promise<void> {
  await session('POST', { organization }, '/session/organization');
  organizationIsChosen();
  return reloadConsole(href);
}

/**
 * After the session of this browser became one for another organization: nothing that was read is true any more, in any tab. It does
 * not come to an end, since nothing is to be done any more on the page that goes.
 */
export function reloadConsole(href = '/projects'): Promise<never> {
  tell('switched');
  location.assign(href);
  return new Promise(() => undefined);
}

/** Returns what ends the listening. */
export function onSessionElsewhere(listener: (news: 'signed in' | 'signed out') => void): () => void {
  const hear = ({ data }: MessageEvent<SessionNews>) =>
    data === 'switched' ? location.assign('/projects') : listener(data);
  tabs.addEventListener('message', hear);
  return () => tabs.removeEventListener('message', hear);
}

/** Where nobody can sign in at all; the gateway says what is needed. */
export const isNotPossibleHere = (error: unknown): error is Refused =>
  error instanceof Refused && ['sessions_off', 'https_needed'].includes(error.code);

export type SignedInViewer = ViewerQuery['viewer'];

export const signedInViewer = async (signal?: AbortSignal): Promise<SignedInViewer> =>
  (await requestGraphql(Viewer, {}, signal)).viewer;

// Permissions follow from roles and grants.
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

/** Whether it is the same person, in the same organization. */
export const isSameViewer = (one: SignedInViewer, other: SignedInViewer): boolean =>
  one.user.id === other.user.id && one.organization?.id === other.organization?.id;

/** Fails where somebody else is signed in on this browser by now, in whose name it would be done. */
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
