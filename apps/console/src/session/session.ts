import { queryOptions } from '@tanstack/react-query';
import { ask, onlyFor, Refused, refused, send } from '../graphql/ask.ts';
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

export type GivenCredential =
  | {
      readonly email: string;
      readonly password: string;
      /** Id of the one to go to, of who belongs to several. */
      readonly organization?: string;
    }
  | { readonly apiKey: string };

async function session(method: 'GET' | 'POST' | 'DELETE', body?: object, path = '/session'): Promise<SessionNow> {
  const told = await send<SessionTold>(method, path, body);
  if (told.errors) throw refused(told.errors[0]);
  return { signedIn: told.signedIn === true, endsAt: told.endsAt ?? null };
}

/** Fails with `Refused` where nobody can sign in, with the reason. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => session('GET'),
  retry: false,
});

/** Begins a session in the organization that is named; else in the one that this browser showed last, as far as it is still theirs. */
export async function signIn(credential: GivenCredential): Promise<SessionNow> {
  onlyFor(null);
  const last = localStorage.getItem(LAST_ORGANIZATION);
  if ('apiKey' in credential || credential.organization !== undefined || last === null)
    return session('POST', credential);
  try {
    return await session('POST', { ...credential, organization: last });
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'unknown_link') throw error;
    localStorage.removeItem(LAST_ORGANIZATION);
    return session('POST', credential);
  }
}

/** What ends the session of this browser and begins another one in its place. */
let renewal: Promise<unknown> = Promise.resolve();

/** Nobody is told to be signed out between the end of a session and the next one that `work` begins. */
export function withoutInterruption(work: () => Promise<void>): Promise<void> {
  const done = work();
  renewal = done.catch(() => undefined);
  return done;
}

/** Whether somebody is signed in now. */
export async function isSignedIn(): Promise<boolean> {
  await renewal;
  return (await session('GET')).signedIn;
}

/** What the tabs of this browser tell each other; a channel does not hear itself. */
const tabs = new BroadcastChannel('strata-session');
const SWITCHED = 'switched';
/** Where who comes back goes on: a session that ended has told which organization it was for. */
const LAST_ORGANIZATION = 'strata-organization';

/** Also in the other tabs of this browser, whose websockets would stay open. */
export async function signOut(): Promise<void> {
  await session('DELETE');
  onlyFor(null);
  localStorage.removeItem(LAST_ORGANIZATION);
  tabs.postMessage('signed out');
}

/** Goes to another organization of the same person: in all tabs of this browser, since they share the session. */
export async function switchOrganization(organization: string): Promise<void> {
  await session('POST', { organization }, '/session/organization');
  return beginAnew();
}

/**
 * After the session of this browser became one for another organization: nothing that was read is true any more, in any tab. It does
 * not come to an end, since nothing is to be done any more on the page that goes.
 */
export function beginAnew(): Promise<never> {
  tabs.postMessage(SWITCHED);
  location.assign('/projects');
  return new Promise(() => undefined);
}

/** Returns what ends the listening. */
export function onSignedOutElsewhere(listener: () => void): () => void {
  const hear = ({ data }: MessageEvent) => (data === SWITCHED ? location.assign('/projects') : listener());
  tabs.addEventListener('message', hear);
  return () => tabs.removeEventListener('message', hear);
}

/** Where nobody can sign in at all; the gateway says what is needed. */
export const isNotPossibleHere = (error: unknown): error is Refused =>
  error instanceof Refused && ['sessions_off', 'https_needed'].includes(error.code);

export const viewerQuery = queryOptions({
  queryKey: ['viewer'],
  queryFn: async ({ signal }) => {
    const { viewer } = await ask(Viewer, {}, signal);
    const { organization } = viewer;
    onlyFor(organization?.id ?? null);
    if (organization) localStorage.setItem(LAST_ORGANIZATION, organization.id);
    return viewer;
  },
});
