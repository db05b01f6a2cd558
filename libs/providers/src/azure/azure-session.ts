import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { SecretClient } from '@azure/keyvault-secrets';
import { decodeText } from '@strata/domain';
import { addressGuard, createGuardedAgents, createGuardedFetch, type GuardedAgents } from '@strata/outbound';
import type { AzureInstallation, ProviderEnvironment } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { classifyTokenError, classifyVaultError } from './azure-errors.ts';
import type { AzureSettings } from './azure-settings.ts';

const CONNECTIONS_MAX = 10;
const TIMEOUT_MS = 10_000;
/** Throttled requests are repeated at once if the vault announces a short pause. Longer ones are up to the next run. */
const ATTEMPTS_MAX = 3;
const PAUSE_SECONDS_MAX = 10;

export interface VaultRequest<Output> {
  readonly isWrite?: boolean;
  readonly hasValue?: boolean;
  readonly send: (client: SecretClient) => Promise<Output>;
}

/** A connection to one vault. */
export interface AzureSession {
  /** Sends a request, reports it, and classifies its error. */
  send<Output>(operation: string, request: VaultRequest<Output>): Promise<Output>;
  /** Returns all pages of a list. A page that is throttled fails the list, because the rest would be missing. */
  list<Item>(
    operation: string,
    pages: (client: SecretClient) => AsyncIterable<readonly Item[]>,
  ): Promise<readonly Item[]>;
  /** The time of the vault at its last response in milliseconds. */
  now(): number;
  close(): void;
}

/** Returns why no token can be requested; null if one can. */
export function credentialsProblem({ clientId, clientSecret, federatedTokenFile }: AzureInstallation) {
  if (clientId !== null && (clientSecret !== null || federatedTokenFile !== null)) return null;
  return new ProviderError({
    kind: 'denied',
    code: 'no_credentials',
    detail:
      'This installation has no Azure credentials. Ask the operator to set STRATA_AZURE_CLIENT_ID, and STRATA_AZURE_CLIENT_SECRET or STRATA_AZURE_FEDERATED_TOKEN_FILE.',
  });
}

/** Opens a session. The token is requested with the first request, when the vault has named its tenant. */
export async function openAzureSession(
  { vault, tenantId }: AzureSettings,
  { azure, guard: rules, onCall }: ProviderEnvironment,
): Promise<AzureSession> {
  const guard = addressGuard(rules);
  const agents = createGuardedAgents(guard, CONNECTIONS_MAX);
  const tokens = createGuardedFetch(guard);
  const [{ SecretClient: Client }, { createDefaultHttpClient }] = await Promise.all([
    import('@azure/keyvault-secrets'),
    import('@azure/core-rest-pipeline'),
  ]);
  let now = 0;
  const getToken = async (scopes: string | string[], options?: { readonly tenantId?: string }) => {
    if (options?.tenantId?.toLowerCase() !== tenantId) throw wrongTenant(vault, tenantId, options?.tenantId);
    onCall({ operation: 'RequestToken', isWrite: false });
    return requestToken(azure, tenantId, [scopes].flat().join(' '), tokens.fetch);
  };
  const transport = createDefaultHttpClient();
  const client = new Client(
    azure.vaultUrl.replace('{vault}', vault),
    { getToken },
    {
      httpClient: {
        sendRequest: async (request) => {
          const response = await transport.sendRequest(guarded(request, agents));
          now = Date.parse(response.headers.get('date') ?? '') || Date.now();
          return response;
        },
      },
      // Only an address that the operator chose differs from the resource that the vault names.
      disableChallengeResourceVerification: !azure.vaultUrl.startsWith('https://{vault}.'),
      redirectOptions: { maxRetries: 0 },
      retryOptions: { maxRetries: 0 },
    },
  );
  return {
    send: async (operation, { isWrite = false, hasValue = false, send }) => {
      for (let attempt = 1; ; attempt += 1) {
        onCall({ operation, isWrite });
        try {
          return await send(client);
        } catch (thrown) {
          const error = classifyVaultError(thrown, { hasValue });
          const pause = error.retryAfterSeconds ?? attempt;
          if (error.kind !== 'rate' || attempt === ATTEMPTS_MAX || pause > PAUSE_SECONDS_MAX) throw error;
          await setTimeout(pause * 1_000);
        }
      }
    },
    list: async (operation, pages) => {
      const items = [];
      try {
        for await (const page of pages(client)) {
          onCall({ operation, isWrite: false });
          items.push(...page);
        }
      } catch (error) {
        throw classifyVaultError(error, { hasValue: false });
      }
      return items;
    },
    now: () => now,
    close: () => {
      agents.destroy();
      tokens.destroy();
    },
  };
}

/** A request of the SDK. The agent is set last, so that a proxy of the environment does not replace it. */
interface VaultHttpRequest {
  readonly url: string;
  timeout: number;
  agent?: object;
}

function guarded<Request extends VaultHttpRequest>(
  request: Request,
  { httpAgent, httpsAgent }: GuardedAgents,
): Request {
  request.agent = request.url.startsWith('https:') ? httpsAgent : httpAgent;
  request.timeout = TIMEOUT_MS;
  return request;
}

function wrongTenant(vault: string, expected: string, actual: string | undefined): ProviderError {
  return new ProviderError({
    kind: 'invalid',
    code: 'wrong_tenant',
    member: 'tenant_id',
    detail: `The vault ${vault} belongs to the tenant ${actual ?? 'of another service'}, and the integration to ${expected}.`,
  });
}

/** Requests a token for the application of the operator in a tenant of a customer, by the client credentials grant. */
async function requestToken(
  { authorityUrl, clientId, clientSecret, federatedTokenFile }: AzureInstallation,
  tenantId: string,
  scope: string,
  fetch: (url: string, init?: RequestInit) => Promise<Response>,
): Promise<{ token: string; expiresOnTimestamp: number }> {
  const oauth = await import('openid-client');
  const tenant = `${authorityUrl.replace(/\/$/, '')}/${tenantId}`;
  const server = { issuer: `${tenant}/v2.0`, token_endpoint: `${tenant}/oauth2/v2.0/token` };
  try {
    const assertion = clientSecret === null ? await readAssertion(federatedTokenFile ?? '') : null;
    const authenticate =
      assertion === null
        ? oauth.ClientSecretPost(clientSecret ?? '')
        : (_server: object, _client: object, body: URLSearchParams) => {
            body.set('client_id', clientId ?? '');
            body.set('client_assertion', assertion);
            body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
          };
    const configuration = new oauth.Configuration(server, clientId ?? '', undefined, authenticate);
    configuration[oauth.customFetch] = (url, init) => fetch(url, init as RequestInit);
    const issued = await oauth.clientCredentialsGrant(configuration, { scope });
    return { token: issued.access_token, expiresOnTimestamp: Date.now() + (issued.expires_in ?? 0) * 1_000 };
  } catch (error) {
    throw classifyTokenError(error);
  }
}

async function readAssertion(file: string): Promise<string> {
  const decoded = decodeText(await readFile(file));
  if (decoded.problem !== undefined) throw new Error('The file with the federated token is not a text.');
  return decoded.text.trim();
}
