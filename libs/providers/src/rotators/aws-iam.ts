import { z } from 'zod';
import { type AwsSession, credentialsProblem, openAwsSession } from '../aws/aws-session.ts';
import { readAwsSettings } from '../aws/aws-settings.ts';
import { ProviderError } from '../provider-error.ts';
import { parseCredential, parseReplaceable } from './credential-text.ts';
import type { OpenRotator, RotatorSession } from './rotator.ts';

const Settings = z.object({
  account: z.string(),
  role_name: z.string(),
  user_name: z.string(),
  region: z.string(),
});

const MEMBERS = {
  name: ['access_key_id', 'aws_access_key_id', 'AccessKeyId', 'AWS_ACCESS_KEY_ID'],
  secret: ['secret_access_key', 'aws_secret_access_key', 'SecretAccessKey', 'AWS_SECRET_ACCESS_KEY'],
};

/** The errors of AWS for a key that it does not know, or does not know yet. */
const REJECTED_KEYS: ReadonlySet<string> = new Set([
  ...['InvalidClientTokenId', 'SignatureDoesNotMatch', 'UnrecognizedClientException', 'AccessDenied'],
]);

/**
 * Alternates the two access keys that a user can have. A revoked key becomes inactive, so that a person can activate it
 * again. The next rotation deletes it, because its place is needed.
 */
export const openAwsIam: OpenRotator = async (input, { environment, tenant }) => {
  const { account, role_name, user_name: userName, region } = Settings.parse(input);
  const problem = credentialsProblem(environment.aws);
  if (problem) throw problem;
  const settings = readAwsSettings({
    ...{ aws_account_id: account, aws_role_name: role_name },
    ...{ aws_enabled_regions: [region], aws_enabled_services: [] },
  });
  const aws: AwsSession = await openAwsSession(settings, environment, region, tenant);
  const iam = await import('@aws-sdk/client-iam');
  const client = new iam.IAMClient(aws.config);
  // A second attempt after a lost answer would create a second key.
  const onceClient = new iam.IAMClient({ ...aws.config, maxAttempts: 1 });
  const listKeys = async () => {
    const command = new iam.ListAccessKeysCommand({ UserName: userName });
    const { AccessKeyMetadata: keys = [] } = await aws.send('ListAccessKeys', { send: () => client.send(command) });
    return keys.map(({ AccessKeyId: id = '', Status: status }) => ({ id, isActive: status === 'Active' }));
  };
  const session: RotatorSession = {
    ownsAll: false,
    identify: async (text) => {
      const name = parseCredential(text, MEMBERS)?.name ?? null;
      return (await listKeys()).some(({ id }) => id === name) ? name : null;
    },
    findOther: async (published) => (await listKeys()).find(({ id }) => id !== published)?.id ?? null,
    draft: () => '',
    create: async ({ published, text, retired }) => {
      const parsed = parseReplaceable(text, MEMBERS);
      const unpublished = (await listKeys()).find(({ id }) => id !== published);
      if (unpublished !== undefined) {
        if (unpublished.id !== retired || unpublished.isActive)
          throw otherKey(unpublished.id, unpublished.id === retired);
        const command = new iam.DeleteAccessKeyCommand({ UserName: userName, AccessKeyId: unpublished.id });
        await aws.send('DeleteAccessKey', { isWrite: true, send: () => client.send(command) });
      }
      const command = new iam.CreateAccessKeyCommand({ UserName: userName });
      const { AccessKey: key } = await aws
        .send('CreateAccessKey', {
          isWrite: true,
          send: () => onceClient.send(command),
        })
        .catch(rejectCreation);
      if (!key?.AccessKeyId || !key.SecretAccessKey) throw new Error('CreateAccessKey returned no key.');
      return { name: key.AccessKeyId, text: parsed.replace(key.AccessKeyId, key.SecretAccessKey) };
    },
    works: async (text) => {
      const parsed = parseCredential(text, MEMBERS);
      return parsed !== null && (await isAccepted(aws, { accessKeyId: parsed.name, secretAccessKey: parsed.secret }));
    },
    lastUse: async (id) => {
      const command = new iam.GetAccessKeyLastUsedCommand({ AccessKeyId: id });
      const { AccessKeyLastUsed: used } = await aws.send('GetAccessKeyLastUsed', { send: () => client.send(command) });
      return used?.LastUsedDate ?? null;
    },
    revoke: async (id) => {
      const command = new iam.UpdateAccessKeyCommand({ UserName: userName, AccessKeyId: id, Status: 'Inactive' });
      await aws.send('UpdateAccessKey', { isWrite: true, send: () => client.send(command) });
      return true;
    },
    close: async () => {
      client.destroy();
      onceClient.destroy();
      aws.close();
    },
  };
  return session;
};

async function isAccepted(
  aws: AwsSession,
  credentials: { readonly accessKeyId: string; readonly secretAccessKey: string },
): Promise<boolean> {
  const { STSClient, GetCallerIdentityCommand } = await import('@aws-sdk/client-sts');
  const sts = new STSClient({ ...aws.config, credentials });
  try {
    const command = new GetCallerIdentityCommand({});
    // A message of AWS could contain the key.
    await aws.send('GetCallerIdentity', { hasValue: true, send: () => sts.send(command) });
    return true;
  } catch (error) {
    if (error instanceof ProviderError && REJECTED_KEYS.has(error.code)) return false;
    throw error;
  } finally {
    sts.destroy();
  }
}

/** The limit of keys per user is no limit of a rate. */
function rejectCreation(error: unknown): never {
  if (!(error instanceof ProviderError) || !error.code.startsWith('LimitExceeded')) throw error;
  const detail = 'The user has as many access keys as AWS allows. Delete one that is unused, and rotate again.';
  throw new ProviderError({ kind: 'conflict', code: error.code, detail });
}

function otherKey(id: string, isRetired: boolean): ProviderError {
  const detail = isRetired
    ? `The access key ${id} is active again, although this rotation deactivated it. Deactivate it if it is unused, and rotate again.`
    : `The user has the access key ${id}, which is not published. Delete it if it is unused, and rotate again.`;
  return new ProviderError({ kind: 'conflict', code: 'unknown_credential', detail });
}
