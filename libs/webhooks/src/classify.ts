import type { ChatResponse, ChatResponseBody, NotSentCause } from './chat-response.ts';

/** The action after an attempt. `hintFor` explains the stable codes in `reason` and `code`. */
export type DeliveryOutcome =
  /** `pauseSeconds`: the service accepts no further message before. */
  | { readonly kind: 'delivered'; readonly ts: string; readonly pauseSeconds?: number }
  /**
   * Nothing was posted. `retryAfterSeconds` is the earliest time for the next attempt. `rate_limited` is no failure and
   * must not be counted.
   */
  | { readonly kind: 'retry'; readonly reason: string; readonly retryAfterSeconds?: number }
  /** The message may have been posted. Another attempt may post it twice, and giving up may lose it. */
  | { readonly kind: 'ambiguous'; readonly reason: string }
  /** No message will be delivered until a person acts. The backlog is kept and attempts stop. */
  | { readonly kind: 'suspend'; readonly reason: 'credential' | 'destination'; readonly code: string }
  /** This message can never be delivered, but the next one may be. */
  | { readonly kind: 'park'; readonly code: string }
  /** The bot may not set its name. The message is sent once more without it, and the webhook is shown as degraded. */
  | { readonly kind: 'resend_without_username'; readonly code: string };

export const RATE_LIMITED = 'rate_limited';
const USERNAME_SCOPE = 'chat:write.customize';
const HOUR_SECONDS = 3_600;
/** Used if the chat service requests a delay without a duration. */
export const RETRY_AFTER_DEFAULT = 30;

type CodeClass = 'rate_limited' | 'transient' | 'slow' | 'ambiguous' | 'credential' | 'destination' | 'message';

const CODES: Readonly<Record<Exclude<CodeClass, 'transient'>, readonly string[]>> = {
  rate_limited: ['ratelimited', 'rate_limited'],
  /** Errors that end without intervention, but not within minutes. */
  slow: ['message_limit_exceeded', 'org_login_required'],
  ambiguous: ['fatal_error'],
  credential: [
    'invalid_auth',
    'not_authed',
    'account_inactive',
    'token_revoked',
    'token_expired',
    'not_allowed_token_type',
    'two_factor_setup_required',
    'is_bot',
    'app_access_restricted',
  ],
  destination: [
    'missing_scope',
    'no_permission',
    'access_denied',
    'accesslimited',
    'ekm_access_denied',
    'enterprise_is_restricted',
    'channel_not_found',
    'not_in_channel',
    'is_archived',
    'restricted_action',
    'restricted_action_read_only_channel',
    'restricted_action_thread_only_channel',
    'messages_tab_disabled',
    'team_not_found',
    'send_on_behalf_not_allowed',
    'as_user_not_supported',
  ],
  message: [
    'invalid_blocks',
    'invalid_blocks_format',
    'msg_blocks_too_long',
    'msg_too_long',
    'no_text',
    'too_many_attachments',
    'attachment_payload_limit_exceeded',
    'metadata_too_large',
    'invalid_metadata_format',
    'invalid_metadata_schema',
    'metadata_must_be_sent_from_app',
    'markdown_text_conflict',
    'invalid_arguments',
    'invalid_arg_name',
    'invalid_array_arg',
    'invalid_charset',
    'invalid_form_data',
    'invalid_post_type',
    'missing_post_type',
    'deprecated_endpoint',
    'method_deprecated',
    'unknown_method',
  ],
};

const CLASS_OF: ReadonlyMap<string, CodeClass> = new Map(
  Object.entries(CODES).flatMap(([kind, codes]) => codes.map((code) => [code, kind as CodeClass])),
);

/**
 * Classifies the result of an attempt. Only status 200 with `ok: true` is a success. An unknown error code counts as a
 * failure and is retried under its own name.
 */
export function classify(response: ChatResponse): DeliveryOutcome {
  switch (response.kind) {
    case 'unanswered':
      return { kind: 'ambiguous', reason: response.cause };
    case 'unsent':
      return classifyUnsent(response.cause);
    case 'answered':
      return classifyAnswered(response);
  }
}

export function classifyUnsent(cause: NotSentCause): DeliveryOutcome {
  if (cause === 'malformed_token') return { kind: 'suspend', reason: 'credential', code: cause };
  if (cause === 'private_address') return { kind: 'suspend', reason: 'destination', code: cause };
  return { kind: 'retry', reason: cause };
}

function classifyAnswered(response: ChatResponse & { kind: 'answered' }): DeliveryOutcome {
  const { status, body } = response;
  const secondsToWait = retryAfterSeconds(response.retryAfter);
  if (status === 429)
    return { kind: 'retry', reason: RATE_LIMITED, retryAfterSeconds: secondsToWait ?? RETRY_AFTER_DEFAULT };
  if (status >= 500) return retry(`http_${status}`, secondsToWait);
  if (body?.ok === false) return classifyCode(body, response.usernameSent, secondsToWait);
  if (status === 200)
    return body === null ? retry('unreadable_answer', secondsToWait) : { kind: 'delivered', ts: body.ts };
  if (status === 413) return { kind: 'park', code: 'http_413' };
  return retry(`http_${status}`, secondsToWait);
}

function classifyCode(
  body: ChatResponseBody & { ok: false },
  usernameSent: boolean,
  retryAfterSeconds: number | null,
): DeliveryOutcome {
  const code = body.error;
  // The response names the needed scope; older responses may omit it.
  const namesUsername = body.neededScope === null || body.neededScope.split(',').includes(USERNAME_SCOPE);
  if (code === 'missing_scope' && usernameSent && namesUsername) return { kind: 'resend_without_username', code };

  const codeClass = CLASS_OF.get(code) ?? 'transient';
  switch (codeClass) {
    case 'rate_limited':
      return { kind: 'retry', reason: RATE_LIMITED, retryAfterSeconds: retryAfterSeconds ?? RETRY_AFTER_DEFAULT };
    case 'slow':
      return { kind: 'retry', reason: code, retryAfterSeconds: HOUR_SECONDS };
    case 'transient':
      return retry(code, retryAfterSeconds);
    case 'ambiguous':
      return { kind: 'ambiguous', reason: code };
    case 'credential':
    case 'destination':
      return { kind: 'suspend', reason: codeClass, code };
    case 'message':
      return { kind: 'park', code };
  }
}

export function retry(reason: string, retryAfterSeconds: number | null): DeliveryOutcome {
  return retryAfterSeconds === null ? { kind: 'retry', reason } : { kind: 'retry', reason, retryAfterSeconds };
}

/**
 * Returns whole seconds between one second and one hour, so that no response can stop a webhook for good; null for any
 * other header.
 */
export function retryAfterSeconds(header: string | null): number | null {
  if (header === null || !/^\s*\d+(\.\d+)?\s*$/.test(header)) return null;
  return Math.min(Math.max(Math.ceil(Number(header)), 1), HOUR_SECONDS);
}
