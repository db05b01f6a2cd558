export type { ChatResponse } from './answer.ts';
export { classify, type DeliveryOutcome, RATE_LIMITED } from './classify.ts';
export { classifyFailure } from './failure-kind.ts';
export { hintFor } from './hints.ts';
export type { ChatMessage } from './message.ts';
export { POST_TIMEOUT_MS, type Post, postMessage } from './post-message.ts';
export { render, renderTest } from './render.ts';
export { nextAttempt } from './schedule.ts';
export { isMasked, maskToken } from './token.ts';
