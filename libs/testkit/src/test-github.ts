import { createPublicKey, generateKeyPairSync, randomInt } from 'node:crypto';
import type http from 'node:http';
import { jwtVerify } from 'jose';
import { type CloudApi, type CloudCall, type CloudReply, startTestCloud, type TestCloud } from './test-cloud.ts';
import { type RepositoryRequest, TestRepositories } from './test-repositories.ts';

const APP_ID = '314159';
const TOKEN_SECONDS_MAX = 600;
const TOKEN_LIFETIME_MS = 3_600_000;

/** An installation of the app in a GitHub organization that no other test uses. */
export interface TestGitHubInstallation {
  readonly gh_installation_id: number;
  readonly organization: string;
  readonly repositories: TestRepositories;
  /** Sets the variable of the organization that names an organization of Strata. Null removes it. */
  confirm(organizationId: string | null): void;
  rename(organization: string): void;
  /** Replaces the permissions of the installation. */
  grant(permissions: Permissions): void;
}

type Permissions = Readonly<Record<string, 'read' | 'write'>>;

const ALL_PERMISSIONS: Permissions = {
  ...{ metadata: 'read', contents: 'read', secrets: 'write', environments: 'write' },
  organization_actions_variables: 'read',
};

/** The REST API of GitHub, with an app that organizations have installed. */
export interface TestGitHub extends TestCloud {
  /** The private key of the app, in the format in which GitHub issues it. */
  readonly privateKey: string;
  readonly appId: string;
  /** The operator's settings of a core that uses the stand-in. */
  readonly settings: Readonly<Record<string, string>>;
  /** Creates an installation whose GitHub organization names this organization. */
  newInstallation(organizationId: string | null): TestGitHubInstallation;
  /** Returns the tokens that were issued, which no log may contain. */
  tokens(): readonly string[];
}

interface Installation {
  readonly id: number;
  login: string;
  confirmed: string | null;
  permissions: Permissions;
  readonly repositories: TestRepositories;
}

/** A token with the permissions that were requested for it. */
interface IssuedToken {
  readonly installation: Installation;
  readonly permissions: Permissions;
}

/** Serves the paths that GitHub's description of the API has, and checks the credential of each request. */
export async function startTestGitHub(): Promise<TestGitHub> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const installations: Installation[] = [];
  const tokens = new Map<string, IssuedToken>();
  const cloud = await startTestCloud({ readCall, reject, execute });

  async function execute(request: http.IncomingMessage, body: Buffer): Promise<CloudReply> {
    const { segments, ...repositoryRequest } = readRequest(request, body);
    const credential = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    const [root, second = '', third = ''] = segments;
    if (root === 'app') {
      if (!(await isSignedByApp(publicKey, credential))) return failure(401, 'A JSON web token could not be decoded');
      const installation = installations.find(({ id }) => String(id) === third);
      if (!installation) return failure(404, 'Not Found');
      return segments[3] === 'access_tokens'
        ? issueToken(tokens, installation, repositoryRequest.body)
        : json(200, describe(installation));
    }
    const issuedToken = tokens.get(credential);
    if (!issuedToken) return failure(401, 'Bad credentials');
    const { installation, permissions } = issuedToken;
    // A token can read nothing private of other organizations.
    if (second.toLowerCase() !== installation.login.toLowerCase()) return failure(404, 'Not Found');
    const needed = neededPermissions(segments, repositoryRequest.method);
    if (!includes(permissions, needed)) return failure(403, 'Resource not accessible by integration');
    if (root === 'orgs') return variable(installation, segments.at(-1) ?? '');
    const reply = installation.repositories.answer(third, { ...repositoryRequest, path: segments.slice(3) });
    if (!Buffer.isBuffer(reply.body)) return json(reply.status, reply.body);
    return {
      status: 200,
      headers: headers('application/vnd.github.raw+json'),
      body: reply.body,
    };
  }

  return {
    ...cloud,
    privateKey,
    appId: APP_ID,
    settings: {
      STRATA_PRIVATE_DESTINATIONS: 'true',
      STRATA_GITHUB_APP_ID: APP_ID,
      STRATA_GITHUB_PRIVATE_KEY: privateKey,
      STRATA_GITHUB_API_URL: cloud.endpoint,
    },
    newInstallation: (organizationId) => {
      const installation = createInstallation(organizationId);
      installations.push(installation);
      return createControls(installation);
    },
    tokens: () => [...tokens.keys()],
  };
}

function createInstallation(organizationId: string | null): Installation {
  const id = randomInt(1, 2_000_000_000);
  return {
    ...{ id, login: `Acme-${id}`, confirmed: organizationId, repositories: new TestRepositories() },
    permissions: ALL_PERMISSIONS,
  };
}

/** Returns what a test can change about an installation. */
function createControls(installation: Installation): TestGitHubInstallation {
  return {
    gh_installation_id: installation.id,
    organization: installation.login,
    repositories: installation.repositories,
    confirm: (organization) => {
      installation.confirmed = organization;
    },
    rename: (organization) => {
      installation.login = organization;
    },
    grant: (permissions) => {
      installation.permissions = permissions;
    },
  };
}

/** Node caches the time of its responses, and a busy process renews it late. */
const headers = (type: string) => ({ 'content-type': `${type}; charset=utf-8`, date: new Date().toUTCString() });

