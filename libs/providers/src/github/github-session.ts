import { createPrivateKey, type KeyObject } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { addressGuard, createGuardedFetch } from '@strata/outbound';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { classifyNetworkError } from '../http-errors.ts';
import type { GitHubInstallation, ProviderEnvironment } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { requestPace } from '../request-pace.ts';
import { classifyGitHubResponse } from './github-errors.ts';

const API_VERSION = '2022-11-28';
/** GitHub accepts tokens of at most ten minutes, and its clock can be behind ours. */
const APP_TOKEN_SECONDS = 540;
const CLOCK_SKEW_SECONDS = 60;
/** A token that expires sooner is replaced. */
const TOKEN_MARGIN_MS = 60_000;
/** Throttled requests are repeated at once if GitHub announces a short pause. Longer ones are up to the next run. */
const ATTEMPTS_MAX = 3;
const PAUSE_SECONDS_MAX = 10;
/** GitHub allows 80 writes per minute, and recommends a second between two of them. */
const WRITES_AT_ONCE = 20;
const WRITES_PER_SECOND = 1;

export interface GitHubRequest {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** The segments of the path below the address of the API. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: string;
  readonly body?: object;
}

/** The permissions of a token, with GitHub's names. */
export type TokenPermissions = Readonly<Record<string, 'read' | 'write'>>;

export interface InstallationRequest extends GitHubRequest {
  /** The only permissions of the token that the request is sent with. */
  readonly permissions: TokenPermissions;
}

/** A connection to one installation of the operator's app. */
export interface GitHubSession {
  /** Sends a request with the token of the installation. Reports it, and classifies its error. */
  send(operation: string, request: InstallationRequest): Promise<Response>;
  /** Sends a request as the app itself. */
  sendAsApp(operation: string, request: GitHubRequest): Promise<Response>;
  /** Waits until the next write may be sent. Call it before the last check of what is written. */
  awaitWrite(): Promise<void>;
  /** The time of GitHub at its last response in milliseconds. */
  now(): number;
  close(): void;
}

const IssuedToken = z.object({ token: z.string().min(1), expires_at: z.string() });

/** Returns why no request can be authenticated; null if one can. */
export function credentialsProblem({ appId, privateKey }: GitHubInstallation): ProviderError | null {
  if (appId !== null && privateKey !== null) return null;
  return new ProviderError({
    kind: 'denied',
    code: 'no_credentials',
    detail:
      'The operator has not set up a GitHub App. Ask them to set STRATA_GITHUB_APP_ID and STRATA_GITHUB_PRIVATE_KEY.',
  });
}

/** Opens a session. A token of the installation is requested with the first request that needs its permissions. */
export function openGitHubSession(
  installationId: number,
  { github, guard, onCall }: ProviderEnvironment,
): GitHubSession {
  const key = parseKey(github.privateKey ?? '');
  const outbound = createGuardedFetch(addressGuard(guard));
  const writePace = requestPace(WRITES_AT_ONCE, WRITES_PER_SECOND);
  let now = Date.now();
  const issuedTokens = new Map<string, Promise<{ readonly token: string; readonly expiresAt: number }>>();

  const send = async (operation: string, request: GitHubRequest, token: () => Promise<string>): Promise<Response> => {
    const isWrite = request.method === 'PUT' || request.method === 'DELETE';
    const url = requestUrl(github.apiUrl, request);
    for (let attempt = 1; ; attempt += 1) {
      const authorization = `Bearer ${await token()}`;
      onCall({ operation, isWrite });
      const response = await outbound.fetch(url, requestInit(request, authorization)).catch((error: unknown) => {
        throw classifyNetworkError(error);
      });
      now = Date.parse(response.headers.get('date') ?? '') || Date.now();
      if (response.ok) return response;
      const error = await classifyGitHubResponse(response);
      const pause = error.retryAfterSeconds ?? attempt;
      // A write is not repeated, because its key can change during the pause.
      if (isWrite || error.kind !== 'rate' || attempt === ATTEMPTS_MAX || pause > PAUSE_SECONDS_MAX) throw error;
      await setTimeout(pause * 1_000);
    }
  };
  const sendAsApp: GitHubSession['sendAsApp'] = async (operation, request) => {
    try {
      return await send(operation, request, () => signAppToken(github.appId ?? '', key));
    } catch (error) {
      throw error instanceof ProviderError && error.code === 'HTTP_401' ? invalidCredentials() : error;
    }
  };
  const issueToken = async (permissions: TokenPermissions) => {
    const path = ['app', 'installations', String(installationId), 'access_tokens'];
    const request = { method: 'POST', path, body: { permissions } } as const;
    const response = await sendAsApp('apps/create-installation-access-token', request).catch((error: unknown) => {
      throw tokenError(error, permissions);
    });
    const { token, expires_at: expiresAt } = await readJson(response, IssuedToken);
    return { token, expiresAt: Date.parse(expiresAt) };
  };
  const installationToken = async (permissions: TokenPermissions) => {
    const id = JSON.stringify(permissions);
    const current = await issuedTokens.get(id)?.catch(() => null);
    if (current && current.expiresAt - TOKEN_MARGIN_MS > now) return current.token;
    const token = issueToken(permissions);
    issuedTokens.set(id, token);
    return (await token).token;
  };
  return {
    send: (operation, request) => send(operation, request, () => installationToken(request.permissions)),
    sendAsApp,
    awaitWrite: writePace,
    now: () => now,
    close: () => outbound.destroy(),
  };
}

