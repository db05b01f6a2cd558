import { INTEGRATIONS, PROVIDERS, type ProviderName } from '@strata/contract';
import type { Query } from './core.ts';
import { badInputError } from './errors.ts';

/** How a row was reached, for the reads of its children. */
export interface ReadContext {
  /** The point in time of the read. */
  readonly pointInTime?: Query;
  /** By member: how its objects were reached, if not in the same way as this row. */
  readonly members?: Readonly<Record<string, ReadContext>>;
  readonly [more: string]: unknown;
}

/** `path` contains the ids of the parents, if any, and the id of the object. */
export function encodeNodeId(type: string, ...path: readonly string[]): string {
  return Buffer.from([type, ...path.map(encodeURIComponent)].join(':')).toString('base64url');
}

export function readNodeId(text: string): { readonly type: string; readonly path: readonly string[] } {
  const [type = '', ...path] = Buffer.from(text, 'base64url').toString().split(':');
  try {
    if (/^\w+$/.test(type) && path.length > 0) return { type, path: path.map(decodeURIComponent) };
  } catch {
    // Rejected below, like any other malformed id.
  }
  throw badInputError('`id` is not a nodeId.');
}

/** Returns the id in a link of the core: the last non-empty segment of its path. */
export function parseLinkedId(link: string): string {
  return decodeURIComponent(link.split('/').filter(Boolean).at(-1) ?? '');
}

/** A provider is two path segments in REST and one word in GraphQL. */
export function providerPath(provider: unknown): string {
  return PROVIDERS.includes(provider as ProviderName) ? INTEGRATIONS[provider as ProviderName].path : 'unknown';
}

function providerOf(path: string): string {
  return PROVIDERS.find((provider) => INTEGRATIONS[provider].path === path) ?? path;
}

const PROVIDER = `(${PROVIDERS.map(providerPath).join('|')})`;

/** Returns the ids in a URL at the positions of the placeholders of a path: `projects/{}/templates/{}/`. */
export function parseIds(link: string, path: string): string[] | null {
  const pattern = new RegExp(`/${path.replaceAll('{provider}', PROVIDER).replace(/\{\w*\}/g, '([^/]+)')}$`);
  const segments = pattern.exec(link)?.slice(1);
  return segments?.map((part) => (part.includes('/') ? providerOf(part) : decodeURIComponent(part))) ?? null;
}
