import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { PullInput, PushInput } from '@strata/contract';
import { Failure, pullPatternProblem, pushProblems, sentence } from '@strata/domain';
import type { ProviderEnvironment } from '@strata/providers';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { idFromLink, unknownLinkError } from '../../platform/http/links.ts';
import type { Change } from '../../platform/ledger/change.ts';
import type { Command, WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ProviderSetup } from '../external/provider-environment.ts';
import { assertMayPushSecrets, assertMayReadExternal } from '../syncs/push-rights.ts';
import type { SyncRow } from '../syncs/sync-row.ts';
import { assertNewNames, duplicateNameError } from '../validation/names.ts';
import { type IntegrationPath, IntegrationsReader } from './integrations.reader.ts';
import { findMovedPushes } from './moved-pushes.ts';
import { assertNoOverlap, findOverlaps } from './push-overlaps.ts';
import { onlyPlansError, runTasks } from './tasks.ts';

/** The maximum number of pulls and pushes. A change of a tag may run all of them. */
const SYNCS_MAX = 100;

type SyncInput = PullInput & PushInput;

type Tag = SyncRow['tags'][number];

type Content = Pick<
  SyncRow,
  'name' | 'description' | 'region' | 'service' | 'resource' | 'options' | 'projects' | 'tags'
>;

const OPTIONS = {
  pull: { create_environments: true, create_projects: true, dry_run: false },
  push: {
    coerce_parameters: false,
    include_parameters: true,
    include_secrets: false,
    include_templates: false,
    dry_run: false,
    force: false,
    local: false,
  },
} as const;

const operationId = ({ provider, direction }: IntegrationPath, action: string) =>
  `integrations_${provider}_${direction === 'pull' ? 'pulls' : 'pushes'}_${action}`;

const syncType = ({ direction }: IntegrationPath) => (direction === 'pull' ? 'Pull' : 'Push');

const pushesSecrets = ({ options }: Pick<SyncRow, 'options'>) => options.include_secrets ?? false;

const isPatternPull = ({ direction, mode }: SyncRow) => direction === 'pull' && mode === 'pattern';

const nameScope = ({ organizationId, integrationId, direction }: IntegrationPath) =>
  ({ noun: 'exchange', organizationId, columns: { integration_id: integrationId, direction } }) as const;

const constraintErrors = (name: string) => ({
  exchange_name_taken: () => duplicateNameError('exchange', name),
});

/** Creates, changes and runs pulls and pushes. */
@Injectable()
export class SyncsService {
  constructor(
    private readonly reader: IntegrationsReader,
    private readonly setup: ProviderSetup,
  ) {}

