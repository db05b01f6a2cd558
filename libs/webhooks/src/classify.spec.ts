import fc from 'fast-check';
import type { ChatResponse, ChatResponseBody } from './chat-response.ts';
import { readBody } from './chat-response.ts';
import { classify, type DeliveryOutcome, hintFor } from './index.ts';

function answered(
  status: number,
  body: ChatResponseBody | null,
  more: { retryAfter?: string; usernameSent?: boolean } = {},
) {
  return { kind: 'answered', status, retryAfter: null, body, usernameSent: false, ...more } satisfies ChatResponse;
}

function errorBody(error: string, neededScope: string | null = null): ChatResponseBody {
  return { ok: false, error, neededScope };
}

describe('classify', () => {
  it('treats only status 200 with ok: true as delivered', () => {
    expect(classify(answered(200, { ok: true, ts: '1.000001' }))).toEqual({ kind: 'delivered', ts: '1.000001' });
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 599 }).filter((status) => status !== 200),
        fc.constantFrom<ChatResponseBody | null>({ ok: true, ts: '1' }, null),
        (status, body) => {
          expect(classify(answered(status, body)).kind).not.toBe('delivered');
        },
      ),
    );
  });

  it.each`
    error                       | outcome
    ${'ratelimited'}            | ${{ kind: 'retry', reason: 'rate_limited', retryAfterSeconds: 30 }}
    ${'rate_limited'}           | ${{ kind: 'retry', reason: 'rate_limited', retryAfterSeconds: 30 }}
    ${'service_unavailable'}    | ${{ kind: 'retry', reason: 'service_unavailable' }}
    ${'internal_error'}         | ${{ kind: 'retry', reason: 'internal_error' }}
    ${'request_timeout'}        | ${{ kind: 'retry', reason: 'request_timeout' }}
    ${'team_added_to_org'}      | ${{ kind: 'retry', reason: 'team_added_to_org' }}
    ${'org_login_required'}     | ${{ kind: 'retry', reason: 'org_login_required', retryAfterSeconds: 3600 }}
    ${'message_limit_exceeded'} | ${{ kind: 'retry', reason: 'message_limit_exceeded', retryAfterSeconds: 3600 }}
    ${'never_heard_of'}         | ${{ kind: 'retry', reason: 'never_heard_of' }}
    ${'fatal_error'}            | ${{ kind: 'ambiguous', reason: 'fatal_error' }}
    ${'invalid_auth'}           | ${{ kind: 'suspend', reason: 'credential', code: 'invalid_auth' }}
    ${'not_authed'}             | ${{ kind: 'suspend', reason: 'credential', code: 'not_authed' }}
    ${'account_inactive'}       | ${{ kind: 'suspend', reason: 'credential', code: 'account_inactive' }}
    ${'token_revoked'}          | ${{ kind: 'suspend', reason: 'credential', code: 'token_revoked' }}
    ${'token_expired'}          | ${{ kind: 'suspend', reason: 'credential', code: 'token_expired' }}
    ${'not_allowed_token_type'} | ${{ kind: 'suspend', reason: 'credential', code: 'not_allowed_token_type' }}
    ${'app_access_restricted'}  | ${{ kind: 'suspend', reason: 'credential', code: 'app_access_restricted' }}
    ${'missing_scope'}          | ${{ kind: 'suspend', reason: 'destination', code: 'missing_scope' }}
    ${'channel_not_found'}      | ${{ kind: 'suspend', reason: 'destination', code: 'channel_not_found' }}
    ${'not_in_channel'}         | ${{ kind: 'suspend', reason: 'destination', code: 'not_in_channel' }}
    ${'is_archived'}            | ${{ kind: 'suspend', reason: 'destination', code: 'is_archived' }}
    ${'restricted_action'}      | ${{ kind: 'suspend', reason: 'destination', code: 'restricted_action' }}
    ${'team_not_found'}         | ${{ kind: 'suspend', reason: 'destination', code: 'team_not_found' }}
    ${'msg_too_long'}           | ${{ kind: 'park', code: 'msg_too_long' }}
    ${'msg_blocks_too_long'}    | ${{ kind: 'park', code: 'msg_blocks_too_long' }}
    ${'invalid_blocks'}         | ${{ kind: 'park', code: 'invalid_blocks' }}
    ${'no_text'}                | ${{ kind: 'park', code: 'no_text' }}
    ${'method_deprecated'}      | ${{ kind: 'park', code: 'method_deprecated' }}
  `('classifies $error with status 200', ({ error, outcome }) => {
    expect(classify(answered(200, errorBody(error)))).toEqual(outcome);
  });

  it.each`
    status | body                         | outcome
    ${500} | ${null}                      | ${{ kind: 'retry', reason: 'http_500' }}
    ${503} | ${errorBody('invalid_auth')} | ${{ kind: 'retry', reason: 'http_503' }}
    ${302} | ${null}                      | ${{ kind: 'retry', reason: 'http_302' }}
    ${404} | ${null}                      | ${{ kind: 'retry', reason: 'http_404' }}
    ${403} | ${errorBody('invalid_auth')} | ${{ kind: 'suspend', reason: 'credential', code: 'invalid_auth' }}
    ${413} | ${null}                      | ${{ kind: 'park', code: 'http_413' }}
    ${200} | ${null}                      | ${{ kind: 'retry', reason: 'unreadable_answer' }}
  `('classifies status $status', ({ status, body, outcome }) => {
    expect(classify(answered(status, body))).toEqual(outcome);
  });

  it.each`
    header       | seconds
    ${'7'}       | ${7}
    ${' 60 '}    | ${60}
    ${'3600'}    | ${3600}
    ${'0'}       | ${1}
    ${'999999'}  | ${3600}
    ${'9e99'}    | ${30}
    ${'-5'}      | ${30}
    ${'soon'}    | ${30}
    ${''}        | ${30}
    ${undefined} | ${30}
  `('waits $seconds s for the header "$header"', ({ header, seconds }) => {
    const outcome: DeliveryOutcome = { kind: 'retry', reason: 'rate_limited', retryAfterSeconds: seconds };
    expect(classify(answered(429, null, { retryAfter: header ?? null }))).toEqual(outcome);
    expect(classify(answered(200, errorBody('ratelimited'), { retryAfter: header ?? null }))).toEqual(outcome);
  });

  it.each`
    usernameSent | neededScope                          | kind
    ${true}      | ${'chat:write.customize'}            | ${'resend_without_username'}
    ${true}      | ${'chat:write.customize,chat:write'} | ${'resend_without_username'}
    ${true}      | ${null}                              | ${'resend_without_username'}
    ${true}      | ${'chat:write'}                      | ${'suspend'}
    ${false}     | ${'chat:write.customize'}            | ${'suspend'}
    ${false}     | ${null}                              | ${'suspend'}
  `(
    'on missing_scope ($neededScope), username sent: $usernameSent, returns $kind',
    ({ usernameSent, neededScope, kind }) => {
      expect(classify(answered(200, errorBody('missing_scope', neededScope), { usernameSent })).kind).toBe(kind);
    },
  );

  it.each`
    answer                                              | outcome
    ${{ kind: 'unanswered', cause: 'timeout' }}         | ${{ kind: 'ambiguous', reason: 'timeout' }}
    ${{ kind: 'unanswered', cause: 'connection_lost' }} | ${{ kind: 'ambiguous', reason: 'connection_lost' }}
    ${{ kind: 'unsent', cause: 'connection_refused' }}  | ${{ kind: 'retry', reason: 'connection_refused' }}
    ${{ kind: 'unsent', cause: 'name_not_found' }}      | ${{ kind: 'retry', reason: 'name_not_found' }}
    ${{ kind: 'unsent', cause: 'connect_timeout' }}     | ${{ kind: 'retry', reason: 'connect_timeout' }}
    ${{ kind: 'unsent', cause: 'malformed_token' }}     | ${{ kind: 'suspend', reason: 'credential', code: 'malformed_token' }}
  `('classifies $answer', ({ answer, outcome }) => {
    expect(classify(answer)).toEqual(outcome);
  });
});

