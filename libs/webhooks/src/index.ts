export type { ChatResponse, ChatResponseBody, UnsentCause } from './answer.ts';
export { classify, type DeliveryOutcome, RATE_LIMITED } from './classify.ts';
export { DIGEST_LINES_MAX } from './digest.ts';
export { hintFor } from './hints.ts';
export { type Block, type ChatMessage, type MarkdownText, MESSAGE_LIMITS } from './message.ts';
export { POST_TIMEOUT_MS, type Post, postMessage, SLACK_API_URL } from './post-message.ts';
export { type RenderContext, render, renderTest } from './render.ts';
export { nextAttempt, RETRY_DELAYS } from './schedule.ts';
export { isBotToken, isMasked, maskToken } from './token.ts';
