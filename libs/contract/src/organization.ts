import { z } from 'zod';
import { flagField, freeTextField, LIMITS, linkOutput, nameField, timeOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { OpaquePageQuery, textParameter } from './query.ts';
import { Role } from './role.ts';
import { memberOnUpdate, memberWithDefault, requiredMember, writeShapes } from './write-shapes.ts';

export const Organization = z
  .object({
    url: linkOutput.meta({ description: 'URL of the object.' }),
    id: z.string().meta({ description: 'Id of the object.' }),
    name: z.string().meta({ description: 'Name of the object.' }),
    project_name_pattern: z
      .string()
      .meta({ description: 'Pattern that project names must match; empty for no restriction.' }),
    read_protection_minutes: z.int().nullable().meta({
      description:
        'For how many minutes after a service account has read something its deletion requires `force`; null for no protection.',
    }),
    viewers_reveal_secrets: z.boolean().meta({
      description:
        'Whether new people with the role VIEWER may reveal secrets, unless the request that adds or invites them sets it.',
    }),
    maintenance: z.boolean().meta({ description: 'Whether the organization is under maintenance.' }),
    mfa_enabled: z.boolean().meta({ description: 'Whether its users need a second factor.' }),
    notification_config: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Stored for existing clients. Webhooks ignore it.' }),
    version: z
      .int()
      .meta({ enum: [1, 2, 3, 4] })
      .meta({ description: "Version of the organization's data." }),
    current: z.boolean().meta({ description: 'Whether the credential belongs to this organization.' }),
    role: Role.meta({ description: "The caller's role in the organization." }),
    subscription_expires_at: timeOutput.nullable().meta({ description: 'When the subscription ends.' }),
    subscription_features: z.array(z.string()).meta({ description: 'The features that the subscription includes.' }),
    subscription_id: z.string().nullable().meta({ description: 'Id of the subscription.' }),
    subscription_plan_id: z.string().nullable().meta({ description: 'Id of the plan.' }),
    subscription_plan_name: z.string().nullable().meta({ description: 'Name of the plan.' }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({
    id: 'Organization',
    description: 'The tenant that all objects belong to. Members of other organizations cannot see its objects.',
  });
export type Organization = z.infer<typeof Organization>;

export const OrganizationPage = pageSchema(Organization, 'PaginatedOrganizationList');

const NOTIFICATION_CONFIG_MAX = 4_096;

/** The object is stored unchanged. */
const notificationConfig = z.record(z.string(), z.unknown()).check((context) => {
  if (JSON.stringify(context.value).length <= NOTIFICATION_CONFIG_MAX) return;
  const message = `Ensure this has at most ${NOTIFICATION_CONFIG_MAX} characters when written as JSON.`;
  context.issues.push({
    code: 'custom',
    input: undefined,
    message,
    params: { values: { limit: NOTIFICATION_CONFIG_MAX } },
  });
});

const organizationShapes = writeShapes(
  { create: 'OrganizationCreate', update: 'OrganizationUpdate', patch: 'PatchedOrganization' },
  {
    name: requiredMember(nameField(), 'Name of the object.'),
    project_name_pattern: memberOnUpdate(
      freeTextField(LIMITS.organizationPattern),
      'Pattern that project names must match; empty for no restriction.',
    ),
    read_protection_minutes: memberOnUpdate(
      z
        .int()
        .min(1, 'Ensure this value is greater than or equal to 1.')
        .max(10_080, 'Ensure this value is less than or equal to 10080.')
        .nullable(),
      'For how many minutes after a service account has read something its deletion requires `force`; null for no protection.',
    ),
    viewers_reveal_secrets: memberOnUpdate(
      z.boolean(),
      'Whether new people with the role VIEWER may reveal secrets, unless the request that adds or invites them sets it. False in new organizations.',
    ),
    mfa_enabled: memberWithDefault(flagField, false, 'Whether its users need a second factor.'),
    notification_config: memberOnUpdate(notificationConfig, 'Stored for existing clients. Webhooks ignore it.'),
  },
);

export const OrganizationCreate = organizationShapes.create;
export type OrganizationCreate = z.infer<typeof OrganizationCreate>;

export const OrganizationUpdate = organizationShapes.update;
export const OrganizationPatch = organizationShapes.patch;
export type OrganizationPatch = z.infer<typeof OrganizationPatch>;

export const OrganizationListQuery = OpaquePageQuery.extend({ name: textParameter('Exact name.') });
export type OrganizationListQuery = z.infer<typeof OrganizationListQuery>;
