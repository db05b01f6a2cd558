import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Failure, type OrganizationId, type Permissions, permissionsKey, sentence } from '@strata/domain';
import { Heads } from '../../../platform/ledger/heads.ts';
import { runOutsideRequests } from '../../../platform/limits/request-limits.ts';
import { ChangeNotifier } from '../../../platform/notifications/change-notifier.ts';
import { ConfigurationLedger } from './changed-scopes.ts';
import { ConfigurationStates, type StreamSelection } from './configuration-states.ts';
import { FollowedConfiguration } from './followed-configuration.ts';
import { FollowedOrganization } from './followed-organization.ts';

/** Each one is evaluated at every revision that affects it. */
const CONFIGURATIONS_MAX = 1_000;

/**
 * The configurations that connections of this process follow. Connections with the same selection and the same
 * permissions share one, so each revision is evaluated once for all of them.
 */
@Injectable()
export class FollowedConfigurations implements OnModuleInit, OnModuleDestroy {
  private readonly organizations = new Map<OrganizationId, FollowedOrganization>();
  private stopWatching: (() => void) | null = null;

  constructor(
    private readonly ledger: ConfigurationLedger,
    private readonly states: ConfigurationStates,
    private readonly heads: Heads,
    private readonly notifier: ChangeNotifier,
  ) {}

  onModuleInit(): void {
    this.stopWatching = this.notifier.watch((organizationId) => this.poll(organizationId));
  }

  onModuleDestroy(): void {
    this.stopWatching?.();
  }

  /** Returns the configuration once its state is known. Call `leave` on it when the connection no longer needs it. */
  async join(selection: StreamSelection, permissions: Permissions): Promise<FollowedConfiguration> {
    const { organizationId } = selection;
    const organization = this.followOrganization(organizationId);
    const key = JSON.stringify([selection, permissionsKey(permissions)]);
    const followedConfiguration = organization.configurations.get(key);
    if (!followedConfiguration && organization.configurations.size >= CONFIGURATIONS_MAX)
      throw tooManyConfigurationsError();
    const configuration =
      followedConfiguration ??
      new FollowedConfiguration(this.states, selection, permissions, () => this.remove(organization, key));
    organization.configurations.set(key, configuration);
    configuration.enter();
    try {
      await runOutsideRequests(async () => {
        await organization.ready;
        await configuration.start();
      });
      return configuration;
    } catch (error) {
      configuration.leave();
      throw error;
    }
  }

  private remove(organization: FollowedOrganization, key: string): void {
    organization.configurations.delete(key);
    if (organization.configurations.size === 0) this.organizations.delete(organization.id);
  }

  private followOrganization(organizationId: OrganizationId): FollowedOrganization {
    const followedOrganization = this.organizations.get(organizationId);
    if (followedOrganization) return followedOrganization;
    const organization = new FollowedOrganization(organizationId, this.ledger, this.heads.required(organizationId));
    this.organizations.set(organizationId, organization);
    return organization;
  }

  private poll(organizationId: OrganizationId | null): void {
    const organizations =
      organizationId === null ? [...this.organizations.values()] : [this.organizations.get(organizationId)];
    runOutsideRequests(() => {
      for (const organization of organizations) void organization?.poll();
    });
  }
}

function tooManyConfigurationsError(): Failure {
  return new Failure({
    kind: 'limited',
    code: 'too_many_streams',
    message: sentence`At most ${{ limit: CONFIGURATIONS_MAX }} different configurations of an organization can be followed at once. Close a stream, or let several streams follow the same names.`,
    retryAfterSeconds: 10,
  });
}
