// A small client of the public API for seeding, which needs only fetch.

/** The error that the service returned. */
export class RequestError extends Error {
  constructor(method, path, status, body) {
    super(`${method} ${path} failed with ${status}: ${body.slice(0, 500)}`);
  }
}

export function connect(url, apiKey) {
  const origin = url.replace(/\/+$/, '');

  async function request(method, path, body) {
    try {
      return await fetch(`${origin}${path}`, {
        method,
        headers: { authorization: `Api-Key ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      });
    } catch (error) {
      throw new Error(
        `No answer from ${origin} (${error.cause?.code ?? error.message}). Is it running? Try: npm start`,
      );
    }
  }

  async function call(method, path, body) {
    const response = await request(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new RequestError(method, path, response.status, text);
    return text === '' ? null : JSON.parse(text);
  }

  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    /** Returns the response of a POST with its status, also if it was rejected. */
    async send(path, body) {
      const response = await request('POST', path, body);
      return { status: response.status, body: await response.json() };
    },
    /** Returns all rows of a list, page by page. */
    async all(path) {
      const rows = [];
      const joint = path.includes('?') ? '&' : '?';
      for (let page = 1; ; page += 1) {
        const { results, next } = await call('GET', `${path}${joint}page=${page}&page_size=500`);
        rows.push(...results);
        if (next === null) return rows;
      }
    },
  };
}
