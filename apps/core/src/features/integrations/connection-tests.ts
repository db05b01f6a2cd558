import { Injectable } from '@nestjs/common';
import type { ConnectionTest, IntegrationInput, ProviderName } from '@strata/contract';
import { Failure, jsonPointer, type OrganizationId, sentence } from '@strata/domain';
import { findProvider, ProviderError } from '@strata/providers';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { TokenBuckets } from '../../platform/limits/token-buckets.ts';
import { poolOf } from '../../platform/postgres/data-source.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { ExternalContents } from '../external/external-contents.ts';
import { ProviderSetup } from '../external/provider-environment.ts';
import { NO_CLOUD_ACCESS } from '../syncs/find-integration.ts';
import { type IntegrationSettings, KINDS } from './integration-identity.ts';
import { type IntegrationPath, IntegrationsReader } from './integrations.reader.ts';
import { toRunError } from './runs/push-outcome.ts';

/** Longer than a test, so that an integration has one test at a time. */
const INTERVAL_SECONDS = 10;
/** Tests of new settings beyond this rate are left out, because they protect only against mistakes. */
const NEW_SETTINGS_RATE = { perMinute: 20 };

/** The result of a test of settings. */
export interface TestedSettings {
  readonly settings: IntegrationSettings;
  readonly error: ProviderError | null;
  /** The settings that the test has found out. */
  readonly discovered: IntegrationSettings;
}

const CLAIM = `
update integration set test_started_at = clock_timestamp()
 where organization_id = $1 and id = $2 and held_because is null
   and (test_started_at is null or test_started_at < clock_timestamp() - ${INTERVAL_SECONDS} * interval '1 s')
returning settings, ${wireTimeSql('test_started_at')} as "startedAt"`;

const WHY_UNCLAIMED = `
select held_because is not null as "isHeld",
       greatest(1, ceil(${INTERVAL_SECONDS} - extract(epoch from clock_timestamp() - test_started_at)))::int as seconds
  from integration where organization_id = $1 and id = $2`;

/** A test of settings that were changed meanwhile is not stored. */
const COMPLETE = `
update integration set tested_at = test_started_at, test_error = $4
 where organization_id = $1 and id = $2 and test_started_at = $3::timestamptz`;

/** Tests whether providers accept the settings of integrations. */
@Injectable()
export class ConnectionTests {
  private readonly newSettings = new TokenBuckets(NEW_SETTINGS_RATE);

  constructor(
    private readonly dataSource: DataSource,
    private readonly reader: IntegrationsReader,
    private readonly contents: ExternalContents,
    private readonly setup: ProviderSetup,
  ) {}

  /** Tests the connection of an integration and stores the result as its status. */
  async run(
    path: IntegrationPath,
    id: string,
  ): Promise<{ readonly revision: number; readonly result: ConnectionTest; readonly tested: TestedSettings }> {
    const { organizationId, provider } = path;
    const { revision, row } = await this.reader.readOne('integration', path, id);
    const { settings, startedAt } = await this.claim(organizationId, row);
    const tested = await this.test(organizationId, provider, settings);
    const detail = tested.error && toRunError(tested.error).detail;
    await poolOf(this.dataSource).query(COMPLETE, [organizationId, id, startedAt, detail]);
    return { revision, result: presentTest(startedAt, tested.error), tested };
  }

  /**
   * Tests new settings before they are stored. Throws 400 if the provider rejects a member for good. All other errors
   * can end without a change of the settings, so they only become the status. Returns null if there is no test: if
   * nothing changes, if the installation has no credentials, and if the request repeats an earlier one.
   */
  async testInput(
    caller: Caller,
    path: IntegrationPath,
    id: string | null,
    input: IntegrationInput,
  ): Promise<TestedSettings | null> {
    const { organizationId, provider } = path;
    if (findProvider(provider) === null) return null;
    const stored = id === null ? null : (await this.reader.readOne('integration', path, id)).row.settings;
    const { externalId } = await this.setup.tenant(organizationId);
    const settings = KINDS[provider].settings(input, stored ?? {}, externalId);
    if (stored !== null && isSame(settings, KINDS[provider].settings({}, stored, externalId))) return null;
    if ((await this.contents.isRepeated(caller)) || !this.newSettings.take(organizationId).isAllowed) return null;
    const tested = await this.test(organizationId, provider, settings);
    const { error } = tested;
    if (error?.code === 'no_credentials') return null;
    if (error?.member) throw rejected(error.member, error.detail);
    return tested;
  }

  private async claim(organizationId: OrganizationId, { id, name }: { readonly id: string; readonly name: string }) {
    const pool = poolOf(this.dataSource);
    const claimed = await pool.query<{ settings: IntegrationSettings; startedAt: string }>(CLAIM, [organizationId, id]);
    if (claimed.rows[0]) return claimed.rows[0];
    const { rows } = await pool.query<{ isHeld: boolean; seconds: number }>(WHY_UNCLAIMED, [organizationId, id]);
    const [state] = rows;
    if (!state) throw Failure.notFound('Integration');
    if (state.isHeld) throw waitsAfterRestore(name);
    throw tooSoon(state.seconds);
  }

  private async test(
    organizationId: OrganizationId,
    provider: ProviderName,
    settings: IntegrationSettings,
  ): Promise<TestedSettings> {
    try {
      const tenant = await this.setup.tenant(organizationId);
      const discovered = await this.setup.withinTime(
        async (environment) => (await findProvider(provider)?.test(settings, environment, tenant)) ?? {},
      );
      return { settings: { ...settings, ...discovered }, error: null, discovered };
    } catch (error) {
      if (error instanceof ProviderError) return { settings, error, discovered: {} };
      throw error;
    }
  }
}

/** Stores the result of a test together with the settings that were tested. */
export async function storeTest(
  em: EntityManager,
  organizationId: OrganizationId,
  stored: { readonly id: string; readonly settings: IntegrationSettings; readonly at: string },
  tested: TestedSettings | null,
): Promise<void> {
  const isTested = tested !== null && isSame(tested.settings, stored.settings);
  const detail = isTested && tested.error ? toRunError(tested.error).detail : null;
  await em.query(
    `update integration set test_started_at = null, tested_at = $3, test_error = $4 where organization_id = $1 and id = $2`,
    [organizationId, stored.id, isTested ? stored.at : null, detail],
  );
}

export const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

function presentTest(startedAt: string, error: ProviderError | null): ConnectionTest {
  const checked = { status_last_checked_at: startedAt };
  if (error === null) return { status: 'connected', status_detail: '', ...checked, error_code: null, pointer: null };
  const { code, detail } = toRunError(error);
  return {
    status: 'errored',
    status_detail: detail,
    ...checked,
    error_code: error.code === 'no_credentials' ? NO_CLOUD_ACCESS.code : code,
    pointer: error.member && jsonPointer([error.member]),
  };
}

const rejected = (member: string, reason: string) =>
  Failure.field('settings_rejected', member, sentence`The provider rejects this: ${{ reason }}`);

const waitsAfterRestore = (name: string) =>
  Failure.conflict(
    'integration_held',
    sentence`After a restore, ${{ name }} waits until an operator continues the integrations with strata continue-pushes.`,
  );

const tooSoon = (seconds: number) =>
  new Failure({
    kind: 'limited',
    code: 'rate_limited',
    message: sentence`The integration was tested a moment ago. Test it again in ${{ seconds }} seconds.`,
    retryAfterSeconds: seconds,
  });