const json = (status: number, body: object | null): CloudReply => ({
  status,
  headers: headers('application/json'),
  body: body === null ? '' : JSON.stringify(body),
});

const failure = (status: number, message: string): CloudReply =>
  json(status, { message, documentation_url: 'https://docs.github.com/rest', status: String(status) });

/** GitHub accepts tokens of the app that expire within ten minutes. */
async function isSignedByApp(publicKey: string, token: string): Promise<boolean> {
  try {
    const { payload } = await jwtVerify(token, createPublicKey(publicKey), { issuer: APP_ID, algorithms: ['RS256'] });
    return Number(payload.exp) <= Date.now() / 1_000 + TOKEN_SECONDS_MAX && Number(payload.iat) <= Date.now() / 1_000;
  } catch {
    return false;
  }
}

/** Without permissions in the request, the token has all of the installation. */
function issueToken(
  tokens: Map<string, IssuedToken>,
  installation: Installation,
  { permissions = installation.permissions }: { readonly permissions?: Permissions },
): CloudReply {
  if (!includes(installation.permissions, permissions))
    return failure(422, 'The permissions requested are not granted to this installation.');
  const token = `ghs_${randomInt(1_000_000_000)}${randomInt(1_000_000_000)}`;
  tokens.set(token, { installation, permissions });
  return json(201, { token, expires_at: new Date(Date.now() + TOKEN_LIFETIME_MS).toISOString(), permissions });
}

/** Returns whether permissions include all needed ones. Write access includes read access. */
const includes = (permissions: Permissions, needed: Permissions): boolean =>
  Object.entries(needed).every(([name, access]) => [access, 'write'].includes(permissions[name] ?? ''));

function neededPermissions([root, , , area]: readonly string[], method: string): Permissions {
  if (root === 'orgs') return { organization_actions_variables: 'read' };
  if (area === 'contents') return { contents: 'read' };
  return { [area === 'environments' ? 'environments' : 'secrets']: method === 'GET' ? 'read' : 'write' };
}

function variable({ confirmed }: Installation, name: string): CloudReply {
  if (name !== 'STRATA_ORGANIZATION' || confirmed === null) return failure(404, 'Not Found');
  const at = '2026-01-01T00:00:00Z';
  return json(200, { name, value: confirmed, created_at: at, updated_at: at, visibility: 'private' });
}

/** Returns an installation with the members that the description of the API requires. */
function describe({ id, login, permissions }: Installation) {
  const url = `https://api.github.com/users/${login}`;
  const links = ['events', 'followers', 'following', 'gists', 'organizations', 'received_events', 'repos', 'starred'];
  const account = {
    ...{ login, id, node_id: 'O_1', gravatar_id: '', site_admin: false, type: 'Organization', url },
    ...{ avatar_url: url, html_url: url, subscriptions_url: url },
    ...Object.fromEntries(links.map((name) => [`${name}_url`, url])),
  };
  return {
    ...{ id, account, app_id: Number(APP_ID), app_slug: 'strata', target_id: id, target_type: 'Organization' },
    ...{ repository_selection: 'all', access_tokens_url: url, repositories_url: url, html_url: url },
    ...{ permissions, events: [], single_file_name: null },
    ...{
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
      suspended_by: null,
      suspended_at: null,
    },
  };
}

function readRequest({ url = '/', method = 'GET' }: http.IncomingMessage, body: Buffer) {
  const { pathname, searchParams: query } = new URL(url, 'https://github');
  const text = body.toString();
  const segments = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  return { method, segments, query, body: text === '' ? {} : (JSON.parse(text) as RepositoryRequest['body']) };
}

/** Names the operation as GitHub's description of the API does. */
function readCall(request: http.IncomingMessage, body: Buffer): CloudCall {
  const { method, segments, query, body: input } = readRequest(request, body);
  const [root, , repository, area] = segments;
  if (root === 'app') {
    const isToken = segments.at(-1) === 'access_tokens';
    return { operation: isToken ? 'apps/create-installation-access-token' : 'apps/get-installation', input };
  }
  if (root === 'orgs') return { operation: 'actions/get-org-variable', input: {} };
  if (area === 'contents') return { operation: 'repos/get-content', input: { repository, ref: query.get('ref') } };
  const isOfEnvironment = area === 'environments';
  const owner = isOfEnvironment ? 'environment' : 'repo';
  const [environment, name] = isOfEnvironment ? [segments[4], segments[6]] : [undefined, segments[5]];
  const fields = { repository, environment, name, ...input };
  if (name === undefined) return { operation: `actions/list-${owner}-secrets`, input: fields };
  if (name === 'public-key') return { operation: `actions/get-${owner}-public-key`, input: fields };
  const verb = { PUT: 'create-or-update', DELETE: 'delete' }[method] ?? 'get';
  return { operation: `actions/${verb}-${owner}-secret`, input: fields };
}

/** GitHub announces its limits in headers. The code `secondary` stands for a limit without one. */
const reject: CloudApi['reject'] = ({ code, status }) => {
  const message = code === 'secondary' ? 'You have exceeded a secondary rate limit.' : `A scripted fault: ${code}`;
  const reply = failure(status, message);
  if (status === 429) return { ...reply, headers: { ...reply.headers, 'retry-after': '0' } };
  if (code !== 'primary') return reply;
  const reset = String(Math.ceil(Date.now() / 1_000) + 120);
  return { ...reply, headers: { ...reply.headers, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } };
};
