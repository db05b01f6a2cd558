import { type ConnectionEvent, type ConnectionState, createTransitions, FIRST, nextState } from './connection.ts';
import { ForeignResponseError, StrataError } from './strata-error.ts';
import { TIMES } from './times.ts';
import type { ConfigState } from './values.ts';

/** Without randomness, a pause is half of its limit: 125 ms after the first failure, 250 ms after the second. */
const transitions = createTransitions(TIMES, true, () => 0);
const SHORT = TIMES.steadyMs - 1;
const received: ConfigState = { texts: new Map([['PORT', '1']]), revision: 3, digest: 'd3' };
const common = { received, cursor: 'c3', failures: 0, earlyEnds: 0, periods: 0, pollsUntil: 0 };

const STATES: Readonly<Record<string, ConnectionState>> = {
  first: FIRST,
  opening: { ...common, name: 'opening', status: 'stale' },
  openingAgain: { ...common, name: 'opening', status: 'stale', failures: 1, earlyEnds: 2, periods: 1 },
  streaming: { ...common, name: 'streaming', status: 'live' },
  firstPoll: { ...common, name: 'polling', status: 'stale', failures: 2, periods: 1, pollsUntil: 5_000 },
  polling: { ...common, name: 'polling', status: 'polling', periods: 1, pollsUntil: 5_000 },
  pausing: { ...common, name: 'pausing', status: 'stale', failures: 1, pauseMs: 125 },
  pausingPolls: { ...common, name: 'pausing', status: 'polling', pollsUntil: 5_000, pauseMs: 10_000 },
};

const at = { cursor: 'c4', revision: 4 };
const ended = (end: 'blocked' | 'cut' | 'silent' | 'garbled', lastedMs = SHORT): ConnectionEvent => ({
  name: 'ended',
  ...{ end, lastedMs, close: null, now: 1_000 },
});
const closed = (code: string): ConnectionEvent => ({
  name: 'ended',
  ...{ end: 'closed', lastedMs: SHORT, close: { kind: 'close', code, detail: 'why' }, now: 1_000 },
});
const failed = (code: ConstructorParameters<typeof StrataError>[0], retryAfterMs = 0): ConnectionEvent => ({
  name: 'failed',
  error: new StrataError(code, 'why', { retryAfterMs }),
});
const polled = (digest: string | null, now: number, tookMs = TIMES.steadyMs): ConnectionEvent => ({
  name: 'polled',
  ...{ tookMs, now, polled: digest === null ? { revision: 4 } : { revision: 4, digest, values: { PORT: '2' } } },
});

const EVENTS: Readonly<Record<string, ConnectionEvent>> = {
  snapshot: {
    name: 'message',
    message: { kind: 'snapshot', ...at, digest: 'd4', values: { PORT: '2' }, masked: ['KEY'] },
  },
  delta: {
    name: 'message',
    message: {
      kind: 'delta',
      ...{ ...at, digest: 'd4' },
      changes: [
        { name: 'PORT', kind: 'unset', value: null, masked: false },
        { name: 'KEY', kind: 'set', value: null, masked: true },
        { name: 'HOST', kind: 'set', value: 'h', masked: false },
      ],
    },
  },
  bookmark: { name: 'message', message: { kind: 'bookmark', ...at, digest: 'd3' } },
  emptyBookmark: { name: 'message', message: { kind: 'bookmark', ...at, digest: null } },
  problem: { name: 'message', message: { kind: 'problem', ...at, names: ['A'], detail: 'why' } },
  reset: { name: 'message', message: { kind: 'reset', ...at, reason: 'why' } },
  blocked: ended('blocked'),
  cut: ended('cut'),
  silent: ended('silent'),
  garbled: ended('garbled'),
  cutLate: ended('cut', TIMES.steadyMs),
  drained: closed('shutting_down'),
  cursorGone: closed('cursor_gone'),
  forbidden: closed('forbidden'),
  deleted: closed('not_found'),
  revoked: closed('credential_revoked'),
  unavailable: failed('unavailable', 2_000),
  foreign: { name: 'failed', error: new ForeignResponseError('why') },
  notEvaluated: failed('evaluation_failed'),
  badRequest: failed('bad_request'),
  denied: failed('forbidden'),
  polledNew: polled('d4', 1_000),
  polledSame: polled(null, 1_000),
  polledFromCache: polled(null, 1_000, 5),
  polledLate: polled('d4', 5_000),
  paused: { name: 'paused', now: 1_000 },
};

/** The members of a state that the table compares, and the pause in milliseconds. */
function summary(state: ConnectionState): string {
  if (state.name === 'stopped') return `stopped ${state.error?.code}`;
  const { name, status, failures, earlyEnds, periods, cursor } = state;
  const digest = state.received?.digest ?? '-';
  const counts = `${failures}/${earlyEnds}/${periods}`;
  return [name, status, counts, cursor ?? '-', digest, ...(name === 'pausing' ? [state.pauseMs] : [])].join(' ');
}

