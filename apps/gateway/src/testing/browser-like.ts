import { type IncomingHttpHeaders, request } from 'node:http';

export interface BrowserReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The complete `Set-Cookie` headers. */
  readonly setCookie: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members like a page does
  readonly body: any;
}

interface PageRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The host in the address bar; defaults to that of the gateway. */
  readonly host?: string;
}

/** Sends requests as a page in a browser would: stores cookies and adds the headers of the browser. */
export class BrowserLike {
  /** The cookies as `name=value`. */
  cookie = '';

  constructor(
    private readonly url: string,
    /** The headers with which the browser reports the origin of the page. */
    private readonly site: Readonly<Record<string, string>> = { origin: url, 'sec-fetch-site': 'same-origin' },
  ) {}

  async send(method: string, path: string, { body, headers = {}, host }: PageRequest = {}): Promise<BrowserReply> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const sentHeaders = {
      ...(host !== undefined && { host }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...(this.cookie !== '' && { cookie: this.cookie }),
      ...this.site,
      ...headers,
    };
    const response = await new Promise<BrowserReply>((resolve, reject) => {
      const outgoing = request(new URL(path, this.url), { method, headers: sentHeaders }, (upstreamResponse) => {
        const parts: Buffer[] = [];
        upstreamResponse.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
        upstreamResponse.on('end', () => {
          const all = Buffer.concat(parts).toString();
          const isJson = String(upstreamResponse.headers['content-type']).includes('json');
          resolve({
            status: upstreamResponse.statusCode ?? 0,
            headers: upstreamResponse.headers,
            setCookie: upstreamResponse.headers['set-cookie']?.join(', ') ?? '',
            body: isJson ? JSON.parse(all) : all,
          });
        });
      });
      outgoing.once('error', reject).end(text);
    });
    for (const cookie of response.headers['set-cookie'] ?? []) this.store(cookie);
    return response;
  }

  /** Opens an address after a click on this site, or after a redirect from another site. */
  async open(path: string, from: 'same-origin' | 'cross-site', host: string): Promise<BrowserReply> {
    const navigation = new BrowserLike(this.url, { 'sec-fetch-site': from });
    const isSent = (cookie: string) => from === 'same-origin' || !/^(__Host-)?strata_session=/.test(cookie);
    navigation.cookie = this.cookie.split('; ').filter(isSent).join('; ');
    const response = await navigation.send('GET', path, { host });
    for (const cookie of response.headers['set-cookie'] ?? []) this.store(cookie);
    return response;
  }

  private store(setCookie: string): void {
    const [pair = ''] = setCookie.split(';');
    const [name] = pair.split('=');
    const otherCookies = this.cookie.split('; ').filter((cookie) => cookie !== '' && !cookie.startsWith(`${name}=`));
    this.cookie = [...otherCookies, ...(/; Max-Age=0;/.test(setCookie) ? [] : [pair])].join('; ');
  }

  signIn(credential: object): Promise<BrowserReply> {
    return this.send('POST', '/session', { body: credential });
  }

  /** Returns the viewer's organization, or the code of the error. */
  async viewer(headers: Readonly<Record<string, string>> = {}): Promise<BrowserReply> {
    const body = { query: '{ viewer { role user { email } organization { id } } }' };
    return this.send('POST', '/graphql', { body, headers });
  }
}
