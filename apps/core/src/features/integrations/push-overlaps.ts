import type { ProviderName } from '@strata/contract';
import { closeScopes, Failure, type PushKeySource, sentence, sharedKeys } from '@strata/domain';
import { findProvider, type KeySpace } from '@strata/providers';
import type { EntityManager } from 'typeorm';
import type { IntegrationSettings } from './integration-identity.ts';

interface PushRow {
  readonly id: string;
  readonly name: string;
  readonly resource: string | null;
  readonly options: Readonly<Record<string, boolean>>;
  readonly region: string | null;
  readonly service: string | null;
  readonly provider: ProviderName;
  readonly settings: IntegrationSettings;
}

interface ScopeRow {
  readonly push_id: string;
  readonly project_id: string;
  readonly project: string;
  readonly environment: string;
  readonly tag: string;
}

interface ParameterRow {
  /** The project that has or inherits the parameter. */
  readonly project_id: string;
  readonly owner_id: string;
  readonly name: string;
  readonly secret: boolean;
}

/** The number of parameters, and of keys of other pushes, that one check compares. It holds the organization's lock. */
const COMPARED_MAX = 100_000;

/** The pushes that can write to the provider of push $2, and this push itself. */
const PUSHES = `
select exchange.id, exchange.name, exchange.resource, exchange.options, exchange.region, exchange.service, integration.provider,
       integration.settings
  from exchange join integration on integration.organization_id = $1 and integration.id = exchange.integration_id
 where exchange.organization_id = $1 and exchange.direction = 'push' and integration.writable
   and not coalesce((exchange.options ->> 'dry_run')::boolean, false)
   and integration.provider = (
     select own.provider from exchange push join integration own on own.organization_id = $1 and own.id = push.integration_id
      where push.organization_id = $1 and push.id = $2)
 order by exchange.name, exchange.id`;

const SCOPES = `
select exchange_project.exchange_id as push_id, project.id as project_id, project.name as project,
       environment.name as environment, tag.name as tag
  from exchange_project
  join project on project.organization_id = $1 and project.id = exchange_project.project_id
  join exchange_tag on exchange_tag.organization_id = $1 and exchange_tag.exchange_id = exchange_project.exchange_id
  join tag on tag.organization_id = $1 and tag.id = exchange_tag.tag_id
  join environment on environment.organization_id = $1 and environment.id = tag.environment_id
 where exchange_project.organization_id = $1 and exchange_project.exchange_id = any($2::uuid[])`;

const PARAMETERS = `
with recursive chain (root, id) as (
  select project.id, project.id from project where project.organization_id = $1 and project.id = any($2::uuid[])
  union
  select chain.root, project.depends_on_id
    from chain join project on project.organization_id = $1 and project.id = chain.id
   where project.depends_on_id is not null)
select chain.root as project_id, chain.id as owner_id, parameter.name, parameter.secret
  from chain join parameter on parameter.organization_id = $1 and parameter.project_id = chain.id
 order by chain.root <> all($3::uuid[]), chain.root
 limit ${COMPARED_MAX}`;

type PushNames = PushKeySource<ScopeRow> & { readonly row: PushRow };

