/** A post that the fake chat service has parsed. */
export interface PostedMessage {
  readonly channel: string;
  readonly username: string | null;
  readonly text: string;
  readonly blocks: readonly ChatBlock[];
}

/** The fields of a block that the fake inspects. */
export interface ChatBlock {
  readonly type: string;
  readonly text?: { readonly type: string; readonly text: string };
  readonly fields?: readonly { readonly type: string; readonly text: string }[];
  readonly elements?: readonly { readonly type: string; readonly text?: string }[];
}

const BLOCKS_MAX = 50;
const SECTION_MAX = 3_000;
const FIELDS_MAX = 10;
const FIELD_MAX = 2_000;
const TOTAL_MAX = 13_000;

/** Parses a form or a JSON body; returns null for anything else. */
export function parsePost(contentType: string, body: string): PostedMessage | null {
  const fields = contentType.startsWith('application/json')
    ? json(body)
    : Object.fromEntries(new URLSearchParams(body));
  if (!isObject(fields)) return null;
  const { channel, username, text } = fields;
  const blocks = typeof fields.blocks === 'string' ? json(fields.blocks) : fields.blocks;
  return {
    channel: typeof channel === 'string' ? channel : '',
    username: typeof username === 'string' ? username : null,
    text: typeof text === 'string' ? text : '',
    blocks: Array.isArray(blocks) ? (blocks as ChatBlock[]) : [],
  };
}

/** Returns the error code with which the real service would reject this post, or null if it would accept it. */
export function rejectionCode(post: PostedMessage | null, authorization: string): string | null {
  if (!/^Bearer \S+$/.test(authorization)) return 'not_authed';
  if (post === null) return 'invalid_form_data';
  if (post.channel === '') return 'channel_not_found';
  if (post.text === '' && post.blocks.length === 0) return 'no_text';
  if (post.blocks.length > BLOCKS_MAX || !post.blocks.every(isBlockAllowed)) return 'invalid_blocks';
  if (JSON.stringify(post.blocks).length > TOTAL_MAX) return 'msg_blocks_too_long';
  return null;
}

function isBlockAllowed({ type, text, fields = [], elements = [] }: ChatBlock): boolean {
  if (text !== undefined && (text.text.length === 0 || text.text.length > SECTION_MAX)) return false;
  if (type === 'section' && text === undefined && fields.length === 0) return false;
  if (type === 'context' && elements.length === 0) return false;
  return fields.length <= FIELDS_MAX && fields.every((field) => field.text.length <= FIELD_MAX);
}

interface Fields {
  readonly channel?: unknown;
  readonly username?: unknown;
  readonly text?: unknown;
  readonly blocks?: unknown;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