describe('readBody', () => {
  it.each`
    text                                                            | body
    ${'{"ok":true,"ts":"1.2","channel":"C1"}'}                      | ${{ ok: true, ts: '1.2' }}
    ${'{"ok":true}'}                                                | ${{ ok: true, ts: '' }}
    ${'{"ok":false,"error":"missing_scope","needed":"chat:write"}'} | ${{ ok: false, error: 'missing_scope', neededScope: 'chat:write' }}
    ${'{"ok":false}'}                                               | ${{ ok: false, error: 'unreadable_error', neededScope: null }}
    ${'{"ok":false,"error":"xoxb-1234567890-secret"}'}              | ${{ ok: false, error: 'unreadable_error', neededScope: null }}
    ${'{"ok":"true"}'}                                              | ${null}
    ${'{"ok":1}'}                                                   | ${null}
    ${'null'}                                                       | ${null}
    ${'[]'}                                                         | ${null}
    ${'"ok"'}                                                       | ${null}
    ${'{"ok":true'}                                                 | ${null}
    ${'<html>'}                                                     | ${null}
    ${''}                                                           | ${null}
  `('of $text', ({ text, body }) => {
    expect(readBody(text)).toEqual(body);
  });
});

describe('hintFor', () => {
  it.each`
    code                    | hint
    ${'not_in_channel'}     | ${/invite the bot/i}
    ${'token_revoked'}      | ${/new bot token/}
    ${'missing_scope'}      | ${/chat:write\.public/}
    ${'is_archived'}        | ${/archived/}
    ${'connection_refused'} | ${/STRATA_SLACK_API_URL/}
    ${'invalid_blocks'}     | ${/bug of Strata/}
    ${'http_503'}           | ${/retries automatically/}
    ${'http_302'}           | ${/not from Slack/}
    ${'never_heard_of'}     | ${/Slack reports an error/}
  `('says how to resolve $code', ({ code, hint }) => {
    expect(hintFor(code)).toMatch(hint);
  });
});
