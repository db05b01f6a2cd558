import { Injectable } from '@nestjs/common';
import { EffectiveQuery, parseQuery } from '@strata/contract';
import { forbiddenScopes, type ProjectId, type Revision } from '@strata/domain';
import { cacheBytes } from '../../platform/cache-size.ts';
import { hasCurrentCopy, sendTagged } from '../../platform/http/conditional.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import type { Call } from '../../platform/http/request.ts';
import { type Head, Heads, isSameHead } from '../../platform/ledger/heads.ts';
import { LruCache } from '../../platform/lru-cache.ts';
import { EffectiveCache } from '../snapshot/effective-cache.ts';
import { EffectiveBodies, type EffectiveBody, type EffectiveRequest, withoutSecrets } from './effective-bodies.ts';

const BYTES_MAX = cacheBytes(24);
const RESPONSE_BYTES = 512;

interface CachedResponse {
  readonly request: EffectiveRequest;
  readonly head: Head;
  /** The content version of the view. */
  readonly contentVersion: number;
  readonly body: EffectiveBody;
}

/**
 * Returns the effective configuration of a project in one environment. Caches the responses, because programs poll
 * them.
 */
@Injectable()
export class EffectiveConfiguration {
  private readonly cache = new LruCache<CachedResponse>(BYTES_MAX, bytesOf);

  constructor(
    private readonly moments: PointsInTime,
    private readonly heads: Heads,
    private readonly views: EffectiveCache,
    private readonly bodies: EffectiveBodies,
  ) {}

  async answer(call: Call, projectId: ProjectId): Promise<string | undefined> {
    const { caller, url } = call;
    // The key contains the caller's forbidden scopes, so that callers with different permissions never share a
    // response.
    const key = `${caller.organizationId} ${forbiddenScopes(caller).join()} ${url}`;
    const known = this.cache.get(key);
    const { at, request } = known ? { at: 'now' as const, request: known.request } : await this.parsed(call, projectId);
    if (at !== 'now') {
      const view = await this.views.at(at, request.target, caller);
      return send(call, at, await this.bodies.of(view, request, caller, at));
    }
    const head = await this.heads.required(caller.organizationId);
    if (known && isSameHead(known.head, head) && isEnough(call, known.body))
      return send(call, head.revision, known.body);
    const { content, contentVersion, head: seenAt } = await this.views.now(request.target, head, caller);
    const view = { ...content, head: seenAt };
    const isSame = known?.contentVersion === contentVersion && known.body.isLiteral;
    const moved = isSame ? this.bodies.at(view, known.body) : null;
    const body = moved && isEnough(call, moved) ? moved : await this.bodies.of(view, request, caller, 'now');
    this.cache.put(key, { request, head: view.head, contentVersion, body: withoutSecrets(body) });
    return send(call, view.head.revision, body);
  }

  private async parsed({ caller, query: rawQuery }: Call, projectId: ProjectId) {
    const { at, query } = await this.moments.resolved(caller, parseQuery(EffectiveQuery, rawQuery));
    const { environment = 'default', name } = query;
    const target = { organizationId: caller.organizationId, projectId, environment, name };
    return { at, request: { target, query } };
  }
}

/**
 * Returns whether a cached response can be used. Without its text, it is enough for a client that already has a current
 * copy.
 */
function isEnough({ headers }: Call, { text, etag }: EffectiveBody): boolean {
  return text !== null || hasCurrentCopy(headers, etag);
}

function send(call: Call, revision: Revision, { text, etag }: EffectiveBody): string | undefined {
  call.reply.header('x-revision', String(revision));
  return sendTagged(call, text ?? '', etag);
}

function bytesOf({ body: { text } }: CachedResponse): number {
  return RESPONSE_BYTES + (text?.length ?? 0) * 2;
}
