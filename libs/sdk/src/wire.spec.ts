import {
  EFFECTIVE_MESSAGES,
  Effective,
  type EffectiveMessage,
  InstanceReport,
  type InstanceReport as Report,
} from '@strata/contract';
import { type PolledState, type ProgramReport, parseMessage, parsePolledState, type StreamedMessage } from './wire.ts';

/** Compiles only if each message and response of the contract is one of this package. */
const messages: (message: EffectiveMessage) => StreamedMessage = (message) => message;
const polled: (state: Effective) => PolledState = (state) => state;

const texts = { A: 'text', B: null };
const position = { cursor: 'c', revision: 1 };
const source = { project: { id: '1', name: 'shop' }, environment: { id: '2', name: 'default' } };
const change = { name: 'A', kind: 'set', value: 'x', masked: false, source, changeset: 1 };
const SAMPLES: { readonly [Kind in EffectiveMessage['kind']]: object } = {
  snapshot: { ...position, digest: 'd', values: texts, masked: ['A'] },
  delta: { ...position, digest: 'd', changes: [change] },
  problem: { ...position, names: ['A'], detail: 'a reason' },
  bookmark: { ...position, digest: null },
  reset: { ...position, reason: 'too_far_behind' },
  close: { code: 'draining', detail: 'a reason' },
};

test.each(Object.entries(SAMPLES))('a message %s of the contract is accepted', (kind, sample) => {
  const parsed = EFFECTIVE_MESSAGES[kind as EffectiveMessage['kind']].parse(sample);
  const message = messages({ kind, ...parsed } as EffectiveMessage);
  expect(parseMessage(kind, JSON.stringify(sample))).toEqual(message);
});

test.each(
  Object.entries(SAMPLES).flatMap(([kind, sample]) => Object.keys(sample).map((member) => [kind, member] as const)),
)('a message %s without a valid %s is rejected without quoting it', (kind, member) => {
  const sample = JSON.stringify({ ...SAMPLES[kind as EffectiveMessage['kind']], [member]: [{ password: 'hunter2' }] });
  expect(() => parseMessage(kind, sample)).toThrow(
    'The response is not one of Strata. Check `url` and the proxies before it.',
  );
});

test('an unknown kind of message is ignored', () => {
  expect([parseMessage('later', '{}'), parseMessage('constructor', '{}')]).toEqual([null, null]);
});

test('a response of `effective/` is accepted', () => {
  const names = { project_id: '1', project_name: 'shop', environment_id: '2', environment_name: 'default' };
  const sample = { ...names, revision: 1, digest: 'd', has_secret: false, values: texts };
  expect(parsePolledState(JSON.stringify(sample))).toEqual(polled(Effective.parse(sample)));
});

test('a report of a program is one of the contract', () => {
  const selection = { project: 'shop', environment: 'default', instance: 'pod-7', names: null, reveal: false };
  const reports: readonly ProgramReport[] = [
    { revision: 1, digest: 'sha256:1' },
    { revision: 1, reason: 'a reason' },
  ];
  for (const report of reports) {
    const sent: Report = { ...selection, ...report };
    expect(InstanceReport.parse(sent)).toEqual(sent);
  }
});
