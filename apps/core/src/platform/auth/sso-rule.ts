/**
 * A condition that is false if the organization of membership `m` requires single sign-on and the sign-in does not
 * satisfy that. The break-glass owner is exempt while they are an OWNER. `satisfies` is SQL.
 */
export const permittedBySsoRule = (satisfies: string): string => `(${satisfies} or not exists (
  select from sso_only o where o.organization_id = m.organization_id
     and (o.break_glass_owner <> m.id or m.role <> 'OWNER')))`;
