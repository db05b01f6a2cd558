import { Injectable } from '@nestjs/common';
import type { EffectiveQuery } from '@strata/contract';
import { canReadConfiguration, Failure, type Permissions, type Revision } from '@strata/domain';
import { badCredentialError } from '../../../platform/auth/bad-credential.ts';
import type { Call, StrataRequest } from '../../../platform/http/request.ts';
import { type ListenerSession, Listeners } from '../../feed/listeners.ts';
import type { StreamSelection } from './configuration-states.ts';
import type { FollowedConfiguration, FollowedEvent } from './followed-configuration.ts';
import { FollowedConfigurations } from './followed-configurations.ts';
import type { MessageQueue } from './message-queue.ts';

/** Returns whether a request may wait. While it waits, it is not a request in progress, and holds no resources. */
export function isLongPoll({ query, headers }: Pick<StrataRequest, 'query' | 'headers'>): boolean {
  return Number((query as Record<string, unknown>).wait) > 0 && headers['if-none-match'] !== undefined;
}

/** Waits for changes of configurations on behalf of programs that poll. */
@Injectable()
export class ConfigurationPolls {
  constructor(
    private readonly configurations: FollowedConfigurations,
    private readonly listeners: Listeners,
  ) {}

  /** Starts to follow the configuration. Call `leave` on the result. */
  async begin({ caller, reply }: Call, selection: StreamSelection, seconds: number): Promise<ConfigurationPoll> {
    const until = performance.now() + seconds * 1_000;
    const configuration = await this.configurations.join(selection, caller);
    const listening = this.listeners.join(reply.request as StrataRequest, reply.raw, caller);
    return new ConfigurationPoll(selection, configuration, listening, until);
  }
}

export class ConfigurationPoll {
  private readonly queue: MessageQueue<FollowedEvent>;

  constructor(
    private readonly selection: StreamSelection,
    private readonly configuration: FollowedConfiguration,
    private readonly listening: ListenerSession,
    private readonly until: number,
  ) {
    this.queue = configuration.listen();
  }

  /**
   * Resolves with the present permissions of the caller when the configuration may have changed, and with null when the
   * time is over. Throws if the caller may no longer read it.
   */
  async next(): Promise<Permissions | null> {
    const { signal } = this.listening;
    const changes = await this.queue.next(this.until - performance.now(), signal);
    const permissions = await this.listening.permissions(changes?.people ?? 0);
    if (permissions === null || this.listening.closeCode === 'credential_revoked') throw badCredentialError();
    if (!canReadConfiguration(permissions, this.selection)) throw Failure.forbidden();
    return changes === null || changes.message.kind === 'reset' ? null : permissions;
  }

  /** The configuration has not changed up to this revision, except for what `next` has reported. */
  get revision(): Revision {
    return this.configuration.processed.revision;
  }

  leave(): void {
    this.configuration.stopListening(this.queue);
    this.configuration.leave();
    this.listening.leave();
  }
}

/** Throws 400 unless a query can wait: only the present can change, and only its names can be selected. */
export function assertCanWait(query: EffectiveQuery): void {
  if (query.wait === 0 || isUnfiltered(query)) return;
  throw Failure.invalid(
    'invalid',
    '`wait` works only for the current, evaluated configuration. Remove all filters except `environment`, `name__in` and `mask_secrets`.',
  );
}

/** Returns whether a query reads the evaluated configuration and selects nothing besides names and masking. */
export function isUnfiltered(query: EffectiveQuery): boolean {
  const { wait, environment, name__in, mask_secrets, evaluate, immediate_parameters, ...others } = query;
  return evaluate && !immediate_parameters && Object.values(others).every((value) => value === undefined);
}