  /** Creates a pull or push. A push runs at once, or plans at once. */
  create(caller: Caller, path: IntegrationPath, input: SyncInput, planFirst: boolean): Command<SyncRow> {
    return {
      operation: operationId(path, 'create'),
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        await this.reader.readOne('integration', path, path.integrationId, SnapshotReader.within(em));
        await assertBelowLimit(em, path);
        const content = await resolveContent(em, path, input, null);
        if (pushesSecrets(content)) assertMayPushSecrets(caller);
        if (path.direction === 'pull') assertMayReadExternal(caller);
        const id = randomUUID();
        const { name, description, region, service, resource, options } = content;
        await translateViolations(
          em.query(
            `insert into exchange (organization_id, id, integration_id, direction, name, description, region, service, resource, options, plan_first, created_at, modified_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)`,
            [
              ...[caller.organizationId, id, path.integrationId, path.direction, name, description],
              ...[region, service, resource, options, planFirst, at],
            ],
          ),
          constraintErrors(name),
        );
        await assertNewNames(em, nameScope(path), [name]);
        await setLinks(em, caller.organizationId, id, content);
        if (path.direction === 'push') await assertNoOverlap(em, caller.organizationId, id);
        context.record(objectChange('create', syncType(path), { id, name }));
        await this.run(context, path, id, 'The push was created.');
        return this.find(em, path, id);
      },
    };
  }

  /**
   * Changes a pull or push. Omitted members keep their values. A change without effect creates no revision. A changed
   * push runs.
   */
  change(caller: Caller, path: IntegrationPath, id: string, input: SyncInput): Command<SyncRow> {
    return {
      operation: operationId(path, 'update'),
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        const current = await this.find(em, path, id);
        const content = await resolveContent(em, path, input, current);
        if (fingerprint(content) === fingerprint(current)) return current;
        if (pushesSecrets(content) || pushesSecrets(current)) assertMayPushSecrets(caller);
        // A waiting run has the rights of the member who started it, and would read what the change says.
        if (isPatternPull(current)) assertMayReadExternal(caller);
        const changesKeys = path.direction === 'push' && keyFingerprint(content) !== keyFingerprint(current);
        const overlapsBefore = changesKeys ? await findOverlaps(em, caller.organizationId, id) : [];
        const { name, description, region, service, resource, options } = content;
        await translateViolations(
          em.query(
            `update exchange set name = $3, description = $4, region = $5, service = $6, resource = $7, options = $8,
                  modified_at = $9 where organization_id = $1 and id = $2`,
            [caller.organizationId, id, name, description, region, service, resource, options, at],
          ),
          constraintErrors(name),
        );
        if (name !== current.name) await assertNewNames(em, nameScope(path), [name]);
        await setLinks(em, caller.organizationId, id, content);
        if (changesKeys) await assertNoOverlap(em, caller.organizationId, id, overlapsBefore);
        context.record(objectChange('update', syncType(path), { id, name }));
        await this.run(context, path, id, 'The push was changed.');
        return this.find(em, path, id);
      },
    };
  }

  remove(caller: Caller, path: IntegrationPath, id: string): Command<void> {
    return {
      operation: operationId(path, 'destroy'),
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const current = await this.find(em, path, id);
        if (current.mode === 'mapped') {
          throw Failure.forbidden('The system created this pull for its integration. Delete the integration instead.');
        }
        await em.query('delete from exchange where organization_id = $1 and id = $2', [caller.organizationId, id]);
        context.record(objectChange('delete', syncType(path), current));
      },
    };
  }

  sync(caller: Caller, path: IntegrationPath, id: string, dryRun: boolean | null): Command<void> {
    return {
      operation: operationId(path, 'sync_create'),
      caller,
      run: async (context) => {
        const { caller } = context;
        const sync = await this.find(context.em, path, id);
        if (pushesSecrets(sync)) assertMayPushSecrets(caller);
        if (isPatternPull(sync)) assertMayReadExternal(caller);
        if (isPatternPull(sync) && dryRun === false && sync.options.dry_run) throw onlyPlansError('pull');
        const { organizationId } = caller;
        const { environment } = this.setup;
        await runTasks(context, { organizationId, syncIds: [id], reason: 'Started manually.', dryRun, environment });
      },
    };
  }

  private async find(em: EntityManager, path: IntegrationPath, id: string): Promise<SyncRow> {
    return (await this.reader.readOne('exchange', path, id, SnapshotReader.within(em))).row;
  }

  private async run(context: WriteContext, path: IntegrationPath, id: string, reason: string): Promise<void> {
    if (path.direction === 'pull') return;
    const { environment } = this.setup;
    await runTasks(context, { organizationId: path.organizationId, syncIds: [id], reason, dryRun: null, environment });
  }
}

/** Queues runs of the pushes of a moved tag inside the write that moves it. */
export async function runWithTags(
  environment: ProviderEnvironment,
  context: WriteContext,
  organizationId: string,
  changes: readonly Change[],
): Promise<void> {
  const stale = await findMovedPushes((sql, values) => context.em.query(sql, values), organizationId, changes);
  if (stale.length === 0) return;
  if (stale.some((push) => push.pushes_secrets)) assertMayPushSecrets(context.caller);
  const names = changes
    .flatMap(({ objectType, action, object }) => (objectType === 'Tag' && action === 'update' ? [object.name] : []))
    .join(', ');
  const reason = `The tag ${names} was moved.`;
  await runTasks(context, { organizationId, syncIds: stale.map(({ id }) => id), reason, dryRun: null, environment });
}

const fingerprint = (content: Content): string => JSON.stringify([content.description, keyFingerprint(content)]);

/** Covers the members that decide which keys a push writes. */
function keyFingerprint({ name, region, service, resource, options, projects, tags }: Content): string {
  const switches = Object.entries(options).filter(([, on]) => on);
  const links = [[...projects].sort(), tags.map(({ id }) => id).sort()];
  return JSON.stringify([name, region, service, resource, switches.sort(), links]);
}