/** Another push that can write one of the keys of a push. */
export interface PushOverlap {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

/**
 * Returns the other pushes of the organization that can write one of the keys of this push. Their runs would find them
 * foreign, but a person can correct the push now. Pushes that only plan, and those of integrations that are not
 * writable, write nothing. Parameters that are created later are left to the run.
 */
export async function findOverlaps(
  em: EntityManager,
  organizationId: string,
  pushId: string,
): Promise<readonly PushOverlap[]> {
  const pushes = await em.query<PushRow[]>(PUSHES, [organizationId, pushId]);
  const push = pushes.find(({ id }) => id === pushId);
  const space = push === undefined ? null : keySpace(push);
  if (!push || space === null) return [];
  const others = pushes.filter((row) => row !== push && keySpace(row)?.id === space.id);
  if (others.length === 0) return [];
  const [pushNames, ...otherNames] = await readScopes(em, organizationId, [push, ...others]);
  if (pushNames === undefined) return [];
  const findClose = closeScopes(pushNames, space.toKey);
  const close = otherNames
    .map((names) => ({ ...names, scopes: findClose(names) }))
    .filter(({ scopes }) => scopes.length > 0);
  if (close.length === 0) return [];
  const withParameters = await readParameters(em, organizationId, pushNames, close);
  const findShared = sharedKeys(withParameters(pushNames), space.toKey, COMPARED_MAX);
  return close.flatMap((names) => {
    const key = findShared(withParameters(names));
    return key === null ? [] : { id: names.row.id, name: names.row.name, key };
  });
}

/**
 * Throws if another push can write one of the keys of this push, unless it could before. The error names the other push,
 * because only ADMINs change pushes, and they have access to all projects and environments.
 */
export async function assertNoOverlap(
  em: EntityManager,
  organizationId: string,
  pushId: string,
  before: readonly PushOverlap[] = [],
): Promise<void> {
  const overlaps = await findOverlaps(em, organizationId, pushId);
  const added = overlaps.find(({ id }) => before.every((overlap) => overlap.id !== id));
  if (added) throw overlapError(added);
}

const keySpace = ({ provider, settings, region, service }: PushRow): KeySpace | null =>
  findProvider(provider)?.keySpace(settings, { region, service }) ?? null;

async function readScopes(
  em: EntityManager,
  organizationId: string,
  pushes: readonly PushRow[],
): Promise<readonly PushNames[]> {
  const scopes = await em.query<ScopeRow[]>(SCOPES, [organizationId, pushes.map(({ id }) => id)]);
  const scopesByPush = Map.groupBy(scopes, ({ push_id: id }) => id);
  return pushes.map((row) => ({
    row,
    resource: row.resource ?? '',
    push: row.name,
    scopes: scopesByPush.get(row.id) ?? [],
  }));
}

/** Reads the parameters of the projects of these pushes, and returns a function that adds them to a push. */
async function readParameters(
  em: EntityManager,
  organizationId: string,
  push: PushNames,
  others: readonly PushNames[],
): Promise<(push: PushNames) => PushKeySource> {
  const listProjects = (pushes: readonly PushNames[]) => [
    ...new Set(pushes.flatMap(({ scopes }) => scopes.map(({ project_id: id }) => id))),
  ];
  const projectIds = listProjects([push, ...others]);
  const parameters = await em.query<ParameterRow[]>(PARAMETERS, [organizationId, projectIds, listProjects([push])]);
  const parametersByProject = Map.groupBy(parameters, ({ project_id: id }) => id);
  const cachedNames = new Map<string, readonly string[]>();
  const listNames = (row: PushRow, projectId: string): readonly string[] => {
    const { local, include_parameters, include_secrets } = row.options;
    const cacheKey = [projectId, local, include_parameters, include_secrets].join();
    const names = cachedNames.get(cacheKey);
    if (names) return names;
    const pushed = (parametersByProject.get(projectId) ?? []).filter((parameter) => isPushed(row, parameter));
    const pushedNames = pushed.map(({ name }) => name);
    cachedNames.set(cacheKey, pushedNames);
    return pushedNames;
  };
  return ({ row, scopes, ...names }) => ({
    ...names,
    scopes: scopes.map((scope) => ({ ...scope, parameters: listNames(row, scope.project_id) })),
  });
}

/** A run counts dynamic values that refer to secrets as secrets, too. They are compared as parameters here. */
function isPushed({ options }: PushRow, { secret, project_id: projectId, owner_id: ownerId }: ParameterRow): boolean {
  if (options.local && ownerId !== projectId) return false;
  return (secret ? options.include_secrets : options.include_parameters) ?? false;
}

function overlapError({ name, key }: PushOverlap): Failure {
  const message = sentence`The push ${{ name }} writes the key ${{ key }}, too. Change the resource, the projects or the tags.`;
  return Failure.field('push_overlaps', 'resource', message);
}
