import { z } from 'zod';

/** The members of an AWS integration, as the contract names and validates them. */
const Settings = z.object({
  aws_account_id: z.string(),
  aws_role_name: z.string(),
  aws_kms_key_id: z.string().nullish(),
  aws_enabled_regions: z.array(z.string()),
  aws_enabled_services: z.array(z.string()),
  resource_tags: z.record(z.string(), z.string()).default({}),
});

export interface AwsSettings {
  readonly account: string;
  readonly roleArn: string;
  readonly kmsKeyId: string | null;
  readonly regions: readonly string[];
  readonly services: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

export function readAwsSettings(settings: Readonly<Record<string, unknown>>): AwsSettings {
  const parsed = Settings.parse(settings);
  return {
    account: parsed.aws_account_id,
    roleArn: `arn:${partition(parsed.aws_enabled_regions[0] ?? '')}:iam::${parsed.aws_account_id}:role/${parsed.aws_role_name}`,
    kmsKeyId: parsed.aws_kms_key_id ?? null,
    regions: parsed.aws_enabled_regions,
    services: parsed.aws_enabled_services,
    tags: parsed.resource_tags,
  };
}

function partition(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}