/** Merges the requested options with the stored ones. Throws if the push could not run with them. */
async function resolveContent(
  em: EntityManager,
  path: IntegrationPath,
  input: SyncInput,
  current: SyncRow | null,
): Promise<Content> {
  const { organizationId, direction } = path;
  const content: Content = {
    name: input.name ?? current?.name ?? '',
    description: input.description ?? current?.description ?? '',
    // Existing clients send any region and service in a PUT, because these never changed.
    region: current ? current.region : (input.region ?? null),
    service: current ? current.service : (input.service ?? null),
    resource: input.resource === undefined ? (current?.resource ?? null) : input.resource,
    options: mergeOptions(direction, input, current),
    projects: input.projects ? await projectsLinked(em, organizationId, input.projects) : (current?.projects ?? []),
    tags: input.tags ? await tagsLinked(em, organizationId, input.tags) : (current?.tags ?? []),
  };
  if (direction === 'push') assertPossible(content);
  else if (current?.mode !== 'mapped' && content.resource !== current?.resource) assertReadable(content.resource);
  return content;
}

function mergeOptions(
  direction: IntegrationPath['direction'],
  input: SyncInput,
  current: SyncRow | null,
): Record<string, boolean> {
  const requestedOptions: Readonly<Record<string, unknown>> = { ...input };
  return Object.fromEntries(
    Object.entries(OPTIONS[direction]).map(([option, fallback]) => {
      const requested = requestedOptions[option];
      return [
        option,
        typeof requested === 'boolean' ? requested : (current?.options[option] ?? (current ? false : fallback)),
      ];
    }),
  );
}

function assertPossible({ resource, options, projects, tags }: Content): void {
  const includes = {
    parameters: options.include_parameters ?? false,
    secrets: options.include_secrets ?? false,
    templates: options.include_templates ?? false,
  };
  const tagEnvironments = tags.map(({ environment_id: environment }) => environment);
  const problems = pushProblems({ resource, includes, projects: projects.length, tagEnvironments });
  const [first] = problems;
  if (first) throw Failure.fields(first.code, problems);
}

/** The contract allows null, and pulls of earlier releases can have other resources. Their runs fail until the resource is changed. */
function assertReadable(resource: string | null): void {
  const problem = resource === null ? null : pullPatternProblem(resource);
  if (problem) throw Failure.field('pull_resource', 'resource', problem);
}

async function projectsLinked(em: EntityManager, organizationId: string, links: readonly string[]): Promise<string[]> {
  const ids = [...new Set(links.map((link) => idFromLink('projects', 'projects', link)))];
  const storedProjects = await em.query<{ id: string }[]>(
    'select id from project where organization_id = $1 and id = any($2::uuid[])',
    [organizationId, ids],
  );
  if (storedProjects.length < ids.length) throw unknownLinkError('projects', 'projects');
  return ids;
}

async function tagsLinked(em: EntityManager, organizationId: string, links: readonly string[]): Promise<Tag[]> {
  const ids = [...new Set(links.map((link) => idFromLink('tags', 'tags', link)))];
  const storedTags = await em.query<Tag[]>(
    'select id, environment_id from tag where organization_id = $1 and id = any($2::uuid[])',
    [organizationId, ids],
  );
  if (storedTags.length < ids.length) throw unknownLinkError('tags', 'tags');
  return storedTags;
}

/** Replaces the links to projects and tags. A remaining link keeps the stored position of its tag. */
async function setLinks(em: EntityManager, organizationId: string, id: string, { projects, tags }: Content) {
  const tagIds = tags.map((tag) => tag.id);
  for (const [noun, ids] of [
    ['project', projects],
    ['tag', tagIds],
  ] as const) {
    await em.query(
      `delete from exchange_${noun} where organization_id = $1 and exchange_id = $2 and ${noun}_id <> all($3::uuid[])`,
      [organizationId, id, ids],
    );
  }
  await em.query(
    `insert into exchange_project (organization_id, exchange_id, project_id)
     select $1, $2, unnest($3::uuid[]) on conflict do nothing`,
    [organizationId, id, projects],
  );
  await em.query(
    `insert into exchange_tag (organization_id, exchange_id, tag_id, pushed)
     select $1, $2, tag.id, tag."timestamp" from tag where tag.organization_id = $1 and tag.id = any($3::uuid[])
     on conflict do nothing`,
    [organizationId, id, tagIds],
  );
}

async function assertBelowLimit(em: EntityManager, { organizationId, integrationId }: IntegrationPath): Promise<void> {
  const [{ count } = { count: 0 }] = await em.query<{ count: number }[]>(
    'select count(*)::int as count from exchange where organization_id = $1 and integration_id = $2',
    [organizationId, integrationId],
  );
  if (count < SYNCS_MAX) return;
  const message = sentence`An integration has at most ${{ limit: SYNCS_MAX }} pulls and pushes. Remove one first.`;
  throw Failure.field('too_many_exchanges', 'non_field_errors', message);
}
