import type { ImportItem, ObjectLink } from './import-item.ts';
import { nameClashes } from './name-clash.ts';
import type { Platform, PlatformGrant, PlatformPrincipal } from './platform.ts';
import type { ExistingState } from './present.ts';
import type { TreePlan } from './tree-items.ts';

/** The scopes that grants can refer to. */
interface Scopes {
  readonly environments: TreePlan;
  readonly projects: TreePlan;
}

const PART = 'groups and grants';

/** Returns how a principal is called in the source. */
const called = ({ email, service_account, group }: PlatformPrincipal): string =>
  email ?? service_account ?? group ?? 'unknown';

const absent = (principal: PlatformPrincipal): string => {
  if (principal.group) return `There is no group ${principal.group}.`;
  if (principal.service_account) {
    return `There is no service account ${principal.service_account}. Create it and give its new key to the program, then import again.`;
  }
  return `${called(principal)} is not a member. Invite them, then import again.`;
};

/** Plans groups and their members. People who are not members of the organization are left out. */
export function planGroups({ groups = [] }: Platform, existingState: ExistingState): TreePlan {
  const links = new Map<string, ObjectLink>([...existingState.groups].map(([name, { id }]) => [name, id]));
  const clash = nameClashes({ existing: existingState.groups.keys(), imported: groups.map(({ name }) => name) });
  const items = groups.flatMap(({ name, description, members }): ImportItem[] => {
    const base = { key: `group:${name}`, part: PART, kind: 'group', name } as const;
    const principals = members.map((member) => ({ member, id: findPersonId(existingState, member) }));
    const skippedItems = principals.flatMap(({ member, id }): ImportItem[] =>
      id === null ? [memberItem(base, member, { effect: 'skipped', reason: absent(member) })] : [],
    );
    const existingGroup = existingState.groups.get(name);
    if (existingGroup) {
      const addedItems = principals.flatMap(({ member, id }): ImportItem[] => {
        if (id === null || existingGroup.members.has(id)) return [];
        const operation = { operation: 'groups_add_create', path: { id: existingGroup.id }, query: { user: id } };
        return [memberItem(base, member, { effect: 'created', operation })];
      });
      return [{ ...base, effect: 'unchanged' }, ...addedItems, ...skippedItems];
    }
    const reason = clash(name);
    if (reason !== null) return [{ ...base, effect: 'conflict', reason }];
    links.set(name, { $ref: base.key });
    const users = principals.flatMap(({ id }) => (id === null ? [] : [id]));
    const operation = { operation: 'groups_create', body: { name, description, users } };
    return [{ ...base, effect: 'created', operation }, ...skippedItems];
  });
  return { items, links };
}

const memberItem = (
  group: Pick<ImportItem, 'key' | 'part' | 'kind' | 'name'>,
  member: PlatformPrincipal,
  itemMembers: Pick<ImportItem, 'effect' | 'reason' | 'operation'>,
): ImportItem => ({
  ...group,
  key: `${group.key}\n${called(member)}`,
  name: `${group.name}: ${called(member)}`,
  ...itemMembers,
});

function findPersonId({ people }: ExistingState, { email, service_account }: PlatformPrincipal): string | null {
  const person = people.find((candidate) =>
    email
      ? !candidate.isService && candidate.email?.toLowerCase() === email.toLowerCase()
      : candidate.isService && candidate.name === service_account,
  );
  return person?.id ?? null;
}

/**
 * Plans what restricts the scopes with grants. A scope that the import creates is restricted to the caller before anything is created in
 * it, so that its values are never open to others.
 */
