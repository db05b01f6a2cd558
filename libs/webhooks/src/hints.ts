const ASK_ADMIN = 'Ask an administrator of the chat workspace to allow the app to post there.';
const NEW_TOKEN = 'Install the app in the workspace again and store its new bot token in the webhook.';
const NOTHING_TO_DO = 'Strata retries automatically.';
const OUR_FAULT = 'The chat service rejected the format of the message. Report this as a bug of Strata.';

const HINTS: ReadonlyMap<string, string> = new Map([
  ['invalid_auth', NEW_TOKEN],
  ['not_authed', NEW_TOKEN],
  ['account_inactive', `The bot or its workspace was deactivated. ${NEW_TOKEN}`],
  ['token_revoked', `The token was revoked. ${NEW_TOKEN}`],
  ['token_expired', `The token has expired. ${NEW_TOKEN}`],
  ['not_allowed_token_type', 'Store a bot token (xoxb-…) in the webhook; other kinds of tokens cannot post.'],
  ['malformed_token', 'Store the whole bot token (xoxb-…) in the webhook, without blanks or line breaks.'],
  ['two_factor_setup_required', 'The owner of the token must set up two-factor authentication in the workspace.'],
  ['is_bot', NEW_TOKEN],
  ['app_access_restricted', ASK_ADMIN],
  ['missing_scope', 'Give the app the scopes chat:write and chat:write.public, and install it in the workspace again.'],
  ['no_permission', ASK_ADMIN],
  ['access_denied', ASK_ADMIN],
  ['accesslimited', ASK_ADMIN],
  ['ekm_access_denied', ASK_ADMIN],
  ['enterprise_is_restricted', ASK_ADMIN],
  ['channel_not_found', 'Check the channel of the webhook (its id is safest); to a private channel, invite the bot.'],
  ['not_in_channel', 'Invite the bot to the channel.'],
  ['is_archived', 'The channel is archived: bring it back, or choose another channel in the webhook.'],
  ['restricted_action', ASK_ADMIN],
  [
    'restricted_action_read_only_channel',
    'Posting in this channel is restricted: choose another channel, or allow the bot.',
  ],
  ['restricted_action_thread_only_channel', 'This channel takes replies only: choose another channel in the webhook.'],
  ['messages_tab_disabled', "Switch on the messages tab in the app's settings, or choose a channel."],
  ['team_not_found', 'Write the id of the channel instead of its name into the webhook.'],
  ['send_on_behalf_not_allowed', ASK_ADMIN],
  ['as_user_not_supported', 'Store a bot token (xoxb-…) in the webhook; other kinds of tokens cannot post.'],
  ['org_login_required', 'The workspace is being moved to another organization. Strata retries every hour.'],
  ['message_limit_exceeded', 'The workspace has reached its message limit. Strata retries every hour.'],
  ['rate_limited', `The channel gets more messages than the chat service allows. ${NOTHING_TO_DO}`],
  ['fatal_error', 'Slack failed while it processed the message. Check whether the message is in the channel.'],
  ['timeout', 'Slack did not respond in time. Check whether the message is in the channel.'],
  ['connection_lost', 'The connection was lost before Slack responded. Check whether the message is in the channel.'],
  ['connection_refused', 'Cannot reach Slack: no server listens at STRATA_SLACK_API_URL. Ask your operator.'],
  ['name_not_found', 'Cannot reach Slack: unknown host in STRATA_SLACK_API_URL. Ask your operator.'],
  ['connect_timeout', 'Cannot reach Slack: the network blocks the connection. Ask your operator.'],
  ['unreachable', 'Cannot reach Slack: the network blocks the connection. Ask your operator.'],
  ['unreadable_answer', 'The response is not from Slack. Ask your operator to check the network.'],
  ['unknown_method', 'Ask your operator to check STRATA_SLACK_API_URL.'],
  ['http_404', 'Ask your operator to check STRATA_SLACK_API_URL.'],
]);

const MESSAGE_FAULT = /^(invalid_|msg_|metadata_|no_text$|too_many_|attachment_|markdown_|missing_post_type$)/;

/** Returns one or two sentences that say how to resolve a code or reason of an outcome. */
export function hintFor(code: string): string {
  const hint = HINTS.get(code);
  if (hint !== undefined) return hint;
  if (MESSAGE_FAULT.test(code) || code === 'http_413') return OUR_FAULT;
  if (/^http_5\d\d$/.test(code)) return `Slack reports an internal error. ${NOTHING_TO_DO}`;
  if (/^http_\d+$/.test(code))
    return 'The response is not from Slack. Ask your operator to check STRATA_SLACK_API_URL.';
  return `Slack reports an error. ${NOTHING_TO_DO}`;
}
