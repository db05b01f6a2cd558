import {
  describeAttempt,
  describeFailures,
  describeSuspension,
  isSentUnderAppName,
  parseDeliveryState,
} from './delivery-descriptions.ts';

const attempt = (more: object) => ({ durationMs: 12, httpStatus: 200, errorCode: null, retryAt: null, ...more });

describe('the description of a delivery', () => {
  it.each`
    more                                                                       | words
    ${{}}                                                                      | ${'Accepted (HTTP 200, 12 ms)'}
    ${{ errorCode: 'invalid_auth' }}                                           | ${'Rejected: invalid_auth (HTTP 200, 12 ms)'}
    ${{ errorCode: 'timeout', httpStatus: null }}                              | ${'No response: timeout (12 ms)'}
    ${{ errorCode: 'http_503', httpStatus: 503 }}                              | ${'Rejected: http_503 (HTTP 503, 12 ms)'}
    ${{ errorCode: 'rate_limited', httpStatus: null, durationMs: null }}       | ${'Not sent: the channel was busy'}
    ${{ errorCode: 'connection_refused', httpStatus: null, durationMs: null }} | ${'No response: connection_refused'}
  `('of an attempt: $words', ({ more, words }) => {
    expect(describeAttempt(attempt(more))).toBe(words);
  });

  it('finds out that the bot could not choose its name', () => {
    const without = attempt({ errorCode: 'missing_scope' });
    expect(isSentUnderAppName([without, attempt({})])).toBe(true);
    expect(isSentUnderAppName([without])).toBe(false);
    expect(isSentUnderAppName([attempt({ errorCode: 'timeout' }), attempt({})])).toBe(false);
  });

  it.each`
    reason                              | words
    ${'credential: token_revoked'}      | ${'The chat service rejects its token (token_revoked).'}
    ${'destination: channel_not_found'} | ${'The chat service does not allow it to post to its channel (channel_not_found).'}
    ${'something'}                      | ${'The chat service rejected its messages.'}
    ${null}                             | ${'The chat service rejected its messages.'}
  `('states why a webhook is suspended: $reason', ({ reason, words }) => {
    expect(describeSuspension(reason)).toBe(words);
  });

  it('accepts only existing states from a URL', () => {
    expect(['parked', 'constructor', 'nothing', undefined].map(parseDeliveryState)).toEqual([
      'parked',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('the messages of the last 24 hours', () => {
  const now = Date.parse('2026-01-02T12:00:00Z');
  const sent = (hours: number, status: 'delivered' | 'parked' | 'retrying' = 'delivered') => ({
    status,
    createdAt: new Date(now - hours * 3_600_000).toISOString(),
  });

  it('are counted, with those that were not delivered', () => {
    expect(describeFailures([], now)).toBe('no messages');
    expect(describeFailures([sent(25, 'parked')], now)).toBe('no messages');
    expect(describeFailures([sent(1, 'retrying'), sent(2), sent(23, 'parked'), sent(25, 'parked')], now)).toBe(
      '2 of 3 messages',
    );
    expect(describeFailures([sent(1)], now)).toBe('0 of 1 message');
  });

  it('may be more than those that were read', () => {
    expect(describeFailures(Array(100).fill(sent(1, 'parked')), now)).toBe('100 of the last 100 messages');
    expect(describeFailures([...Array(99).fill(sent(1)), sent(30)], now)).toBe('0 of 99 messages');
  });
});
