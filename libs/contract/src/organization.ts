import { z } from 'zod';
import { flag, freeText, LIMITS, linkOut, name, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { OpaquePageQuery, textParameter } from './query.ts';
import { Role } from './role.ts';

export const Organization = z
  .object({
    url: linkOut.meta({ description: 'Its link.' }),
    id: z.string().meta({ description: 'Its id.' }),
    name: z.string().meta({ description: 'Its name.' }),
    project_name_pattern: z.string().meta({ description: 'Pattern that names of projects must match; empty for any.' }),
    maintenance: z.boolean().meta({ description: 'Whether it is closed for maintenance.' }),
    mfa_enabled: z.boolean().meta({ description: 'Whether its people need a second factor.' }),
    notification_config: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Kept for programs that set it; webhooks do not look at it.' }),
    version: z
      .int()
      .meta({ enum: [1, 2, 3, 4] })
      .meta({ description: 'Version of its data.' }),
    current: z.boolean().meta({ description: 'Whether the credential is for it.' }),
    role: Role.meta({ description: "The caller's role in it." }),
    subscription_expires_at: timeOut.nullable().meta({ description: 'When its subscription ends.' }),
    subscription_features: z.array(z.string()).meta({ description: 'What its subscription includes.' }),
    subscription_id: z.string().nullable().meta({ description: 'Id of its subscription.' }),
    subscription_plan_id: z.string().nullable().meta({ description: 'Id of its plan.' }),
    subscription_plan_name: z.string().nullable().meta({ description: 'Name of its plan.' }),
    created_at: timeOut.meta({ description: 'When it was made.' }),
    modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({
    id: 'Organization',
    description: 'The tenant that everything belongs to. Nothing of another one can be seen.',
  });
export type Organization = z.infer<typeof Organization>;

export const OrganizationPage = pageOf(Organization, 'PaginatedOrganizationList');

export const OrganizationCreate = z
  .object({
    name: name().meta({ description: 'Its name.' }),
    mfa_enabled: flag.default(false).meta({ description: 'Whether its people need a second factor.' }),
  })
  .meta({ id: 'OrganizationCreate' });
export type OrganizationCreate = z.infer<typeof OrganizationCreate>;

const NOTIFICATION_CONFIG_MAX = 4_096;

/** Stored as it was sent, in a column that has room for any text of JSON. */
const notificationConfig = z.record(z.string(), z.unknown()).check((context) => {
  if (JSON.stringify(context.value).length <= NOTIFICATION_CONFIG_MAX) return;
  const message = `Ensure this has at most ${NOTIFICATION_CONFIG_MAX} characters when written as JSON.`;
  context.issues.push({ code: 'custom', input: undefined, message });
});

/** PUT. What is absent keeps its value. */
export const OrganizationUpdate = z
  .object({
    name: name().meta({ description: 'Its name.' }),
    project_name_pattern: freeText(LIMITS.organizationPattern)
      .optional()
      .meta({ description: 'Pattern that names of projects must match; empty for any.' }),
    mfa_enabled: flag.optional().meta({ description: 'Whether its people need a second factor.' }),
    notification_config: notificationConfig
      .optional()
      .meta({ description: 'Kept for programs that set it; webhooks do not look at it.' }),
  })
  .meta({ id: 'OrganizationUpdate' });
export type OrganizationUpdate = z.infer<typeof OrganizationUpdate>;

export const OrganizationPatch = OrganizationUpdate.partial().meta({ id: 'PatchedOrganization' });
export type OrganizationPatch = z.infer<typeof OrganizationPatch>;

export const OrganizationListQuery = OpaquePageQuery.extend({ name: textParameter('Exactly this name.') });
export type OrganizationListQuery = z.infer<typeof OrganizationListQuery>;
