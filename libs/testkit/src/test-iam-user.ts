import { CreateAccessKeyCommand, CreateUserCommand, IAMClient, ListAccessKeysCommand } from '@aws-sdk/client-iam';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { AWS_CREDENTIALS, newAwsAccount, type TestAws } from './test-aws.ts';

/** An access key as a program configures it. */
export interface AccessKey {
  readonly access_key_id: string;
  readonly secret_access_key: string;
}

/** An IAM user in an account of its own, with one access key. */
export class TestIamUser {
  private constructor(
    private readonly iam: IAMClient,
    readonly account: string,
    readonly name: string,
    readonly firstKey: AccessKey,
  ) {}

  static async create({ endpoint }: TestAws): Promise<TestIamUser> {
    const [account, name] = [newAwsAccount(), 'shop'];
    const client = { region: 'us-east-1', endpoint };
    const sts = new STSClient({ ...client, credentials: AWS_CREDENTIALS });
    const { Credentials: role } = await sts.send(
      new AssumeRoleCommand({ RoleArn: `arn:aws:iam::${account}:role/strata`, RoleSessionName: 'test' }),
    );
    sts.destroy();
    const iam = new IAMClient({
      ...client,
      credentials: {
        accessKeyId: role?.AccessKeyId ?? '',
        secretAccessKey: role?.SecretAccessKey ?? '',
        sessionToken: role?.SessionToken ?? '',
      },
    });
    await iam.send(new CreateUserCommand({ UserName: name }));
    return new TestIamUser(iam, account, name, await createKey(iam, name));
  }

  createKey(): Promise<AccessKey> {
    return createKey(this.iam, this.name);
  }

  /** Returns the status of each access key. */
  async keys(): Promise<Record<string, string | undefined>> {
    const { AccessKeyMetadata: keys = [] } = await this.iam.send(new ListAccessKeysCommand({ UserName: this.name }));
    return Object.fromEntries(keys.map(({ AccessKeyId: id, Status: status }) => [id, status]));
  }

  close(): void {
    this.iam.destroy();
  }
}

async function createKey(iam: IAMClient, name: string): Promise<AccessKey> {
  const { AccessKey: key } = await iam.send(new CreateAccessKeyCommand({ UserName: name }));
  return { access_key_id: key?.AccessKeyId ?? '', secret_access_key: key?.SecretAccessKey ?? '' };
}
