import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { INTEGRATIONS, type IntegrationDeleteQuery, type IntegrationInput, type ProviderName } from '@strata/contract';
import { Failure, type NamedObject, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { Command, WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { ProviderSetup } from '../external/provider-environment.ts';
import { replaceContents } from '../parameters/values/value-writer.ts';
import { assertMayPushSecrets, assertMayReadExternal } from '../syncs/push-rights.ts';
import type { Direction } from '../syncs/sync-row.ts';
import { isSame, storeTest, type TestedSettings } from './connection-tests.ts';
import { DELETED, MOVED, readExternalValues } from './external-values.ts';
import { type IntegrationSettings, KINDS } from './integration-identity.ts';
import { type IntegrationPath, type IntegrationRow, IntegrationsReader } from './integrations.reader.ts';

/** The maximum number of integrations. Lists and requests for external content read all of them. */
const INTEGRATIONS_MAX = 50;

type ChangedRow = Pick<IntegrationRow, 'name' | 'fqn' | 'description' | 'writable' | 'settings'>;

const constraintErrors = (name: string) => ({
  integration_name_taken: () =>
    Failure.field(
      'duplicate_name',
      'non_field_errors',
      sentence`There is an integration ${{ name }} already. Change that one.`,
    ),
});

@Injectable()
export class IntegrationsService {
  constructor(
    private readonly reader: IntegrationsReader,
    private readonly setup: ProviderSetup,
    private readonly vault: Vault,
  ) {}

  /** Creates an integration, together with the pull that every integration has. `tested` becomes its status. */
  create(
    caller: Caller,
    path: IntegrationPath,
    input: IntegrationInput,
    tested: TestedSettings | null,
  ): Command<IntegrationRow> {
    const { provider } = path;
    return {
      operation: `integrations_${provider}_create`,
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        const { organizationId } = caller;
        await assertBelowLimit(em, organizationId);
        const id = randomUUID();
        const { externalId } = await this.setup.tenant(organizationId);
        const settings = KINDS[provider].settings(input, {}, externalId);
        const { name, fqn } = KINDS[provider].identity(settings);
        await translateViolations(
          em.query(
            `insert into integration (organization_id, id, provider, name, fqn, description, writable, settings, created_at, modified_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
            [organizationId, id, provider, name, fqn, input.description ?? '', input.writable ?? false, settings, at],
          ),
          constraintErrors(name),
        );
        await storeTest(em, organizationId, { id, settings, at }, tested);
        context.record(objectChange('create', KINDS[provider].objectType, { id, name }));
        await addMappedPull(context, { organizationId, integrationId: id, ...firstLocation(provider, input) });
        return this.find(em, path, id);
      },
    };
  }

  /** Changes an integration. Omitted members keep their values. A change without effect creates no revision. */
  change(
    caller: Caller,
    path: IntegrationPath,
    id: string,
    input: IntegrationInput,
    tested: TestedSettings | null,
  ): Command<IntegrationRow> {
    return {
      operation: `integrations_${path.provider}_update`,
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        const current = await this.find(em, path, id);
        const { settings, identity } = KINDS[path.provider];
        const { externalId } = await this.setup.tenant(caller.organizationId);
        const ownSettings: IntegrationSettings = settings(input, current.settings, externalId);
        const changed = {
          ...identity(ownSettings),
          description: input.description ?? current.description,
          writable: input.writable ?? current.writable,
          settings: ownSettings,
        };
        const before = KINDS[path.provider].settings({}, current.settings, externalId);
        const { description, writable } = changed;
        const isConnectionSame = isSame(ownSettings, before);
        if (isConnectionSame && description === current.description && writable === current.writable) return current;
        if (!isConnectionSame || writable !== current.writable) await assertMayRedirect(em, caller, id);
        await this.update(context, path, current, changed);
        if (!isConnectionSame) await storeTest(em, caller.organizationId, { id, settings: ownSettings, at }, tested);
        return this.find(em, path, id);
      },
    };
  }

  /**
   * Stores settings that a test of the connection has found out, such as the name of an organization. They change neither
   * the store nor the result of the test.
   */
  storeDiscovered(
    caller: Caller,
    path: IntegrationPath,
    id: string,
    { settings: tested, discovered }: TestedSettings,
  ): Command<IntegrationRow> {
    return {
      operation: `integrations_${path.provider}_update`,
      caller,
      run: async (context) => {
        const current = await this.find(context.em, path, id);
        const settings = { ...current.settings, ...discovered };
        // Another request has changed the settings since the test.
        if (!isSame(settings, tested) || isSame(settings, current.settings)) return current;
        await this.update(context, path, current, {
          ...current,
          settings,
          ...KINDS[path.provider].identity(settings),
        });
        return this.find(context.em, path, id);
      },
    };
  }

  /** Stores a changed row. External values whose location is no longer within the integration are marked. */
  private async update(
    context: WriteContext,
    path: IntegrationPath,
    current: IntegrationRow,
    { name, fqn, description, writable, settings }: ChangedRow,
  ): Promise<void> {
    const { caller, em, at } = context;
    const { id } = current;
    await translateViolations(
      em.query(
        `update integration set name = $3, fqn = $4, description = $5, writable = $6, settings = $7, modified_at = $8
          where organization_id = $1 and id = $2`,
        [caller.organizationId, id, name, fqn, description, writable, settings, at],
      ),
      constraintErrors(name),
    );
    if (fqn !== current.fqn)
      await replaceContents(
        context,
        caller.organizationId,
        await readExternalValues({ em, vault: this.vault }, caller.organizationId, current.fqn, MOVED),
      );
    context.record(objectChange('update', KINDS[path.provider].objectType, { id, name }));
  }

  /**
   * Deletes an integration with its pulls and pushes. The built-in pull does not count as use. External values keep their
   * text and are marked as possibly outdated.
   */
  remove(caller: Caller, path: IntegrationPath, id: string, { in_use: inUse }: IntegrationDeleteQuery): Command<void> {
    return {
      operation: `integrations_${path.provider}_destroy`,
      caller,
      isLong: true,
      run: async (context) => {
        const { caller, em } = context;
        const current = await this.find(em, path, id);
        const exchanges = await em.query<(NamedObject & { direction: string; mode: string })[]>(
          `select id, name, direction, mode from exchange where organization_id = $1 and integration_id = $2 order by name`,
          [caller.organizationId, id],
        );
        const values = await readExternalValues({ em, vault: this.vault }, caller.organizationId, current.fqn, DELETED);
        const used = exchanges.filter(({ mode, direction }) => mode === 'pattern' || direction === 'push');
        if (inUse === 'fail' && used.length + values.length > 0) {
          const names = [
            ...used.map(({ name }) => name),
            ...new Set(values.map(({ context }) => context.parameter.name)),
          ];
          throw Failure.conflict(
            'integration_in_use',
            sentence`${{ name: current.name }} is used by ${{ names }}. Delete them first.`,
          );
        }
        await replaceContents(context, caller.organizationId, values);
        for (const exchange of exchanges) {
          context.record(objectChange('delete', exchange.direction === 'pull' ? 'Pull' : 'Push', exchange));
        }
        await em.query('delete from integration where organization_id = $1 and id = $2', [caller.organizationId, id]);
        context.record(objectChange('delete', KINDS[path.provider].objectType, current));
      },
    };
  }

  private async find(em: EntityManager, path: IntegrationPath, id: string): Promise<IntegrationRow> {
    return (await this.reader.readOne('integration', path, id, SnapshotReader.within(em))).row;
  }
}

/**
 * A changed account or role is another receiver of the secrets that the pushes of the integration write, and another
 * source of the secrets that its pattern pulls read.
 */
async function assertMayRedirect(em: EntityManager, caller: Caller, integrationId: string): Promise<void> {
  const exchanges = await em.query<{ direction: Direction }[]>(
    `select distinct direction from exchange where organization_id = $1 and integration_id = $2
        and case direction when 'push' then (options ->> 'include_secrets')::boolean else mode = 'pattern' end`,
    [caller.organizationId, integrationId],
  );
  const directions = exchanges.map(({ direction }) => direction);
  if (directions.includes('push')) assertMayPushSecrets(caller);
  if (directions.includes('pull')) assertMayReadExternal(caller);
}

async function assertBelowLimit(em: EntityManager, organizationId: string): Promise<void> {
  const [{ count } = { count: 0 }] = await em.query<{ count: number }[]>(
    'select count(*)::int as count from integration where organization_id = $1',
    [organizationId],
  );
  if (count < INTEGRATIONS_MAX) return;
  const message = sentence`An organization has at most ${{ limit: INTEGRATIONS_MAX }} integrations. Remove one first.`;
  throw Failure.field('too_many_integrations', 'non_field_errors', message);
}

interface MappedPull {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly region: string | null;
  readonly service: string | null;
}

/**
 * Returns the location of the built-in pull. The contract requires a region and a service even for a pull without a
 * fixed location.
 */
function firstLocation(provider: ProviderName, input: IntegrationInput): Pick<MappedPull, 'region' | 'service'> {
  if (!INTEGRATIONS[provider].hasLocation) return { region: null, service: null };
  return { region: input.aws_enabled_regions?.[0] ?? 'us-east-1', service: input.aws_enabled_services?.[0] ?? 'ssm' };
}

async function addMappedPull(
  context: WriteContext,
  { organizationId, integrationId, region, service }: MappedPull,
): Promise<void> {
  const id = randomUUID();
  const name = 'mapped';
  await context.em.query(
    `insert into exchange (organization_id, id, integration_id, direction, mode, name, description, region, service, options, created_at, modified_at)
     values ($1, $2, $3, 'pull', 'mapped', $4, 'External values, as they refer to this integration.', $5, $6, '{}', $7, $7)`,
    [organizationId, id, integrationId, name, region, service, context.at],
  );
  context.record(objectChange('create', 'Pull', { id, name }));
}
