import { addressGuard, type GuardedAgents, guardedAgents } from '@strata/outbound';
import type { AwsInstallation, ProviderEnvironment } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { classifyAwsError } from './aws-errors.ts';
import type { AwsSettings } from './aws-settings.ts';

const CONNECTIONS_MAX = 10;
const TIMEOUT_MS = 10_000;
/** The SDK retries throttled requests at once, with growing pauses. Longer retries are up to the next run. */
const ATTEMPTS_MAX = 3;
const SESSION_NAME = 'strata';

interface TemporaryCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** Sends a command of a client, and reports and classifies what happens. */
export type SendAws = <Output>(operation: string, request: AwsRequest<Output>) => Promise<Output>;

export interface AwsRequest<Output> {
  readonly isWrite?: boolean;
  readonly hasValue?: boolean;
  readonly send: () => Promise<Output>;
}

/** The configuration of all clients of one integration in one region. */
export interface AwsSession {
  readonly config: ReturnType<typeof clientConfig> & { readonly credentials: () => Promise<TemporaryCredentials> };
  readonly send: SendAws;
  close(): void;
}

/** Returns why no role can be assumed; null if one can. */
export function credentialsProblem(installation: AwsInstallation): ProviderError | null {
  const { accessKeyId, secretAccessKey, usesMachineCredentials } = installation;
  if ((accessKeyId !== null && secretAccessKey !== null) || usesMachineCredentials) return null;
  return new ProviderError({
    kind: 'denied',
    code: 'no_credentials',
    detail:
      'This installation has no AWS credentials with which it could assume a role. Ask the operator to set STRATA_AWS_ACCESS_KEY_ID and STRATA_AWS_SECRET_ACCESS_KEY, or STRATA_AWS_MACHINE_CREDENTIALS.',
  });
}

/** Opens a session that assumes the role of an integration. The role is assumed with the first request. */
export async function openAwsSession(
  settings: AwsSettings,
  environment: ProviderEnvironment,
  region: string,
): Promise<AwsSession> {
  const agents = guardedAgents(addressGuard(environment.guard), CONNECTIONS_MAX);
  const { AssumeRoleCommand, STSClient } = await import('@aws-sdk/client-sts');
  const base = clientConfig(environment.aws, agents, region);
  const send: SendAws = async (operation, { isWrite = false, hasValue = false, send: request }) => {
    environment.onCall({ operation, isWrite });
    try {
      return await request();
    } catch (error) {
      throw classifyAwsError(error, { hasValue });
    }
  };
  const sts = new STSClient({ ...base, credentials: await baseCredentials(environment.aws) });
  const assumeRole = async (): Promise<TemporaryCredentials> => {
    const command = new AssumeRoleCommand({
      RoleArn: settings.roleArn,
      RoleSessionName: SESSION_NAME,
      ExternalId: settings.externalId,
    });
    const { Credentials: issued } = await send('AssumeRole', { send: () => sts.send(command) });
    if (!issued?.AccessKeyId || !issued.SecretAccessKey) throw new Error('AssumeRole returned no credentials.');
    return {
      accessKeyId: issued.AccessKeyId,
      secretAccessKey: issued.SecretAccessKey,
      ...(issued.SessionToken && { sessionToken: issued.SessionToken }),
      ...(issued.Expiration && { expiration: issued.Expiration }),
    };
  };
  return {
    config: { ...base, credentials: assumeRole },
    send,
    close: () => {
      sts.destroy();
      agents.destroy();
    },
  };
}

function clientConfig({ endpoint }: AwsInstallation, { httpAgent, httpsAgent }: GuardedAgents, region: string) {
  const times = { connectionTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS, throwOnRequestTimeout: true };
  const requestHandler = { httpAgent, httpsAgent, ...times };
  return { region, requestHandler, maxAttempts: ATTEMPTS_MAX, ...(endpoint !== null && { endpoint }) };
}

/**
 * Returns the operator's credentials, or the SDK's chain. Only the chain may send requests that do not pass the guard,
 * because it fetches the machine's credentials from a metadata service.
 */
async function baseCredentials({ accessKeyId, secretAccessKey }: AwsInstallation) {
  if (accessKeyId !== null && secretAccessKey !== null) return { accessKeyId, secretAccessKey };
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  return defaultProvider();
}
