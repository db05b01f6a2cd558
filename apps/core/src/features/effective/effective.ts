import { Injectable } from '@nestjs/common';
import { EffectiveQuery, parseQuery } from '@strata/contract';
import type { ProjectId, Revision } from '@strata/domain';
import { hasCurrentCopy, sendTagged } from '../../platform/http/conditional.ts';
import { withoutLinks } from '../../platform/http/origin-placeholders.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import type { Call } from '../../platform/http/request.ts';
import { isSendable, ResponseStore, type StoredResponse } from '../../platform/http/response-store.ts';
import { type Head, isSameHead } from '../../platform/ledger/heads.ts';
import { EffectiveCache } from '../snapshot/effective-cache.ts';
import { EffectiveBodies, type EffectiveBody, type EffectiveRequest, withoutSecrets } from './effective-bodies.ts';

/** The data that a stored response was written from. */
interface BodySource {
  readonly request: EffectiveRequest;
  /** The content version of the view. */
  readonly contentVersion: number;
  /** Without its bytes if it shows secrets. */
  readonly body: EffectiveBody;
}

/**
 * Returns the effective configuration of a project in one environment. Caches the responses, because programs poll
 * them.
 */
@Injectable()
export class EffectiveConfiguration {
  constructor(
    private readonly moments: PointsInTime,
    private readonly views: EffectiveCache,
    private readonly bodies: EffectiveBodies,
    private readonly store: ResponseStore,
  ) {}

  async answer(call: Call, projectId: ProjectId): Promise<Buffer | undefined> {
    const { caller } = call;
    const known = this.store.get<BodySource>(call);
    const { at, request } = known
      ? { at: 'now' as const, request: known.source.request }
      : await this.parsed(call, projectId);
    if (at !== 'now') {
      const view = await this.views.at(at, request.target, caller);
      return send(call, at, await this.bodies.of(view, request, caller, at));
    }
    const head = await this.store.headOf(call);
    if (known && isSameHead(known.head, head) && isSendable(call, known)) return this.store.send(call, known);
    const { content, contentVersion, head: seenAt } = await this.views.now(request.target, head, caller);
    const view = { ...content, head: seenAt };
    const moved = known && isUnchanged(known, contentVersion) ? this.bodies.at(view, known.source.body) : null;
    const isEnough = moved && (moved.bytes !== null || hasCurrentCopy(call.headers, moved.etag));
    const body = isEnough ? moved : await this.bodies.of(view, request, caller, 'now');
    this.store.put(call, responseOf(view.head, { request, contentVersion, body: withoutSecrets(body) }));
    return send(call, view.head.revision, body);
  }

  private async parsed({ caller, query: rawQuery }: Call, projectId: ProjectId) {
    const { at, query } = await this.moments.resolved(caller, parseQuery(EffectiveQuery, rawQuery));
    const { environment = 'default', name } = query;
    const target = { organizationId: caller.organizationId, projectId, environment, name };
    return { at, request: { target, query } };
  }
}

function responseOf(head: Head, source: BodySource): StoredResponse<BodySource> {
  const { etag, bytes } = source.body;
  return { head, etag, body: bytes && withoutLinks(bytes), source };
}

function send(call: Call, revision: Revision, { bytes, etag }: EffectiveBody): Buffer | undefined {
  call.reply.header('x-revision', String(revision));
  return sendTagged(call, bytes ?? Buffer.alloc(0), etag);
}

function isUnchanged({ source }: StoredResponse<BodySource>, contentVersion: number): boolean {
  return source.contentVersion === contentVersion && source.body.isLiteral;
}
