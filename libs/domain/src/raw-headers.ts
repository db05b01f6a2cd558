/** Returns every value of a header, by its name in lower case. Node's `rawHeaders` alternate names and values, repeated ones included. */
export function headerValues(name: string, rawHeaders: readonly string[]): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length === name.length && header.toLowerCase() === name) values.push(rawHeaders[index + 1] as string);
  }
  return values;
}

const DROPPED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Returns whether Node may read and drop the rest of a rejected body. If the server closed the connection instead, as
 * Fastify does after a rejected body, a client that is still sending would not read the response.
 */
export function canDropBody(headers: { readonly 'content-length'?: string | undefined }): boolean {
  return Number(headers['content-length']) <= DROPPED_BYTES_MAX;
}