/** State, event, result. A result has the activity, status, failures/early ends/periods of polling, cursor, digest, pause. */
const ROWS: readonly (readonly [string, string, string])[] = [
  ['first', 'snapshot', 'streaming live 0/0/0 c4 d4'],
  ['first', 'problem', 'streaming live 0/0/0 c4 -'],
  ['first', 'emptyBookmark', 'streaming live 0/0/0 c4 -'],
  ['opening', 'delta', 'streaming live 0/0/0 c4 d4'],
  ['opening', 'bookmark', 'streaming live 0/0/0 c4 d3'],
  ['opening', 'reset', 'streaming live 0/0/0 - d3'],
  ['opening', 'blocked', 'polling stale 0/0/1 c3 d3'],
  ['opening', 'cut', 'pausing stale 1/1/0 c3 d3 125'],
  ['opening', 'drained', 'pausing stale 1/0/0 c3 d3 0'],
  ['opening', 'unavailable', 'pausing stale 1/0/0 c3 d3 2000'],
  ['opening', 'foreign', 'pausing stale 1/0/0 c3 d3 125'],
  ['opening', 'notEvaluated', 'pausing stale 1/0/0 c3 d3 125'],
  ['opening', 'badRequest', 'pausing stale 1/0/0 - d3 125'],
  ['first', 'badRequest', 'stopped bad_request'],
  ['opening', 'denied', 'stopped forbidden'],
  ['openingAgain', 'cut', 'polling stale 1/0/2 c3 d3'],
  ['openingAgain', 'silent', 'polling stale 1/0/2 c3 d3'],
  ['openingAgain', 'drained', 'pausing stale 2/2/1 c3 d3 250'],
  ['openingAgain', 'cutLate', 'pausing stale 1/0/0 c3 d3 125'],
  ['streaming', 'snapshot', 'streaming live 0/0/0 c4 d4'],
  ['streaming', 'delta', 'streaming live 0/0/0 c4 d4'],
  ['streaming', 'problem', 'streaming live 0/0/0 c4 d3'],
  ['streaming', 'reset', 'streaming live 0/0/0 - d3'],
  ['streaming', 'cut', 'pausing stale 1/1/0 c3 d3 125'],
  ['streaming', 'garbled', 'pausing stale 1/1/0 - d3 125'],
  ['streaming', 'cursorGone', 'pausing stale 1/0/0 - d3 0'],
  ['streaming', 'revoked', 'pausing stale 1/0/0 c3 d3 0'],
  ['streaming', 'forbidden', 'stopped forbidden'],
  ['streaming', 'deleted', 'stopped not_found'],
  ['firstPoll', 'polledNew', 'polling polling 0/0/1 - d4'],
  ['firstPoll', 'polledSame', 'polling polling 0/0/1 c3 d3'],
  ['firstPoll', 'polledFromCache', 'polling polling 0/0/1 c3 d3'],
  ['firstPoll', 'notEvaluated', 'pausing stale 3/0/1 c3 d3 500'],
  ['polling', 'polledNew', 'polling polling 0/0/1 - d4'],
  ['polling', 'polledSame', 'polling polling 0/0/1 c3 d3'],
  ['polling', 'polledFromCache', 'pausing polling 0/0/1 c3 d3 10000'],
  ['polling', 'polledLate', 'opening polling 0/0/1 - d4'],
  ['polling', 'notEvaluated', 'pausing polling 1/0/1 c3 d3 125'],
  ['polling', 'unavailable', 'pausing stale 1/0/1 c3 d3 2000'],
  ['polling', 'denied', 'stopped forbidden'],
  ['pausing', 'paused', 'opening stale 1/0/0 c3 d3'],
  ['pausingPolls', 'paused', 'polling polling 0/0/0 c3 d3'],
];

test.each(ROWS)('%s, %s: %s', (state, event, result) => {
  const before = STATES[state] as ConnectionState;
  const copy = structuredClone(before);
  expect(summary(nextState(transitions, before, EVENTS[event] as ConnectionEvent))).toBe(result);
  expect(before).toEqual(copy);
});

test('a failed poll makes the next attempt a stream, and one that cannot be evaluated does not', () => {
  const after = (event: string) => {
    const paused = nextState(transitions, STATES.polling as ConnectionState, EVENTS[event] as ConnectionEvent);
    return nextState(transitions, paused, EVENTS.paused as ConnectionEvent).name;
  };
  expect([after('unavailable'), after('notEvaluated')]).toEqual(['opening', 'polling']);
});

test('a delta changes, removes and masks texts, and keeps the others', () => {
  const state = nextState(transitions, STATES.streaming as ConnectionState, EVENTS.delta as ConnectionEvent);
  expect(state.name === 'streaming' && [...(state.received?.texts ?? [])]).toEqual([
    ['KEY', undefined],
    ['HOST', 'h'],
  ]);
});

test.each`
  state          | event         | why
  ${'first'}     | ${'delta'}    | ${'there is no configuration that it changes'}
  ${'first'}     | ${'bookmark'} | ${'there is no configuration that it confirms'}
  ${'noCursor'}  | ${'delta'}    | ${'the stream has delivered no snapshot'}
  ${'streaming'} | ${'other'}    | ${'the digest is another one'}
`('a $event in the state $state does not fit, because $why', ({ state, event }) => {
  const before = state === 'noCursor' ? { ...common, name: 'opening', status: 'stale', cursor: null } : STATES[state];
  const bookmark = { name: 'message', message: { kind: 'bookmark', ...at, digest: 'other' } };
  const entered = EVENTS[event] ?? bookmark;
  expect(() => nextState(transitions, before as ConnectionState, entered as ConnectionEvent)).toThrow(
    ForeignResponseError,
  );
});

test('a program without another credential stops when its own is revoked', () => {
  const state = nextState(
    createTransitions(TIMES, false),
    STATES.streaming as ConnectionState,
    closed('credential_revoked'),
  );
  expect(summary(state)).toBe('stopped credential_rejected');
});

test('the table tests every transition', () => {
  const existing = Object.entries(transitions).flatMap(([name, row]) =>
    Object.keys(row).map((event) => `${name} ${event}`),
  );
  const tested = ROWS.map(([state, event]) => `${STATES[state]?.name} ${EVENTS[event]?.name}`);
  expect([...new Set(tested)].sort()).toEqual(existing.sort());
});
