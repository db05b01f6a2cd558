import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export const REPOSITORY = 'octo/app';
/** GitHub rejects longer comments. */
const COMMENT_LENGTH_MAX = 65_536;

interface Comment {
  readonly id: number;
  readonly user: { readonly login: string };
  body: string;
}

interface PullRequest {
  readonly number: number;
  readonly merged_at: string | null;
  readonly merge_commit_sha: string | null;
  readonly base: { readonly ref: string };
}

/** The part of GitHub's REST API that the action uses, and the service that issues id tokens to jobs. */
export class FakeGitHub {
  readonly token = 'ghs-token-of-the-job';
  readonly requestToken = 'token-for-id-tokens';
  /** The comments by number of the pull request. */
  readonly comments = new Map<number, Comment[]>();
  readonly pulls: PullRequest[] = [];
  /** The account that the token of the job belongs to. */
  login = 'github-actions[bot]';
  /** Signs the id token of the job for an audience. */
  idToken: (audience: string) => string = () => '';
  private lastId = 0;

  private constructor(private readonly server: http.Server) {
    server.on('request', (request, response) => void this.handle(request, response));
  }

  static async start(): Promise<FakeGitHub> {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FakeGitHub(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Adds a comment of any account. */
  comment(pull: number, login: string, body: string): Comment {
    this.lastId += 1;
    const comment = { id: this.lastId, user: { login }, body };
    this.comments.set(pull, [...(this.comments.get(pull) ?? []), comment]);
    return comment;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url);
    const hasBody = request.method === 'POST' || request.method === 'PATCH';
    const body = hasBody ? ((await json(request)) as { readonly body?: string }) : {};
    const [status, httpResponse, headers = {}] = this.answer(request, url, body.body ?? '');
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(httpResponse));
  }

  private answer({ method, headers }: IncomingMessage, url: URL, body: string): readonly [number, unknown, object?] {
    if (url.pathname === '/id-token') {
      if (headers.authorization !== `Bearer ${this.requestToken}`) return [401, {}];
      return [200, { value: this.idToken(url.searchParams.get('audience') ?? '') }];
    }
    if (headers.authorization !== `Bearer ${this.token}`) return [401, { message: 'Bad credentials' }];
    if (body.length > COMMENT_LENGTH_MAX) return [422, { message: 'Body is too long' }];
    const path = url.pathname.replace(`/repos/${REPOSITORY}/`, '');
    const [, pull] = /^issues\/(\d+)\/comments$/.exec(path) ?? [];
    if (pull && method === 'POST') return [201, this.comment(Number(pull), this.login, body)];
    if (pull) return this.page(this.comments.get(Number(pull)) ?? [], url);
    const [, id] = /^issues\/comments\/(\d+)$/.exec(path) ?? [];
    const edited = [...this.comments.values()].flat().find((comment) => comment.id === Number(id));
    if (method === 'PATCH' && edited) {
      edited.body = body;
      return [200, edited];
    }
    if (method === 'DELETE' && edited) {
      for (const [issueNumber, all] of this.comments)
        this.comments.set(
          issueNumber,
          all.filter((comment) => comment !== edited),
        );
      return [204, null];
    }
    return /^commits\/\w+\/pulls$/.test(path) ? [200, this.pulls] : [404, { message: 'Not Found' }];
  }

  private page(all: readonly Comment[], url: URL): readonly [number, unknown, object] {
    const [page, size] = [Number(url.searchParams.get('page') ?? 1), Number(url.searchParams.get('per_page') ?? 30)];
    url.searchParams.set('page', String(page + 1));
    const link = page * size < all.length ? { link: `<${url}>; rel="next"` } : {};
    return [200, all.slice((page - 1) * size, page * size), link];
  }
}
