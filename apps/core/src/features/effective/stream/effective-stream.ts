import {
  canReadConfiguration,
  Failure,
  haveEnded,
  type Permissions,
  permissionsKey,
  type Revision,
} from '@strata/domain';
import type { ListenerSession } from '../../feed/listeners.ts';
import { chooseCloseCode, type StreamTimes } from '../../feed/stream-socket.ts';
import type { ConfigurationLedger } from './changed-scopes.ts';
import type { ConfigurationState, ConfigurationStates } from './configuration-states.ts';
import { ConfigurationSteps } from './configuration-steps.ts';
import type { FollowedConfiguration, FollowedEvent } from './followed-configuration.ts';
import type { FollowedConfigurations } from './followed-configurations.ts';
import type { MessageQueue } from './message-queue.ts';
import { type EffectiveCloseCode, type ResetReason, type StreamClient, StreamWriter } from './stream-writer.ts';

const RETRY_MS = 2_000;
/** The clock of the database decides when a grant ends. Until then, the permissions are checked at this interval. */
const ENDED_CHECK_MS = 100;

/** A client that is connected, and whose credential is followed. */
export interface StreamConnection extends StreamClient {
  readonly listening: ListenerSession;
}

/** The sources of the messages of a stream. */
export interface StreamSources {
  readonly followed: FollowedConfigurations;
  readonly states: ConfigurationStates;
  readonly ledger: ConfigurationLedger;
  readonly times: StreamTimes;
}

/** The client's permissions differ from those that the joined configuration was read with. */
class PermissionsChangedError extends Error {}

/** Ends a stream with a last message. */
class StreamClosedError extends Error {
  constructor(readonly code: EffectiveCloseCode) {
    super(code);
  }
}

/**
 * Sends one client its configuration and what changes in it. A delta is sent only if it applies to exactly the values
 * that the client has, otherwise the client receives all values again.
 */
export class EffectiveStream {
  private readonly writer: StreamWriter;

  constructor(
    private readonly connection: StreamConnection,
    private readonly streamSources: StreamSources,
  ) {
    this.writer = new StreamWriter(connection);
  }

  /** Sends messages until the client disconnects, stops reading, or the service ends the stream. */
  async run(first: FollowedConfiguration, permissions: Permissions): Promise<void> {
    const { socket, listening, selection } = this.connection;
    const { followed } = this.streamSources;
    try {
      let reason = await this.follow(first, permissions, 'state_unknown', `retry: ${RETRY_MS}\n\n`);
      while (reason !== null) {
        const permissions = await this.permissions(0);
        reason = await this.follow(await followed.join(selection, permissions), permissions, reason);
      }
    } catch (error) {
      const code = closeCode(error);
      if (code) return this.writer.close(code);
      // Destroys the socket, so that the client reconnects with its cursor.
      if (!listening.closeCode) return socket.destroy();
    }
    const { closeCode: closeReason } = listening;
    if (closeReason) this.writer.close(closeReason);
    else socket.destroy();
  }

  /** Returns the reason why the stream must join again, or null if the connection has ended. */
  private async follow(
    configuration: FollowedConfiguration,
    permissions: Permissions,
    reason: ResetReason,
    preamble = '',
  ): Promise<ResetReason | null> {
    const queue = configuration.listen();
    try {
      if (preamble) await this.connection.socket.send([preamble]);
      await this.bringUpToDate(configuration, permissions, reason);
      return await this.deliver(configuration, queue, permissions);
    } catch (error) {
      if (error instanceof PermissionsChangedError) return 'permissions_changed';
      throw error;
    } finally {
      configuration.stopListening(queue);
      configuration.leave();
    }
  }

