import type { EffectiveMessage, EffectiveReset } from '@strata/contract';
import {
  canReadConfiguration,
  type EffectivePosition,
  encodeEffectiveCursor,
  Failure,
  type Permissions,
  permissionsKey,
  type Revision,
} from '@strata/domain';
import type { ListenerSession } from '../../feed/listeners.ts';
import { CLOSE_DETAILS, closeCodeOf, type StreamSocket, type StreamTimes } from '../../feed/stream-socket.ts';
import { maskedNames } from '../effective-bodies.ts';
import type { ConfigurationLedger } from './changed-scopes.ts';
import type {
  ConfigurationProblem,
  ConfigurationState,
  ConfigurationStates,
  StreamSelection,
} from './configuration-states.ts';
import { type ConfigurationStep, ConfigurationSteps } from './configuration-steps.ts';
import type { Followed, FollowedConfiguration } from './followed-configuration.ts';
import type { FollowedConfigurations } from './followed-configurations.ts';
import type { MessageQueue } from './message-queue.ts';

type ResetReason = EffectiveReset['reason'];
type CloseCode = Extract<EffectiveMessage, { kind: 'close' }>['code'];
type Message<Kind extends EffectiveMessage['kind']> = Omit<
  Extract<EffectiveMessage, { kind: Kind }>,
  'kind' | 'cursor'
>;

const RETRY_MS = 2_000;

const DETAILS: Readonly<Record<CloseCode, string>> = {
  ...CLOSE_DETAILS,
  forbidden: 'You no longer have permission to read this configuration.',
  not_found: 'The project or the environment was deleted.',
};

/** A connection that follows one configuration. */
export interface StreamConnection {
  readonly selection: StreamSelection;
  /** Identifies the selection in cursors. */
  readonly selectionKey: string;
  /** Where the client continues; null for a new client. */
  readonly after: EffectivePosition | null;
  readonly socket: StreamSocket;
  readonly listening: ListenerSession;
  /** Records that the client receives a secret in clear. */
  readonly recordReveal: () => void;
  /** Records that the client still reads the configuration. */
  readonly recordRead: () => void;
}

/** The sources of the messages of a stream. */
export interface StreamSources {
  readonly followed: FollowedConfigurations;
  readonly states: ConfigurationStates;
  readonly ledger: ConfigurationLedger;
  readonly times: StreamTimes;
}

/** The client's permissions differ from those that the joined configuration was read with. */
class PermissionsChanged extends Error {}

/** Ends a stream with a last message. */
class Closed extends Error {
  constructor(readonly code: CloseCode) {
    super(code);
  }
}

/**
 * Sends one client its configuration and what changes in it. The client's values are known by their fingerprint: a delta
 * is sent only if it applies to exactly these values, otherwise the client receives all values again.
 */
export class EffectiveStream {
  private position: EffectivePosition | null;
  /** The digest of the last values that were sent; null while they cannot be evaluated. */
  private digest: string | null = null;

  constructor(
    private readonly connection: StreamConnection,
    private readonly sources: StreamSources,
  ) {
    this.position = connection.after;
  }

