import { INTEGRATIONS, type ProviderName } from '@strata/contract';
import { pullPatternProblem } from '@strata/domain';
import { findProvider, type ProviderEnvironment } from '@strata/providers';
import { NO_CLOUD_ACCESS } from '../../syncs/find-integration.ts';
import type { Direction, SyncRow } from '../../syncs/sync-row.ts';
import type { IntegrationSettings } from '../integration-identity.ts';
import type { RunError } from './run-store.ts';

/** The settings that decide whether a pull or push can run. */
interface RunConditions {
  readonly provider: ProviderName;
  readonly settings: IntegrationSettings;
  readonly writable: boolean;
  readonly direction: Direction;
  readonly mode: SyncRow['mode'];
  readonly region: string | null;
  readonly service: string | null;
  readonly resource: string | null;
}

/** A pull or push, and how its runs begin. */
export interface RunnableSync extends RunConditions {
  readonly dry_run: boolean | null;
}

/** Returns why a run cannot start, without any request to the provider; null if it can. */
export function describeRunProblem(
  { provider: name, settings, writable, direction, mode, region, service, resource }: RunConditions,
  isDryRun: boolean,
  environment: ProviderEnvironment,
): RunError | null {
  const provider = findProvider(name);
  const isPattern = direction === 'pull' && mode === 'pattern';
  if (provider === null || (isPattern && !INTEGRATIONS[name].open)) return NO_CLOUD_ACCESS;
  const problem = provider.check(settings, environment, { region, service });
  if (problem?.code === 'no_credentials') return { code: NO_CLOUD_ACCESS.code, detail: problem.detail };
  // The external values of a mapped pull have locations of their own.
  if (direction === 'pull' && !isPattern) return null;
  if (problem !== null) return { code: problem.code, detail: problem.detail };
  if (isPattern) return toResourceError(pullPatternProblem(resource)?.message ?? null);
  if (writable || isDryRun) return null;
  const detail = 'Pushes may not write with this integration. Set writable of the integration to true.';
  return { code: 'integration_not_writable', detail };
}

const toResourceError = (detail: string | null): RunError | null =>
  detail === null ? null : { code: 'invalid_resource', detail };
