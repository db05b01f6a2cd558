import { Injectable } from '@nestjs/common';
import type { DiscoveryResult, ProviderName } from '@strata/contract';
import { forbiddenScopes, type OrganizationId, type Permissions } from '@strata/domain';
import { findProvider, ProviderError } from '@strata/providers';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ExternalContents, heldBack } from '../external/external-contents.ts';
import { limitRequests, ProviderSetup } from '../external/provider-environment.ts';
import { NO_CLOUD_ACCESS } from '../syncs/find-integration.ts';
import type { IntegrationSettings } from './integration-identity.ts';
import { listPatternKeys, type MatchingKey } from './pattern-keys.ts';
import { LIST_REQUESTS_MAX, SKIPS } from './runs/pattern-pull.ts';
import { readPatternState } from './runs/pattern-state.ts';
import { toRunError } from './runs/push-outcome.ts';
import { describeRunProblem } from './runs/run-problem.ts';
import { StoreRequests } from './store-requests.ts';

/** The keys that a scan looks for. */
interface ScanRequest {
  readonly caller: Permissions;
  readonly organizationId: OrganizationId;
  readonly provider: ProviderName;
  readonly settings: IntegrationSettings;
  readonly fqn: string;
  readonly is_held: boolean;
  readonly region: string | null;
  readonly service: string | null;
  readonly resource: string | null;
}

/** Finds the keys that a pattern pull would read. */
@Injectable()
export class Scans {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly requests: StoreRequests,
    private readonly contents: ExternalContents,
    private readonly setup: ProviderSetup,
  ) {}

  /**
   * Returns the matching keys with the names that a pull would read from them, and the other keys with the reason. The
   * contract has no status for a store that cannot be listed: the location of the integration is skipped with the reason.
   */
  async run(request: ScanRequest): Promise<DiscoveryResult> {
    const { fqn, region, service } = request;
    if (request.is_held) return skipAll(fqn, heldBack(fqn).message);
    const conditions = { ...request, writable: false, direction: 'pull', mode: 'pattern' } as const;
    const problem = describeRunProblem(conditions, false, this.setup.environment);
    const provider = findProvider(request.provider);
    if (problem || provider === null) return skipAll(fqn, problem?.detail ?? NO_CLOUD_ACCESS.detail);
    const resource = request.resource ?? '';
    this.requests.take(request.organizationId);
    try {
      return await this.setup.withinTime(async (environment) => {
        const connection = this.contents.connect(request, limitRequests(environment, LIST_REQUESTS_MAX));
        try {
          const source = { provider, fqn, location: { region, service }, resource };
          const { matching, skipped } = await listPatternKeys(connection, source);
          const inherited = await this.findInherited(request, matching);
          const matchingKeys = matching.filter(({ fqn }) => !inherited.has(fqn));
          return {
            matched: Object.fromEntries(matchingKeys.map((match) => [match.fqn, [presentMatch(match)]])),
            skipped: Object.fromEntries([
              ...skipped.map(({ fqn, reason }) => [fqn, reason]),
              ...[...inherited].map((fqn) => [fqn, SKIPS.value_inherited]),
            ]),
          };
        } finally {
          connection.close();
        }
      });
    } catch (error) {
      if (error instanceof ProviderError) return skipAll(fqn, toRunError(error).detail);
      throw error;
    }
  }

  /** Returns the locations of keys that a run leaves out. A caller without access to every scope does not learn them. */
  private async findInherited(
    { caller, organizationId, provider, fqn }: ScanRequest,
    matches: readonly MatchingKey[],
  ): Promise<ReadonlySet<string>> {
    if (forbiddenScopes(caller).length > 0) return new Set();
    const run = <Row extends object>(sql: string, values: unknown[]) => this.reader.query<Row>(sql, values);
    const states = await readPatternState(run, { organizationId, provider, fqn }, matches);
    const left = matches.filter((_, index) => states[index]?.value === null && states[index]?.inheritsValue);
    return new Set(left.map((match) => match.fqn));
  }
}

const skipAll = (fqn: string, reason: string): DiscoveryResult => ({ matched: {}, skipped: { [fqn]: reason } });

const presentMatch = ({ key, names: { environment, project, parameter } }: MatchingKey) => ({
  venue_id: key,
  venue_name: key,
  environment_name: environment,
  project_name: project,
  parameter_name: parameter,
});