/** A missing installation must not look like a missing secret. */
function tokenError(error: unknown, permissions: TokenPermissions): unknown {
  if (!(error instanceof ProviderError)) return error;
  if (error.code === 'HTTP_422') return missingPermissionsError(permissions);
  const detail = 'The app is no longer installed in the GitHub organization.';
  return error.kind === 'missing' ? new ProviderError({ kind: 'denied', code: 'no_installation', detail }) : error;
}

/** The error of an installation whose owner has not accepted permissions. */
export function missingPermissionsError(permissions: TokenPermissions): ProviderError {
  const names = Object.entries(permissions).map(([name, access]) => `${name}: ${access}`);
  return new ProviderError({
    kind: 'denied',
    code: 'missing_permissions',
    detail: `The installation does not have the permissions ${names.join(', ')}. Add them to the app, and accept them in the GitHub organization.`,
  });
}

/** Parses a response. Throws a temporary error if it is not the expected one, such as the page of a proxy. */
export async function readJson<Shape>(response: Response, shape: z.ZodType<Shape>): Promise<Shape> {
  const parsed = shape.safeParse(await response.json().catch(() => null));
  if (parsed.success) return parsed.data;
  const detail = 'GitHub sent a response that Strata does not understand.';
  throw new ProviderError({ kind: 'retryable', code: 'unexpected_response', detail });
}

/** A segment of dots would change the path of the request. */
function requestUrl(apiUrl: string, { path, query = {} }: GitHubRequest): string {
  if (path.some((segment) => ['', '.', '..'].includes(segment)))
    throw new ProviderError({
      kind: 'invalid',
      code: 'invalid_path',
      detail: 'A part of the location is empty or dots.',
    });
  const search = new URLSearchParams(query).toString();
  return `${apiUrl.replace(/\/$/, '')}/${path.map(encodeURIComponent).join('/')}${search && `?${search}`}`;
}

function requestInit({ method = 'GET', accept, body }: GitHubRequest, authorization: string): RequestInit {
  return {
    method,
    headers: {
      authorization,
      accept: accept ?? 'application/vnd.github+json',
      'user-agent': 'strata',
      'x-github-api-version': API_VERSION,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  };
}

function signAppToken(appId: string, key: KeyObject): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(appId)
    .setIssuedAt(now - CLOCK_SKEW_SECONDS)
    .setExpirationTime(now + APP_TOKEN_SECONDS)
    .sign(key);
}

/** GitHub issues keys in the format of PKCS #1, which only Node's own parser reads. The error contains no key. */
function parseKey(privateKey: string): KeyObject {
  try {
    const key = createPrivateKey(privateKey);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // The message could contain a part of the key.
  }
  throw invalidCredentials();
}

const invalidCredentials = () =>
  new ProviderError({
    kind: 'denied',
    code: 'invalid_credentials',
    detail:
      'STRATA_GITHUB_APP_ID and STRATA_GITHUB_PRIVATE_KEY are not those of a GitHub App. Ask the operator to correct them.',
  });
