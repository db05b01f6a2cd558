import { Injectable } from '@nestjs/common';
import { EffectiveQuery, parseQuery } from '@strata/contract';
import { mayReveal, type ProjectId, type Revision } from '@strata/domain';
import { hasCurrentCopy, NO_STORE, sendTagged } from '../../platform/http/conditional-requests.ts';
import { withoutLinks } from '../../platform/http/origin-placeholders.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import type { Call, ResponseContext } from '../../platform/http/request.ts';
import { ResponseStore, type StoredResponse } from '../../platform/http/response-store.ts';
import { sealBody } from '../../platform/http/sealed-body.ts';
import { type Head, Heads, isSameHead } from '../../platform/ledger/heads.ts';
import { currentLimits, recordSecretValidation, useCurrentPermissions } from '../../platform/limits/request-limits.ts';
import { followedSelection } from '../instances/instance-digest.ts';
import { InstanceReports } from '../instances/instance-reports.ts';
import { EffectiveCache } from '../snapshot/effective-cache.ts';
import {
  EffectiveBodies,
  type EffectiveBody,
  type EffectiveRequest,
  type EnvironmentView,
  withoutSecrets,
} from './effective-bodies.ts';
import { assertCanWait, ConfigurationPolls, isUnfiltered } from './stream/configuration-polls.ts';

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
    private readonly pointsInTime: PointsInTime,
    private readonly views: EffectiveCache,
    private readonly bodies: EffectiveBodies,
    private readonly store: ResponseStore,
    private readonly heads: Heads,
    private readonly polls: ConfigurationPolls,
    private readonly instances: InstanceReports,
  ) {}

  async answer(call: Call, projectId: ProjectId): Promise<Buffer | undefined> {
    const { caller } = call;
    const cachedBody = this.store.get<BodySource>(call);
    const { at, request } = cachedBody
      ? { at: 'now' as const, request: cachedBody.source.request }
      : await this.parsed(call, projectId);
    if (at !== 'now') {
      const view = await this.views.at(at, request.target, caller);
      return send(call, at, await this.bodies.of(view, request, caller, at));
    }
    if (request.query.wait > 0 && call.headers['if-none-match'] !== undefined) return this.changed(call, request);
    const head = await this.store.readHead(call);
    if (cachedBody && isSameHead(cachedBody.head, head) && isEnough(call, cachedBody.source.body)) {
      return this.send(call, request, cachedBody.head.revision, cachedBody.source.body);
    }
    const { content, contentVersion, head: seenAt } = await this.views.now(request.target, head, caller);
    const view = { ...content, head: seenAt };
    const movedBody =
      cachedBody && isUnchanged(cachedBody, contentVersion) ? this.bodies.at(view, cachedBody.source.body) : null;
    const body =
      movedBody && isEnough(call, movedBody) ? movedBody : await this.bodies.of(view, request, caller, 'now');
    if (request.query.wait === 0)
      this.store.put(call, createResponse(view.head, body, { request, contentVersion, body: withoutSecrets(body) }));
    return this.send(call, request, view.head.revision, body);
  }

  /** Waits until the values differ from the caller's copy, or until the time is over. */
  private async changed(call: Call, request: EffectiveRequest): Promise<Buffer | undefined> {
    const { organizationId, projectId } = request.target;
    const { mask_secrets, name__in, wait } = request.query;
    const { environment } = await this.presentView(call, request);
    const names = name__in?.toSorted() ?? null;
    const reveal = !mask_secrets && mayReveal(call.caller);
    const selection = { organizationId, projectId, environmentId: environment.id, names, reveal };
    const poll = await this.polls.begin(call, selection, wait);
    try {
      for (let { caller } = call; ; ) {
        const view = await this.presentView({ ...call, caller }, request);
        const body = await this.bodies.of(view, request, caller, 'now');
        if (!isCurrent(call, body)) return this.send(call, request, view.head.revision, body);
        this.confirm(call, request, view.head.revision, body);
        currentLimits()?.pause();
        const permissions = await poll.next();
        if (permissions === null) return this.send(call, request, poll.revision, body);
        useCurrentPermissions(permissions);
        caller = { ...caller, ...permissions };
      }
    } finally {
      poll.leave();
    }
  }

  private async presentView(call: Call, { target }: EffectiveRequest): Promise<EnvironmentView> {
    const { content, head } = await this.views.now(
      target,
      await this.heads.required(target.organizationId),
      call.caller,
    );
    return { ...content, head };
  }

  /** Sends a response about the present. A client that gets 304 has confirmed what it has. */
  private send(call: Call, request: EffectiveRequest, revision: Revision, body: EffectiveBody): Buffer | undefined {
    const sentBody = send(call, revision, body);
    if (sentBody === undefined) this.confirm(call, request, revision, body);
    return sentBody;
  }

  /** Records that a client has the present configuration, if it names its instance and has no other filters. */
  private confirm(call: Call, { target, query }: EffectiveRequest, revision: Revision, body: EffectiveBody): void {
    if (!isUnfiltered(query)) return;
    const { projectId } = target;
    const { environmentId, digest } = body;
    const selection = followedSelection(query.name__in ?? null, !query.mask_secrets);
    this.instances.confirmPoll(call, { ...selection, projectId, environmentId, revision, digest });
  }

  private async parsed({ caller, query: rawQuery }: Call, projectId: ProjectId) {
    const parsed = parseQuery(EffectiveQuery, rawQuery);
    assertCanWait(parsed);
    const { at, query } = await this.pointsInTime.resolved(caller, parsed);
    const { environment = 'default', name } = query;
    const target = { organizationId: caller.organizationId, projectId, environment, name };
    return { at, request: { target, query } };
  }
}

function createResponse(
  head: Head,
  { etag, bytes, hasClearSecret }: EffectiveBody,
  source: BodySource,
): StoredResponse<BodySource> {
  const body = bytes && withoutLinks(bytes);
  if (!hasClearSecret) return { head, etag, body, source };
  return { head, etag, body: null, sealed: body ? sealBody(body) : undefined, source };
}

function send(call: Call, revision: Revision, body: EffectiveBody): Buffer | undefined {
  const { bytes, etag, hasClearSecret } = body;
  const [isSame, hasSameTag] = [isCurrent(call, body), hasCurrentCopy(call.headers, etag)];
  call.reply.header('x-revision', String(revision));
  if (hasClearSecret) call.reply.header('cache-control', NO_STORE);
  // A caller can compute the digest of guessed secrets, so this response is recorded like one that shows them.
  if (hasClearSecret && isSame && !hasSameTag) recordSecretValidation();
  return sendTagged(call, bytes ?? Buffer.alloc(0), etag, isSame);
}

/** Returns whether a body can be sent. Without its text, it is enough for a caller that already has it. */
function isEnough(call: ResponseContext, body: EffectiveBody): boolean {
  return body.bytes !== null || isCurrent(call, body);
}

/** Returns whether the caller's copy has the same values: the same entity tag, or the same digest. */
function isCurrent({ headers }: ResponseContext, { etag, digest }: EffectiveBody): boolean {
  return hasCurrentCopy(headers, etag) || hasCurrentCopy(headers, `"${digest}"`);
}

function isUnchanged({ source }: StoredResponse<BodySource>, contentVersion: number): boolean {
  return source.contentVersion === contentVersion && source.body.isLiteral;
}