  /** Sends messages until the client disconnects, stops reading, or the service ends the stream. */
  async run(first: FollowedConfiguration, permissions: Permissions): Promise<void> {
    const { socket, listening, selection } = this.connection;
    const { followed } = this.sources;
    try {
      let reason = await this.follow(first, permissions, 'state_unknown', `retry: ${RETRY_MS}\n\n`);
      while (reason !== null) {
        const current = await this.permissions(0);
        reason = await this.follow(await followed.join(selection, current), current, reason);
      }
    } catch (error) {
      const code = closeCode(error);
      if (code) return this.close(code);
      // Destroys the socket, so that the client reconnects with its cursor.
      if (!listening.closeCode) return socket.destroy();
    }
    const { closeCode: ended } = listening;
    if (ended) this.close(ended);
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
      if (preamble) await this.connection.socket.send(preamble);
      await this.bringUpToDate(configuration, permissions, reason);
      return await this.deliver(configuration, queue, permissions);
    } catch (error) {
      if (error instanceof PermissionsChanged) return 'permissions_changed';
      throw error;
    } finally {
      configuration.ignore(queue);
      configuration.leave();
    }
  }

  private async deliver(
    configuration: FollowedConfiguration,
    queue: MessageQueue<Followed>,
    permissions: Permissions,
  ): Promise<ResetReason | null> {
    const { listening, socket } = this.connection;
    const { bookmarkMs } = this.sources.times;
    for (;;) {
      // Everything up to this revision is in the queue.
      const { revision } = configuration.processed;
      const idleMs = socket.lastSent + bookmarkMs - performance.now();
      const followed = await queue.next(idleMs, listening.signal);
      if (listening.signal.aborted) return null;
      if (followed === null) {
        if (performance.now() - socket.lastSent >= bookmarkMs) await this.bookmark(revision);
        continue;
      }
      const { message, people } = followed;
      if (message.kind === 'reset') return message.reason;
      if (message.kind === 'gone') throw new Closed('not_found');
      await this.assertSame(permissions, people);
      if (message.kind === 'people') continue;
      if (this.applies(message)) await this.send(message, permissions);
      else await this.bringUpToDate(configuration, permissions, 'state_unknown');
    }
  }

  /** Returns whether a step continues from the values that the client has, or from an earlier position. */
  private applies(step: ConfigurationStep): boolean {
    const { position } = this;
    if (position === null || step.kind === 'problem' || step.revision <= position.revision) return true;
    return position.values !== '' && position.values === (step.kind === 'delta' ? step.from : step.values.fingerprint);
  }

  /** Sends what the client has missed, or a snapshot. */
  private async bringUpToDate(
    configuration: FollowedConfiguration,
    permissions: Permissions,
    reason: ResetReason,
  ): Promise<void> {
    const { position } = this;
    if (position === null || position.values === '') return this.snapshot(permissions, null);
    const { selection, selectionKey } = this.connection;
    if (position.selection !== selectionKey) return this.snapshot(permissions, 'other_selection');
    const from = { epoch: position.epoch, revision: position.base };
    const { head, changed } = await this.sources.ledger.since(selection.organizationId, from);
    const isReplaced = head.epoch !== position.epoch || head.revision < position.revision;
    if (isReplaced) return this.snapshot(permissions, 'history_replaced');
    if (changed === null) return this.snapshot(permissions, 'too_far_behind');
    const { values } = configuration;
    if (values?.fingerprint === position.values && !configuration.isAffected(changed, position.base)) {
      this.digest = values.digest;
      return this.bookmark(head.revision);
    }
    const state = await this.pastState(permissions, position.base, head);
    if (state?.problem !== null || state.delivered.fingerprint !== position.values) {
      return this.snapshot(permissions, reason);
    }
    this.digest = state.delivered.digest;
    const steps = ConfigurationSteps.from(this.sources.states, selection, permissions, state);
    for (const each of changed) {
      const step = await steps.next(each, head);
      if (this.connection.listening.signal.aborted) return;
      if (step && step.kind === 'problem') this.digest = null;
      await this.assertSame(permissions, head.people);
      if (step && each.revision > position.revision) await this.send(step, permissions);
    }
    await this.bookmark(head.revision);
  }

  /** Returns the state that the client has, or null if it cannot be determined any more. */
  private async pastState(
    permissions: Permissions,
    revision: Revision,
    head: Parameters<ConfigurationStates['at']>[3],
  ): Promise<ConfigurationState | null> {
    try {
      return await this.sources.states.at(this.connection.selection, permissions, revision, head);
    } catch (error) {
      if (error instanceof Failure && (error.kind === 'forbidden' || error.kind === 'not_found')) return null;
      throw error;
    }
  }

  private async send(step: ConfigurationStep, permissions: Permissions): Promise<void> {
    const { position } = this;
    const { revision } = step;
    if (position === null || revision <= position.revision) return;
    if (!this.applies(step)) return this.snapshot(permissions, 'state_unknown');
    if (step.kind === 'problem') {
      this.position = { ...position, revision };
      this.digest = null;
      return this.write('problem', { revision, ...shownProblem(step.problem) });
    }
    const { digest, fingerprint } = step.values;
    this.digest = digest;
    if (step.kind === 'solved') return this.bookmark(revision);
    this.position = { ...position, revision, base: revision, values: fingerprint };
    if (step.showsSecret) this.connection.recordReveal();
    await this.write('delta', { revision, digest, changes: [...step.changes] });
  }

  /** Sends all values. Reports the reason if they replace values that the client has. */
  private async snapshot(permissions: Permissions, reason: ResetReason | null): Promise<void> {
    const { selection, selectionKey, recordReveal } = this.connection;
    const { head, state } = await this.sources.states.present(selection, permissions);
    await this.assertSame(permissions, head.people);
    const { epoch, revision } = head;
    this.position = { epoch, revision, base: revision, selection: selectionKey, values: '' };
    this.digest = null;
    if (reason) await this.write('reset', { revision, reason });
    if (state.problem) return this.write('problem', { revision, ...shownProblem(state.problem) });
    const { values, delivered } = state;
    this.position = { ...this.position, values: delivered.fingerprint };
    this.digest = delivered.digest;
    const masked = selection.reveal ? [] : maskedNames(values);
    if (selection.reveal && maskedNames(values).length > 0) recordReveal();
    const texts = Object.fromEntries(values.map(({ name, text }) => [name, text]));
    await this.write('snapshot', { revision, digest: delivered.digest, masked, values: texts });
  }

  private async bookmark(revision: Revision): Promise<void> {
    const { position, digest } = this;
    if (position === null) return;
    const reached = Math.max(revision, position.revision);
    this.position = { ...position, revision: reached, ...(digest !== null && { base: reached }) };
    await this.write('bookmark', { revision: reached, digest });
  }

  private async write<Kind extends Exclude<EffectiveMessage['kind'], 'close'>>(
    kind: Kind,
    message: Message<Kind>,
  ): Promise<void> {
    if (this.position === null) return;
    const cursor = encodeEffectiveCursor(this.position);
    this.connection.recordRead();
    await this.connection.socket.send(
      `id: ${cursor}\nevent: ${kind}\ndata: ${JSON.stringify({ cursor, ...message })}\n\n`,
    );
  }

  /** Returns permissions that take account of all writes up to a revision. Throws if the client may no longer read. */
  private async permissions(people: Revision): Promise<Permissions> {
    const current = await this.connection.listening.permissions(people);
    if (current === null) throw new Closed('credential_revoked');
    if (!canReadConfiguration(current, this.connection.selection)) throw new Closed('forbidden');
    return current;
  }

  /** Throws if the permissions at a revision are not those that the values were read with. */
  private async assertSame(permissions: Permissions, people: Revision): Promise<void> {
    const current = await this.permissions(people);
    if (permissionsKey(current) !== permissionsKey(permissions)) throw new PermissionsChanged();
  }

  private close(code: CloseCode): void {
    this.connection.socket.end(`event: close\ndata: ${JSON.stringify({ code, detail: DETAILS[code] })}\n\n`);
  }
}

const shownProblem = ({ names, detail }: ConfigurationProblem) => ({ names: [...names], detail });

function closeCode(error: unknown): CloseCode | null {
  if (error instanceof Closed) return error.code;
  const known = closeCodeOf(error);
  if (known) return known;
  const kind = error instanceof Failure ? error.kind : null;
  return kind === 'forbidden' || kind === 'not_found' ? kind : null;
}