export function planRestrictions(
  { grants = [] }: Platform,
  existingState: ExistingState,
  scopes: Scopes,
): readonly ImportItem[] {
  const grantsByScope = new Map(grants.map((grant) => [scopeKey(grant), grant]));
  return [...grantsByScope].flatMap(([key, grant]): ImportItem[] => {
    const scope = findScope(grant, scopes);
    const existingScope = grant.project
      ? existingState.projects.get(grant.project)
      : existingState.environments.get(grant.environment ?? '');
    if (scope === undefined || existingScope?.isControlled) return [];
    const operation = {
      operation: grant.project ? 'projects_partial_update' : 'environments_partial_update',
      path: { id: scope },
      body: { access_controlled: true },
    };
    const base = {
      key: `restrict:${key}`,
      kind: 'grant',
      name: 'restricted',
      operation,
      ...scopeNames(grant),
    } as const;
    const part = grant.project ?? 'environments';
    const change = { effect: 'changed', before: 'open to all members', after: 'restricted' } as const;
    return [{ ...base, part, ...(existingScope ? change : { effect: 'created' }) }];
  });
}

/**
 * Returns a function that adds to an object of a project the restrictions that protect it: those of the project, of the projects that it
 * depends on, and of its environment.
 */
export function createProtector(
  { projects }: Platform,
  restrictions: readonly ImportItem[],
): (item: ImportItem) => ImportItem {
  const dependencies = new Map(projects.map(({ name, dependsOn }) => [name, dependsOn]));
  return (item) => {
    const chain = new Set<string>();
    for (let name = item.project ?? null; name !== null && !chain.has(name); name = dependencies.get(name) ?? null) {
      chain.add(name);
    }
    const scopeRestrictions = restrictions.filter(({ project, environment }) =>
      project === undefined ? environment === item.environment : chain.has(project),
    );
    return scopeRestrictions.length === 0 ? item : { ...item, restrictions: scopeRestrictions.map(({ key }) => key) };
  };
}

/** Plans grants. `restrictions` are the items of `planRestrictions`, which grants need. */
export function planGrants(
  { grants = [] }: Platform,
  existingState: ExistingState,
  scopes: Scopes & { readonly groups: TreePlan },
  restrictions: readonly ImportItem[],
): readonly ImportItem[] {
  const restrictionOf = new Map(restrictions.map((item) => [item.key, item]));
  return grants.map((grant): ImportItem => {
    const { principal, role } = grant;
    const key = `grant:${scopeKey(grant)}\n${called(principal)}`;
    const base = {
      key,
      part: PART,
      kind: 'grant',
      name: `${called(principal)} ${role}`,
      ...scopeNames(grant),
    } as const;
    const scope = findScope(grant, scopes);
    if (scope === undefined)
      return { ...base, effect: 'conflict', reason: 'Its project or environment is not imported.' };
    const link = principal.group ? scopes.groups.links.get(principal.group) : findPersonId(existingState, principal);
    if (link === undefined || link === null) return { ...base, effect: 'skipped', reason: absent(principal) };
    const restriction = restrictionOf.get(`restrict:${scopeKey(grant)}`);
    // The caller becomes OWNER of a scope that the import restricts.
    const isOwner = restriction !== undefined && link === existingState.callerId;
    const existingGrant = existingState.grants.find(
      ({ principalId, scopeId }) => principalId === link && scopeId === scope,
    );
    const roleHere = isOwner ? 'OWNER' : existingGrant?.role;
    if (roleHere !== undefined) {
      if (roleHere === role) return { ...base, effect: 'unchanged' };
      return {
        ...base,
        effect: 'conflict',
        reason: `The role is ${roleHere} here and ${role} in the source. It stays; change the grant if you want the other one.`,
      };
    }
    return {
      ...base,
      ...(restriction?.effect === 'changed'
        ? { effect: 'changed', before: 'no grant', after: role }
        : { effect: 'created' }),
      restrictions: restriction && [restriction.key],
      operation: { operation: 'grants_create', body: { principal: link, scope, role } },
    };
  });
}

const scopeKey = ({ project, environment }: PlatformGrant): string =>
  project ? `project\n${project}` : `environment\n${environment}`;

const findScope = ({ project, environment }: PlatformGrant, scopes: Scopes): ObjectLink | undefined =>
  project ? scopes.projects.links.get(project) : scopes.environments.links.get(environment ?? '');

const scopeNames = ({ project, environment }: PlatformGrant) => ({
  project: project ?? undefined,
  environment: environment ?? undefined,
});
