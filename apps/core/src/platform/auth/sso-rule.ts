/**
 * A condition that is false if the organization of the row `membership` requires single sign-on and the sign-in does not
 * satisfy that. The break-glass owner is exempt while they are an OWNER. `satisfies` is SQL.
 */
export const permittedBySsoRuleSql = (satisfies: string): string => `(${satisfies} or not exists (
  select from sso_only where sso_only.organization_id = membership.organization_id
     and (sso_only.break_glass_owner <> membership.id or membership.role <> 'OWNER')))`;
