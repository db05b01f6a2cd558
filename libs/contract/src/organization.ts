import { z } from 'zod';
import { flag, freeText, LIMITS, linkOut, name, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { OpaquePageQuery, textParameter } from './query.ts';
import { Role } from './role.ts';

export const Organization = z
  .object({
    url: linkOut,
    id: z.string(),
    name: z.string(),
    project_name_pattern: z.string(),
    maintenance: z.boolean(),
    mfa_enabled: z.boolean(),
    notification_config: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Kept for programs that set it; webhooks do not look at it.' }),
    version: z.int().meta({ enum: [1, 2, 3, 4] }),
    current: z.boolean(),
    role: Role,
    subscription_expires_at: timeOut.nullable(),
    subscription_features: z.array(z.string()),
    subscription_id: z.string().nullable(),
    subscription_plan_id: z.string().nullable(),
    subscription_plan_name: z.string().nullable(),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
  })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof Organization>;

export const OrganizationPage = pageOf(Organization, 'PaginatedOrganizationList');

export const OrganizationCreate = z
  .object({ name: name(), mfa_enabled: flag.default(false) })
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
    name: name(),
    project_name_pattern: freeText(LIMITS.organizationPattern).optional(),
    mfa_enabled: flag.optional(),
    notification_config: notificationConfig.optional(),
  })
  .meta({ id: 'OrganizationUpdate' });
export type OrganizationUpdate = z.infer<typeof OrganizationUpdate>;

export const OrganizationPatch = OrganizationUpdate.partial().meta({ id: 'PatchedOrganization' });
export type OrganizationPatch = z.infer<typeof OrganizationPatch>;

export const OrganizationListQuery = OpaquePageQuery.extend({ name: textParameter('Exactly this name.') });
export type OrganizationListQuery = z.infer<typeof OrganizationListQuery>;
