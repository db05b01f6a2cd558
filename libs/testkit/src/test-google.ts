import { createPublicKey, generateKeyPairSync, randomInt, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CloudApi, type CloudCall, type CloudReply, startTestCloud, type TestCloud } from './test-cloud.ts';
import { SecretError, type SecretRequest, TestSecretProject } from './test-secret-project.ts';

const EMAIL = 'strata@operator.example';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const AHEAD_SECONDS_MAX = 3_600;

/** A project that no other test uses. */
export interface TestGoogleProject {
  readonly google_project_id: string;
  readonly secrets: TestSecretProject;
}

/** Google Secret Manager, with a service account that may use all projects. */
export interface TestGoogle extends TestCloud {
  /** The file with the key of the service account. */
  readonly credentialsFile: string;
  /** The operator's settings of a core that uses the stand-in. */
  readonly settings: Readonly<Record<string, string>>;
  /** Creates a project that confirms this organization. */
  newProject(organizationId: string | null): TestGoogleProject;
}

/** Serves the paths of Google's description of the API. The tokens that the client signs are checked. */
export async function startTestGoogle(): Promise<TestGoogle> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const directory = mkdtempSync(path.join(tmpdir(), 'strata-google-'));
  const credentialsFile = path.join(directory, 'key.json');
  const key = { type: 'service_account', client_email: EMAIL, private_key_id: 'key-1', private_key: privateKey };
  writeFileSync(credentialsFile, JSON.stringify(key));
  const projects = new Map<string, TestSecretProject>();
  const cloud = await startTestCloud({
    readCall,
    reject,
    execute: async (request, body) => {
      if (!isSignedBy(publicKey, request.headers.authorization ?? ''))
        return failure(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
      const { project, secretRequest } = readRequest(request, body);
      const secrets = projects.get(project);
      if (!secrets) return failure(403, 'PERMISSION_DENIED', 'The caller does not have permission.');
      try {
        return json(200, secrets.answer(secretRequest));
      } catch (error) {
        if (!(error instanceof SecretError)) throw error;
        return failure(error.status, error.code, error.message);
      }
    },
  });
  return {
    ...cloud,
    credentialsFile,
    settings: {
      STRATA_PRIVATE_DESTINATIONS: 'true',
      STRATA_GOOGLE_CREDENTIALS_FILE: credentialsFile,
      STRATA_GOOGLE_SECRET_MANAGER_URL: cloud.endpoint,
    },
    newProject: (organizationId) => {
      const id = `project-${randomInt(1_000_000_000)}`;
      const secrets = new TestSecretProject(String(randomInt(1_000_000_000)));
      projects.set(id, secrets);
      if (organizationId !== null) secrets.write('strata-organization', organizationId);
      return { google_project_id: id, secrets };
    },
    close: async () => {
      rmSync(directory, { recursive: true, force: true });
      await cloud.close();
    },
  };
}

const json = (status: number, body: object): CloudReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  body: JSON.stringify(body),
});

const failure = (status: number, code: string, message: string): CloudReply =>
  json(status, { error: { code: status, message, status: code } });

/** Google accepts a token that a service account has signed itself, if it names the scope and expires within an hour. */
function isSignedBy(publicKey: string, authorization: string): boolean {
  const [header = '', payload = '', signature = ''] = authorization.replace(/^Bearer /, '').split('.');
  const isValid = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${payload}`),
    createPublicKey(publicKey),
    Buffer.from(signature, 'base64url'),
  );
  if (!isValid) return false;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const now = Date.now() / 1_000;
  const expires = Number(claims.exp);
  return claims.iss === EMAIL && claims.scope === SCOPE && expires > now && expires <= now + AHEAD_SECONDS_MAX + 60;
}

const PATH = /^\/v1\/projects\/([^/]+)\/(secrets[^:]*)(?::(\w+))?$/;

function readRequest({ url = '/', method = 'GET' }: http.IncomingMessage, body: Buffer) {
  const { pathname, searchParams: query } = new URL(url, 'https://google');
  const [, project = '', restPath = '', verb = ''] = PATH.exec(pathname) ?? [];
  const text = body.toString();
  const path = restPath.split('/').filter(Boolean).map(decodeURIComponent);
  const secretRequest: SecretRequest = { method, path, verb, query, body: text === '' ? {} : JSON.parse(text) };
  return { project, secretRequest };
}

const OPERATIONS: Readonly<Record<string, string>> = {
  'GET 1': 'ListSecrets',
  'POST 1': 'CreateSecret',
  'GET 2': 'GetSecret',
  'PATCH 2': 'UpdateSecret',
  'DELETE 2': 'DeleteSecret',
  'POST 2 addVersion': 'AddSecretVersion',
  'GET 3': 'ListSecretVersions',
  'GET 4': 'GetSecretVersion',
  'GET 4 access': 'AccessSecretVersion',
  'POST 4 enable': 'EnableSecretVersion',
  'POST 4 disable': 'DisableSecretVersion',
  'POST 4 destroy': 'DestroySecretVersion',
};

function readCall(request: http.IncomingMessage, body: Buffer): CloudCall {
  const { secretRequest } = readRequest(request, body);
  const { method, path, verb } = secretRequest;
  const operation = OPERATIONS[`${method} ${path.length}${verb && ` ${verb}`}`] ?? 'Unknown';
  const name = path[1] ?? secretRequest.query.get('secretId') ?? '';
  const fields = secretRequest.query.get('fields') ?? undefined;
  return { operation, input: { name, version: path[3], fields, ...secretRequest.body } };
}

const reject: CloudApi['reject'] = ({ code, status }) => {
  const reply = failure(status, code, 'A scripted fault.');
  return status === 429 ? { ...reply, headers: { ...reply.headers, 'retry-after': '0' } } : reply;
};
