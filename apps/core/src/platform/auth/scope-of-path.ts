import type { PathScope } from '@strata/domain';
import type { FastifyRequest } from 'fastify';

const SCOPED = /^\/api\/v1\/(?:projects|environments)\/:(\w+)\/?(.*?)\/?$/;

/**
 * The project or environment that a path lies in, so that whatever room serves the path, its scope is guarded. Taken
 * from the route and its decoded placeholder, never from the text of the URL, which can be written in many ways.
 */
export function scopeOfPath({ routeOptions, params }: FastifyRequest): PathScope | null {
  const [, placeholder, rest] = SCOPED.exec(routeOptions.url ?? '') ?? [];
  if (placeholder === undefined) return null;
  const id = (params as Readonly<Record<string, string>>)[placeholder]?.toLowerCase() ?? '';
  return { id, part: rest === '' ? 'itself' : rest === 'copy' ? 'copy' : 'contents' };
}
