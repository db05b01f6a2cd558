import type { EffectiveMessage, EffectiveReset } from '@strata/contract';
import { type EffectivePosition, encodeEffectiveCursor, type Revision } from '@strata/domain';
import type { Head } from '../../../platform/ledger/heads.ts';
import { CLOSE_DETAILS, type StreamSocket } from '../../feed/stream-socket.ts';
import { maskedNames } from '../effective-bodies.ts';
import type { ConfigurationProblem, ConfigurationState, StreamSelection } from './configuration-states.ts';
import type { ConfigurationStep } from './configuration-steps.ts';

type MessageOf<Kind extends EffectiveMessage['kind']> = Extract<EffectiveMessage, { kind: Kind }>;
export type ResetReason = EffectiveReset['reason'];
export type EffectiveCloseCode = MessageOf<'close'>['code'];

const CLOSING: Readonly<Record<EffectiveCloseCode, string>> = {
  ...CLOSE_DETAILS,
  forbidden: 'You no longer have permission to read this configuration.',
  not_found: 'The project or the environment was deleted.',
};

/** A client of a stream. */
export interface StreamClient {
  readonly selection: StreamSelection;
  /** Identifies the selection in cursors. */
  readonly selectionKey: string;
  /** Where the client continues; null for a new client. */
  readonly after: EffectivePosition | null;
  readonly socket: StreamSocket;
  /** Records that the client receives a secret in clear. */
  readonly recordReveal: () => void;
  /** Records that the client still reads the configuration. */
  readonly recordRead: () => void;
}

/** Writes the messages of a stream. Knows by their fingerprint which values the client has. */
export class StreamWriter {
  private reached: EffectivePosition | null;
  /** The digest of the last values that were sent; null while they cannot be evaluated. */
  private digest: string | null = null;

  constructor(private readonly client: StreamClient) {
    this.reached = client.after;
  }

  /** The position of the client; null before the first message. */
  get position(): EffectivePosition | null {
    return this.reached;
  }

  /** The client has these values already; null if they cannot be evaluated now. */
  resume(digest: string | null): void {
    this.digest = digest;
  }

  /** Returns whether a step continues from the values that the client has, or from an earlier position. */
  applies(step: ConfigurationStep): boolean {
    const { reached } = this;
    if (reached === null || step.kind === 'problem' || step.revision <= reached.revision) return true;
    return reached.values !== '' && reached.values === (step.kind === 'delta' ? step.from : step.values.fingerprint);
  }

  /** Sends a step that applies, unless the client has it. */
  async step(step: ConfigurationStep): Promise<void> {
    const { reached } = this;
    const { revision } = step;
    if (reached === null || revision <= reached.revision) return;
    if (step.kind === 'problem') {
      this.reached = { ...reached, revision };
      this.digest = null;
      return this.write('problem', { revision, ...shownProblem(step.problem) });
    }
    const { digest, fingerprint } = step.values;
    this.digest = digest;
    if (step.kind === 'recovered') return this.bookmark(revision);
    this.reached = { ...reached, revision, base: revision, values: fingerprint };
    if (step.showsSecret) this.client.recordReveal();
    await this.write('delta', { revision, digest, changes: [...step.changes] });
  }

  /** Sends all values. Reports the reason if they replace values that the client has. */
  async snapshot({ epoch, revision }: Head, state: ConfigurationState, reason: ResetReason | null): Promise<void> {
    const { selection, selectionKey, recordReveal } = this.client;
    this.reached = { epoch, revision, base: revision, selection: selectionKey, values: '' };
    this.digest = null;
    if (reason) await this.write('reset', { revision, reason });
    if (state.problem) return this.write('problem', { revision, ...shownProblem(state.problem) });
    const { values, delivered } = state;
    this.reached = { ...this.reached, values: delivered.fingerprint };
    this.digest = delivered.digest;
    const secrets = maskedNames(values);
    if (selection.reveal && secrets.length > 0) recordReveal();
    const maskedSecrets = selection.reveal ? [] : secrets;
    const texts = Object.fromEntries(values.map(({ name, text }) => [name, text]));
    await this.write('snapshot', { revision, digest: delivered.digest, masked: maskedSecrets, values: texts });
  }

  async bookmark(revision: Revision): Promise<void> {
    const { reached: lastSent, digest } = this;
    if (lastSent === null) return;
    const reachedRevision = Math.max(revision, lastSent.revision);
    this.reached = { ...lastSent, revision: reachedRevision, ...(digest !== null && { base: reachedRevision }) };
    await this.write('bookmark', { revision: reachedRevision, digest });
  }

  /** Sends the last message and ends the response. */
  close(code: EffectiveCloseCode): void {
    this.client.socket.end(`event: close\ndata: ${JSON.stringify({ code, detail: CLOSING[code] })}\n\n`);
  }

  private async write<Kind extends Exclude<EffectiveMessage['kind'], 'close'>>(
    kind: Kind,
    message: Omit<MessageOf<Kind>, 'kind' | 'cursor'>,
  ): Promise<void> {
    if (this.reached === null) return;
    const cursor = encodeEffectiveCursor(this.reached);
    this.client.recordRead();
    const data = JSON.stringify({ cursor, ...message });
    await this.client.socket.send([`id: ${cursor}\nevent: ${kind}\ndata: ${data}\n\n`]);
  }
}

const shownProblem = ({ names, detail }: ConfigurationProblem) => ({ names: [...names], detail });
