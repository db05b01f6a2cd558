export interface MarkdownText {
  readonly type: 'mrkdwn';
  readonly text: string;
  /** Prevents the chat service from turning URLs and @words in names into links. */
  readonly verbatim: true;
}

export type Block =
  | { readonly type: 'section'; readonly text: MarkdownText; readonly fields?: readonly MarkdownText[] }
  | { readonly type: 'context'; readonly elements: readonly MarkdownText[] };

/** The posted message: `text` for notifications and screen readers, `blocks` for the channel. */
export interface ChatMessage {
  readonly text: string;
  readonly blocks: readonly Block[];
}

/**
 * The documented limits of the chat service, and our own total, which is below the undocumented limit of the service.
 */
export const MESSAGE_LIMITS = { blocks: 50, section: 3_000, field: 2_000, fields: 10, total: 10_000 } as const;

export function asMarkdown(text: string): MarkdownText {
  return { type: 'mrkdwn', text, verbatim: true };
}
