import { decodeText } from '@strata/domain';
import { classifyNetworkError } from '../http-errors.ts';
import type { Store, StoredText } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { GitHubSession, TokenPermissions } from './github-session.ts';

/** `repository/branch/path`. */
export const FILE_PATH = /^[\w.-]+\/[^/]+\/[^/].*$/s;
const KEY_MAX = 1_024;
const READ: TokenPermissions = { contents: 'read' };
const RAW = 'application/vnd.github.raw+json';

/** Opens the files of the repositories of an installation. They can only be read. */
export function openRepositoryFiles(session: GitHubSession, organization: string): Store {
  return {
    id: `github-files:${organization}`,
    toKey: (name) => name,
    limits: {
      textBytesMax: 0,
      allowsEmptyText: false,
      key: FILE_PATH,
      keyMax: KEY_MAX,
      keyRule: 'Write repository/branch/path.',
    },
    list: async () => [],
    read: (key) => readContent(session, organization, key),
    create: readOnly,
    update: readOnly,
    restore: readOnly,
    remove: readOnly,
    mark: readOnly,
    close: () => session.close(),
  };
}

/** Returns null if there is no file, such as for a folder. */
async function readContent(session: GitHubSession, organization: string, key: string): Promise<StoredText | null> {
  const segments = key.split('/').map(decodeSegment);
  if (segments.some((segment) => segment === null)) return null;
  const [repository = '', ref = '', ...path] = segments as string[];
  try {
    const response = await session.send('repos/get-content', {
      path: ['repos', organization, repository, 'contents', ...path],
      query: { ref },
      accept: RAW,
      permissions: READ,
    });
    const bytes = await readBytes(response);
    // GitHub lists a folder as JSON.
    if (!response.headers.get('content-type')?.includes('raw')) return null;
    const decoded = decodeText(bytes);
    return { text: decoded.problem === undefined ? decoded.text : null, version: response.headers.get('etag') ?? '' };
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'missing') return null;
    throw error;
  }
}

async function readBytes(response: Response): Promise<Buffer> {
  try {
    return Buffer.from(await response.arrayBuffer());
  } catch (thrown) {
    const error = classifyNetworkError(thrown);
    if (error.code !== 'UND_ERR_RES_EXCEEDED_MAX_SIZE') throw error;
    const detail = 'The file is larger than a mebibyte.';
    throw new ProviderError({ kind: 'invalid', code: 'content_too_large', detail });
  }
}

/** Returns null for a malformed encoding, and for dots, which would be another path. */
function decodeSegment(segment: string): string | null {
  try {
    const decoded = decodeURIComponent(segment);
    return ['', '.', '..'].includes(decoded) ? null : decoded;
  } catch {
    return null;
  }
}

const readOnly = async (): Promise<never> => {
  throw new ProviderError({ kind: 'invalid', code: 'read_only', detail: 'Strata only reads files of repositories.' });
};
