import { randomInt, randomUUID } from 'node:crypto';
import type http from 'node:http';
import tls from 'node:tls';
import { type CloudApi, type CloudCall, type CloudReply, startTestCloud, type TestCloud } from './test-cloud.ts';
import { type KeyVaultRequest, TestKeyVault } from './test-key-vault.ts';

/** The application that the stand-in knows. It accepts the token of a workload instead of the secret. */
export const AZURE_APPLICATION = {
  clientId: '3f2a1c9e-6d0b-4c5f-9a41-8f1f5b0f7a10',
  clientSecret: 'stand-in~client~secret',
  workloadToken: 'token.of.a.workload',
};

const RESOURCE = 'https://vault.azure.net';

/** The settings of an integration with a new vault. */
export interface TestVault {
  readonly vault_name: string;
  readonly tenant_id: string;
  /** The names of the secrets with their current values, without deleted ones. */
  values(): Readonly<Record<string, string>>;
  /** Writes a secret as another program, which sets no tags. */
  write(name: string, value: string): void;
}

/** The token endpoint of Microsoft Entra, and Key Vault, whose vaults are the first segment of the path. */
export interface TestAzure extends TestCloud {
  /** The certificate of the endpoint as PEM. This process trusts it. */
  readonly certificate: string;
  /** The operator's settings of a core that uses the stand-in. */
  readonly settings: Readonly<Record<string, string>>;
  /** Creates a vault that confirms this organization, in a tenant of its own. */
  newVault(organizationId: string | null, options?: { readonly hasSoftDelete?: boolean }): TestVault;
}

interface StoredVault {
  readonly tenantId: string;
  readonly vault: TestKeyVault;
}

export async function startTestAzure(): Promise<TestAzure> {
  const { selfSignedCertificate } = await import('./self-signed-certificate.ts');
  const certificate = selfSignedCertificate();
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate.cert]);
  const vaults = new Map<string, StoredVault>();
  /** The tenants of the issued tokens. */
  const tokens = new Map<string, string>();
  let endpoint = '';
  const cloud = await startTestCloud(
    {
      readCall,
      reject,
      execute: async (request, body) => {
        const { pathname } = new URL(request.url ?? '/', endpoint);
        if (pathname.endsWith('/oauth2/v2.0/token')) return issueToken(tokens, pathname, body);
        return serveVault(vaults, tokens, endpoint, request, body);
      },
    },
    certificate,
  );
  endpoint = cloud.endpoint;
  return {
    ...cloud,
    certificate: certificate.cert,
    settings: {
      STRATA_PRIVATE_DESTINATIONS: 'true',
      STRATA_AZURE_CLIENT_ID: AZURE_APPLICATION.clientId,
      STRATA_AZURE_CLIENT_SECRET: AZURE_APPLICATION.clientSecret,
      STRATA_AZURE_AUTHORITY_URL: endpoint,
      STRATA_AZURE_VAULT_URL: `${endpoint}/{vault}`,
    },
    newVault: (organizationId, { hasSoftDelete = true } = {}) => {
      const name = `vault-${randomInt(1_000_000_000)}`;
      const tenantId = randomUUID();
      const vault = new TestKeyVault(name, `${endpoint}/${name}`, hasSoftDelete);
      vaults.set(name, { tenantId, vault });
      if (organizationId !== null) vault.write('strata-organization', organizationId);
      return {
        vault_name: name,
        tenant_id: tenantId,
        values: () => vault.values(),
        write: (secret, value) => vault.write(secret, value),
      };
    },
  };
}

const json = (status: number, body: object, headers: http.OutgoingHttpHeaders = {}): CloudReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
});

function issueToken(tokens: Map<string, string>, pathname: string, body: Buffer): CloudReply {
  const form = Object.fromEntries(new URLSearchParams(body.toString()));
  const { clientId, clientSecret, workloadToken } = AZURE_APPLICATION;
  const isKnown = form.client_secret === clientSecret || form.client_assertion === workloadToken;
  if (form.client_id !== clientId || !isKnown || form.grant_type !== 'client_credentials')
    return json(401, { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret provided.' });
  if (form.scope !== `${RESOURCE}/.default`)
    return json(400, { error: 'invalid_scope', error_description: 'AADSTS70011: The provided scope is not valid.' });
  const token = randomUUID();
  tokens.set(token, pathname.split('/')[1] ?? '');
  return json(200, { token_type: 'Bearer', expires_in: 3_599, access_token: token });
}

async function serveVault(
  vaults: ReadonlyMap<string, StoredVault>,
  tokens: ReadonlyMap<string, string>,
  endpoint: string,
  request: http.IncomingMessage,
  body: Buffer,
): Promise<CloudReply> {
  const { name, vaultRequest } = readVaultRequest(request, body);
  const storedVault = vaults.get(name);
  if (!storedVault) throw new Error('The host of an unknown vault does not exist.');
  const { tenantId, vault } = storedVault;
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (tokens.get(token) !== tenantId) {
    const challenge = `Bearer authorization="${endpoint}/${tenantId}", resource="${RESOURCE}"`;
    return json(
      401,
      { error: { code: 'Unauthorized', message: 'AKV10000: The request has no valid token.' } },
      {
        'www-authenticate': challenge,
      },
    );
  }
  const respond = vault.answer(vaultRequest);
  return json(respond.status, respond.body);
}

function readVaultRequest({ url = '/', method = 'GET' }: http.IncomingMessage, body: Buffer) {
  const { pathname, searchParams: query } = new URL(url, 'https://vault');
  const [name = '', ...path] = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const text = body.toString();
  const vaultRequest: KeyVaultRequest = { method, path, query, body: text === '' ? {} : JSON.parse(text) };
  return { name, vaultRequest };
}

const OPERATIONS: Readonly<Record<string, string>> = {
  'PUT secrets name': 'SetSecret',
  'GET secrets name': 'GetSecret',
  'PATCH secrets name': 'UpdateSecret',
  'DELETE secrets name': 'DeleteSecret',
  'GET secrets': 'GetSecrets',
  'GET deletedsecrets': 'GetDeletedSecrets',
  'GET deletedsecrets name': 'GetDeletedSecret',
  'POST deletedsecrets name': 'RecoverDeletedSecret',
  'DELETE deletedsecrets name': 'PurgeDeletedSecret',
};

/** The first request of a client has no token: the vault returns the tenant that it belongs to. */
function readCall(request: http.IncomingMessage, body: Buffer): CloudCall {
  if (request.url?.endsWith('/oauth2/v2.0/token'))
    return { operation: 'RequestToken', input: Object.fromEntries(new URLSearchParams(body.toString())) };
  const { vaultRequest } = readVaultRequest(request, body);
  const [collection = '', name = ''] = vaultRequest.path;
  const operation = OPERATIONS[`${vaultRequest.method} ${collection}${name && ' name'}`] ?? 'Unknown';
  const hasToken = request.headers.authorization !== undefined;
  return { operation: hasToken ? operation : 'Challenge', input: { name, ...vaultRequest.body } };
}

const reject: CloudApi['reject'] = ({ code, status }) =>
  json(status, { error: { code, message: 'A scripted fault.' } }, status === 429 ? { 'retry-after': '1' } : {});
