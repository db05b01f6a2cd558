import { classify, type DeliveryOutcome } from './classify.ts';
import { classifyFailure } from './failure-kind.ts';

const answered = (status: number, error?: string): DeliveryOutcome =>
  classify({
    kind: 'answered',
    status,
    retryAfter: null,
    body: error === undefined ? null : { ok: false, error, neededScope: null },
    usernameSent: false,
  });

test.each<[DeliveryOutcome, string | null]>([
  [{ kind: 'delivered', ts: '1' }, null],
  [classify({ kind: 'unsent', cause: 'connection_refused' }), 'connection_refused'],
  [classify({ kind: 'unanswered', cause: 'timeout' }), 'timeout'],
  [answered(429), 'rate_limited'],
  [answered(503), 'http_5xx'],
  [answered(404), 'http_4xx'],
  [answered(200), 'unreadable_answer'],
  [answered(200, 'invalid_auth'), 'credential'],
  [answered(200, 'channel_not_found'), 'destination'],
  [answered(200, 'msg_too_long'), 'message'],
  [{ kind: 'resend_without_username', code: 'missing_scope' }, 'username'],
])('the failure of %j is of the kind %s', (outcome, kind) => {
  expect(classifyFailure(outcome)).toBe(kind);
});

test('an error code that the chat service has invented does not become a kind of its own', () => {
  expect(classifyFailure(answered(200, 'an_error_of_tomorrow'))).toBe('chat_error');
});
