import { readScopeName } from '../../api/access-requests.ts';
import { NounObjects } from '../../api/noun-objects.ts';
import type { Client } from '../../core/client.ts';
import { loadContext } from '../../core/context.ts';
import { choice, defineCommand, flagOption, requiredArgument, textOption } from '../../core/define-command.ts';
import { invalidInputError } from '../../core/errors.ts';
import { PLAN_HASH, URL_OPTIONS, YES } from '../../core/options.ts';
import { applyPlanned, printApplied, printPlan } from '../../render/plan.ts';

const ROLES = ['VIEWER', 'CONTRIB', 'ADMIN', 'OWNER'] as const;

interface AccessOptions {
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  readonly group?: string | undefined;
  readonly role?: string | undefined;
  readonly remove?: boolean | undefined;
}

/** Plans a change of access, and applies it as planned. */
export const command = defineCommand({
  description: 'print who would gain or lose access to which values by a change of access, or apply it as planned',
  arguments: { principal: requiredArgument('name of a person, a service account or a group') },
  options: {
    ...URL_OPTIONS,
    project: textOption('-p, --project <name>', 'a grant on this project', { conflicts: ['environment', 'group'] }),
    environment: textOption('-e, --environment <name>', 'a grant on this environment', { conflicts: ['group'] }),
    group: textOption('--group <name>', 'the membership of this group'),
    role: choice('--role <name>', 'the role of the grant; without a scope, the role in the organization', ROLES),
    remove: flagOption('--remove', 'remove the grant, or the user from the group', { conflicts: ['role'] }),
    plan: PLAN_HASH,
    yes: YES,
  },
  async run({ principal }, options) {
    const { client } = await loadContext({ ...options, project: undefined, environment: undefined });
    const body = { operations: [await planOperation(client, principal, options)] };
    if (options.plan === undefined && options.yes !== true) return printPlan(client, { body }, options);
    printApplied(await applyPlanned(client, { body }, options), options);
  },
});

/** Returns the operation of a changeset that makes the change. */
async function planOperation(client: Client, principal: string, options: AccessOptions) {
  const { group, role, remove } = options;
  if (group !== undefined) return planGroup(client, principal, group, remove ?? false);
  if (options.project !== undefined || options.environment !== undefined) return planGrant(client, principal, options);
  if (role === undefined) throw invalidInputError('Set --role, or --project, --environment or --group.');
  const members = NounObjects.called('member', client);
  return members.modification(await members.find([principal]), { role });
}

async function planGroup(client: Client, principal: string, group: string, isRemoved: boolean) {
  const { id } = await NounObjects.called('group', client).find([group]);
  // A grant links to a user by the same id.
  const { body } = await NounObjects.called('grant', client).creation({ principal });
  const operation = isRemoved ? 'groups_remove_create' : 'groups_add_create';
  return { operation, path: { id }, query: { user: String(body.principal) } };
}

async function planGrant(client: Client, principal: string, options: AccessOptions) {
  const { role, remove } = options;
  if (role === undefined && !remove) throw invalidInputError('Set --role or --remove.');
  const grants = NounObjects.called('grant', client);
  const scope = readScopeName(options);
  const { rows } = await grants.list();
  const current = rows.find(
    (row) => row.principal === principal && row.scope === scope && (remove || row.expires_at === null),
  );
  if (current !== undefined) return remove ? grants.deletion(current) : grants.modification(current, { role });
  if (remove)
    throw invalidInputError(`${principal} has no grant on ${scope}.`, '`strata grant list` lists the grants.');
  return grants.creation({ principal, scope, role });
}
