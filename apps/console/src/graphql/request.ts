import { isSignedOut, RequestError, UPGRADED } from '../lib/request-error.ts';
import { type Document, requestBody } from './document.ts';

interface GraphqlError {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly reason?: string; readonly requestId?: string };
}

const unreachable = () =>
  new RequestError('UNREACHABLE', 'Can’t reach Strata. Check your connection, then try again.', null);

/** The id of the organization that this page shows; null until it is loaded. */
let organization: string | null = null;

/**
 * Pins all later requests to an organization. If another tab switches the session to another organization, the gateway rejects these
 * requests. Otherwise a change could reach an object with the same name in the wrong organization.
 */
export function pinOrganization(id: string | null): void {
  organization = id;
}

/** Sends an operation with the session of this browser. Throws `RequestError` if the response contains errors. */
export async function requestGraphql<Answer, Variables>(
  document: Document<Answer, Variables>,
  variables: Variables,
  signal?: AbortSignal,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  return readAnswer(
    await send<GraphqlResponse<Answer>>('POST', '/graphql', requestBody(document, variables), { signal, headers }),
  );
}

/** Sends an operation without the session, for anonymous users such as an invited person. */
export async function requestAnonymously<Answer, Variables>(
  document: Document<Answer, Variables>,
  variables: Variables,
): Promise<Answer> {
  const body = requestBody(document, variables);
  try {
    return readAnswer(await send<GraphqlResponse<Answer>>('POST', '/graphql', body, { credentials: 'omit' }));
  } catch (error) {
    throw asCredentialError(error);
  }
}

interface GraphqlResponse<Answer> {
  readonly data?: Answer | null;
  readonly errors?: readonly GraphqlError[];
}

function readAnswer<Answer>({ data, errors }: GraphqlResponse<Answer>): Answer {
  if (errors?.[0]) throw toRequestError(errors[0]);
  if (!data) throw unreachable();
  return data;
}

interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly credentials?: RequestCredentials;
}

/** Sends a request to the gateway, and returns the JSON of the response regardless of its status. Throws `RequestError` without a response. */
export async function send<Body>(
  method: string,
  path: string,
  body?: object,
  { signal, headers, credentials = 'same-origin' }: SendOptions = {},
): Promise<Body> {
  try {
    const response = await fetch(path, {
      method,
      credentials,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(organization !== null && { 'strata-organization': organization }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (!response.headers.get('content-type')?.includes('json')) throw unreachable();
    // Awaited here, because the connection can still break while the body is read.
    return (await response.json()) as Body;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable();
  }
}

const IS_UPGRADED = 'Strata was upgraded after you opened this page. Reload the page.';

export function toRequestError({ message, extensions = {} }: GraphqlError): RequestError {
  if (extensions.code === UPGRADED) return new RequestError(UPGRADED, IS_UPGRADED, extensions.requestId ?? null);
  return new RequestError(extensions.reason ?? extensions.code ?? 'INTERNAL', message, extensions.requestId ?? null);
}

/**
 * Converts an authentication error into an error about the credential in the request. Otherwise the page would treat it as the end of the
 * session.
 */
export function asCredentialError(error: unknown): unknown {
  return isSignedOut(error) ? new RequestError('wrong_credential', (error as RequestError).message, null) : error;
}

interface PageOfRows<Row> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly edges: readonly { readonly node: Row }[];
}

/** Returns the rows of all pages of a list. */
export async function readAllPages<Row>(
  read: (after: string | null) => Promise<PageOfRows<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let after: string | null = null; ; ) {
    const { edges, pageInfo }: PageOfRows<Row> = await read(after);
    rows.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) return rows;
    after = pageInfo.endCursor;
  }
}
