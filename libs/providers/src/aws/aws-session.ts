import { addressGuard, createGuardedAgents, type GuardedAgents } from '@strata/outbound';
import type { AwsInstallation, ProviderEnvironment, ProviderTenant } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { classifyAwsError, type RequestContent } from './aws-errors.ts';
import type { AwsSettings } from './aws-settings.ts';

const CONNECTIONS_MAX = 10;
const TIMEOUT_MS = 10_000;
/** The SDK retries throttled requests at once, with growing pauses. Longer retries are up to the next run. */
const ATTEMPTS_MAX = 3;

interface TemporaryCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** Sends a command of a client, and reports and classifies what happens. */
export type SendAws = <Output>(operation: string, request: AwsRequest<Output>) => Promise<Output>;

export interface AwsRequest<Output> extends RequestContent {
  readonly isWrite?: boolean;
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

/** The accounts of the operator's credentials, by access key and address. Credentials never change their account. */
const ownAccounts = new Map<string, string>();

/**
 * Opens a session that assumes the role of an integration. The role is assumed with the first request. The external id
 * and the name of the session identify the organization to the owner of the role.
 */
export async function openAwsSession(
  settings: AwsSettings,
  environment: ProviderEnvironment,
  region: string,
  { organizationId, externalId }: ProviderTenant,
): Promise<AwsSession> {
  const agents = createGuardedAgents(addressGuard(environment.guard), CONNECTIONS_MAX);
  const { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const base = clientConfig(environment.aws, agents, region);
  const send: SendAws = async (operation, { isWrite = false, send: request, ...content }) => {
    environment.onCall({ operation, isWrite });
    try {
      return await request();
    } catch (error) {
      throw classifyAwsError(error, content);
    }
  };
  const sts = new STSClient({ ...base, credentials: await baseCredentials(environment.aws) });
  const assertForeignAccount = async () => {
    const { accessKeyId, endpoint, allowsOwnAccount } = environment.aws;
    if (allowsOwnAccount) return;
    const cacheKey = JSON.stringify([accessKeyId, endpoint]);
    let ownAccount = ownAccounts.get(cacheKey);
    if (ownAccount === undefined) {
      const command = new GetCallerIdentityCommand({});
      const request = { ownDetail: OWN_CREDENTIALS, send: () => sts.send(command) };
      const { Account: account } = await send('GetCallerIdentity', request);
      if (!account) throw new Error('GetCallerIdentity returned no account.');
      ownAccount = account;
      ownAccounts.set(cacheKey, ownAccount);
    }
    if (ownAccount === settings.account) throw ownAccountError(ownAccount);
  };
  const assumeRole = async (): Promise<TemporaryCredentials> => {
    await assertForeignAccount();
    const command = new AssumeRoleCommand({
      RoleArn: settings.roleArn,
      RoleSessionName: `strata-${organizationId}`,
      ExternalId: externalId,
    });
    const request = { ownDetail: describeRole(settings), member: 'aws_role_name', send: () => sts.send(command) };
    const { Credentials: issued } = await send('AssumeRole', request);
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

const OWN_CREDENTIALS =
  "The provider rejected this installation's own credentials. Ask the operator to check the AWS settings.";

const describeRole = ({ roleArn }: AwsSettings): string =>
  `The role ${roleArn} could not be assumed. Check that it exists, and that its trust policy allows this installation with the external id of the integration.`;

function ownAccountError(account: string): ProviderError {
  return new ProviderError({
    kind: 'denied',
    code: 'own_account',
    member: 'aws_account_id',
    detail: `The account ${account} belongs to the operator of this installation, so its roles cannot be assumed. Use a role of another account, or ask the operator to set STRATA_AWS_OWN_ACCOUNT.`,
  });
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
