import type { ProviderName } from '@strata/contract';
import { Failure, findSharedKey, type PushKeySource, sentence } from '@strata/domain';
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

/** The pushes that write to the provider of push $2, and this push itself. A push that only plans writes nothing. */
const PUSHES = `
select exchange.id, exchange.name, exchange.resource, exchange.options, exchange.region, exchange.service, integration.provider,
       integration.settings
  from exchange join integration on integration.organization_id = $1 and integration.id = exchange.integration_id
 where exchange.organization_id = $1 and exchange.direction = 'push'
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
  from chain join parameter on parameter.organization_id = $1 and parameter.project_id = chain.id`;

/** A push with the texts that its keys consist of. */
interface PushContent {
  readonly row: PushRow;
  readonly source: PushKeySource;
}

/**
 * Throws if another push of the organization can write one of the keys of this push. The run would find them foreign, but
 * a person can correct the push now. Parameters that are created later are left to the run. The error names the other
 * push, because only ADMINs change pushes, and they have access to all projects and environments.
 */
export async function assertNoOverlap(em: EntityManager, organizationId: string, pushId: string): Promise<void> {
  const pushes = await em.query<PushRow[]>(PUSHES, [organizationId, pushId]);
  const push = pushes.find(({ id }) => id === pushId);
  const space = push === undefined ? null : keySpace(push);
  if (!push || space === null) return;
  const others = pushes.filter((row) => row !== push && keySpace(row)?.id === space.id);
  if (others.length === 0) return;
  const contents = await readContents(em, organizationId, [push, ...others]);
  const [pushContent, ...otherContents] = contents;
  for (const { row, source } of otherContents) {
    const key = pushContent && findSharedKey(pushContent.source, source, space.toKey);
    if (key) throw overlapError(row.name, key);
  }
}

const keySpace = ({ provider, settings, region, service }: PushRow): KeySpace | null =>
  findProvider(provider)?.keySpace(settings, { region, service }) ?? null;

async function readContents(
  em: EntityManager,
  organizationId: string,
  pushes: readonly PushRow[],
): Promise<readonly PushContent[]> {
  const scopes = await em.query<ScopeRow[]>(SCOPES, [organizationId, pushes.map(({ id }) => id)]);
  const projectIds = [...new Set(scopes.map(({ project_id: id }) => id))];
  const parameters = await em.query<ParameterRow[]>(PARAMETERS, [organizationId, projectIds]);
  const scopesByPush = Map.groupBy(scopes, ({ push_id: id }) => id);
  const parametersByProject = Map.groupBy(parameters, ({ project_id: id }) => id);
  return pushes.map((row) => {
    const ownScopes = scopesByPush.get(row.id) ?? [];
    const inProject = (id: string) => parametersByProject.get(id) ?? [];
    const names = ({ project_id: id }: ScopeRow) =>
      inProject(id)
        .filter((parameter) => isPushed(row, parameter))
        .map(({ name }) => name);
    return {
      row,
      source: {
        resource: row.resource ?? '',
        push: row.name,
        scopes: ownScopes.map((scope) => {
          const { project, environment, tag } = scope;
          return { project, environment, tag, parameters: names(scope) };
        }),
      },
    };
  });
}

function isPushed({ options }: PushRow, { secret, project_id: projectId, owner_id: ownerId }: ParameterRow): boolean {
  if (options.local && ownerId !== projectId) return false;
  return (secret ? options.include_secrets : options.include_parameters) ?? false;
}

function overlapError(name: string, key: string): Failure {
  const message = sentence`The push ${{ name }} writes the key ${{ key }}, too. Change the resource, the projects or the tags.`;
  return Failure.field('push_overlaps', 'resource', message);
}