  private async deliver(
    configuration: FollowedConfiguration,
    queue: MessageQueue<FollowedEvent>,
    permissions: Permissions,
  ): Promise<ResetReason | null> {
    const { listening, socket } = this.connection;
    const { bookmarkMs } = this.streamSources.times;
    for (;;) {
      // Everything up to this revision is in the queue.
      const { revision } = configuration.processed;
      const idleMs = socket.lastSent + bookmarkMs - performance.now();
      const validMs = Math.max((permissions.validUntil ?? Number.POSITIVE_INFINITY) - Date.now(), ENDED_CHECK_MS);
      const nextMessage = await queue.next(Math.min(idleMs, validMs), listening.signal);
      if (listening.signal.aborted) return null;
      if (nextMessage === null) {
        if (haveEnded(permissions, Date.now())) await this.assertSame(permissions, 0);
        if (performance.now() - socket.lastSent >= bookmarkMs) await this.writer.bookmark(revision);
        continue;
      }
      const { message, people } = nextMessage;
      if (message.kind === 'reset') return message.reason;
      if (message.kind === 'deleted') throw new StreamClosedError('not_found');
      await this.assertSame(permissions, people);
      if (message.kind === 'people') continue;
      if (this.writer.applies(message)) await this.writer.step(message);
      else await this.bringUpToDate(configuration, permissions, 'state_unknown');
    }
  }

  /** Sends what the client has missed, or a snapshot. */
  private async bringUpToDate(
    configuration: FollowedConfiguration,
    permissions: Permissions,
    reason: ResetReason,
  ): Promise<void> {
    const { writer } = this;
    const { position } = writer;
    if (position === null || position.values === '') return this.snapshot(permissions, null);
    const { selection, selectionKey } = this.connection;
    if (position.selection !== selectionKey) return this.snapshot(permissions, 'other_selection');
    const from = { epoch: position.epoch, revision: position.base };
    const { head, changed } = await this.streamSources.ledger.since(selection.organizationId, from);
    const isReplaced = head.epoch !== position.epoch || head.revision < position.revision;
    if (isReplaced) return this.snapshot(permissions, 'history_replaced');
    if (changed === null) return this.snapshot(permissions, 'too_far_behind');
    const { values } = configuration;
    if (values?.fingerprint === position.values && !configuration.isAffected(changed, position.base)) {
      writer.resume(values.digest);
      return writer.bookmark(head.revision);
    }
    const state = await this.pastState(permissions, position.base, head);
    if (state?.problem !== null || state.delivered.fingerprint !== position.values) {
      return this.snapshot(permissions, reason);
    }
    writer.resume(state.delivered.digest);
    const steps = ConfigurationSteps.from(this.streamSources.states, selection, permissions, state);
    for (const change of changed) {
      const step = await steps.next(change, head);
      if (this.connection.listening.signal.aborted) return;
      if (step && step.kind === 'problem') writer.resume(null);
      await this.assertSame(permissions, head.people);
      if (!step) continue;
      if (!writer.applies(step)) return this.snapshot(permissions, 'state_unknown');
      await writer.step(step);
    }
    await writer.bookmark(head.revision);
  }

  /** Returns the state that the client has, or null if it cannot be determined any more. */
  private async pastState(
    permissions: Permissions,
    revision: Revision,
    head: Parameters<ConfigurationStates['at']>[3],
  ): Promise<ConfigurationState | null> {
    try {
      return await this.streamSources.states.at(this.connection.selection, permissions, revision, head);
    } catch (error) {
      if (error instanceof Failure && (error.kind === 'forbidden' || error.kind === 'not_found')) return null;
      throw error;
    }
  }

  private async snapshot(permissions: Permissions, reason: ResetReason | null): Promise<void> {
    const { head, state } = await this.streamSources.states.presentAt(this.connection.selection, permissions);
    await this.assertSame(permissions, head.people);
    await this.writer.snapshot(head, state, reason);
  }

  /** Returns permissions that take account of all writes up to a revision. Throws if the client may no longer read. */
  private async permissions(people: Revision): Promise<Permissions> {
    const subscriber = await this.connection.listening.permissions(people);
    if (subscriber === null) throw new StreamClosedError('credential_revoked');
    if (!canReadConfiguration(subscriber, this.connection.selection)) throw new StreamClosedError('forbidden');
    return subscriber;
  }

  /** Throws if the permissions at a revision are not those that the values were read with. */
  private async assertSame(permissions: Permissions, people: Revision): Promise<void> {
    const currentPermissions = await this.permissions(people);
    if (permissionsKey(currentPermissions) !== permissionsKey(permissions)) throw new PermissionsChangedError();
  }
}

function closeCode(error: unknown): EffectiveCloseCode | null {
  if (error instanceof StreamClosedError) return error.code;
  const codeOfError = chooseCloseCode(error);
  if (codeOfError) return codeOfError;
  const kind = error instanceof Failure ? error.kind : null;
  return kind === 'forbidden' || kind === 'not_found' ? kind : null;
}
