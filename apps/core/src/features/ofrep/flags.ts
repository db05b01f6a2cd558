import { Injectable } from '@nestjs/common';
import type { FlagEvaluation, FlagSet } from '@strata/contract';
import { asSentence, Failure } from '@strata/domain';
import { computeEtag, hasCurrentCopy, sendTagged } from '../../platform/http/conditional-requests.ts';
import { withoutLinks } from '../../platform/http/origin-placeholders.ts';
import { type Call, createTagContext } from '../../platform/http/request.ts';
import { isSendable, ResponseStore } from '../../platform/http/response-store.ts';
import { type Head, isSameHead } from '../../platform/ledger/heads.ts';
import { currentLimits } from '../../platform/limits/request-limits.ts';
import { EffectiveCache, type ProjectView } from '../snapshot/effective-cache.ts';
import { type EvaluationResults, TextEvaluator } from '../templating/evaluation.ts';
import { createFlagPresenter, type FlagCandidate, listFlagCandidates } from './flag-entries.ts';
import { type BaseTypes, FlagLookups } from './flag-lookups.ts';

/** The project and the environment of a base URL, each by name or id. */
export interface FlagScope {
  readonly project: string;
  readonly environment: string;
}

/** The data that the flags are written from. */
interface FlagSource {
  readonly view: ProjectView;
  readonly head: Head;
  readonly contentVersion: number;
  readonly bases: BaseTypes;
}

/** The versions that a stored response was written from. */
interface StoredSource extends Pick<FlagSource, 'contentVersion' | 'bases'> {
  /** Whether all values are literal. Such flags stay the same as long as view and types do. */
  readonly isLiteral: boolean;
}

/** Evaluates parameters as the feature flags of the OpenFeature Remote Evaluation Protocol. */
@Injectable()
export class Flags {
  constructor(
    private readonly lookups: FlagLookups,
    private readonly views: EffectiveCache,
    private readonly evaluations: TextEvaluator,
    private readonly store: ResponseStore,
  ) {}

  /** Answers with all flags. Providers poll them, so the responses are stored. */
  async answerAll(call: Call, scope: FlagScope): Promise<Buffer | undefined> {
    currentLimits()?.limitAsRead();
    const cachedResponse = this.store.get<StoredSource>(call);
    const head = await this.store.readHead(call);
    if (cachedResponse?.body && isSameHead(cachedResponse.head, head) && isSendable(call, cachedResponse)) {
      return send(call, cachedResponse.head, cachedResponse.body.bytes, cachedResponse.etag);
    }
    const source = await this.loadSource(call, scope, head);
    const isLiteral =
      cachedResponse?.source.isLiteral && cachedResponse.source.contentVersion === source.contentVersion;
    const isUnchanged = isLiteral && cachedResponse?.source.bases === source.bases;
    const storedResponse = isUnchanged ? { ...cachedResponse, head: source.head } : await this.written(call, source);
    this.store.put(call, storedResponse);
    return send(call, source.head, storedResponse.body?.bytes ?? Buffer.alloc(0), storedResponse.etag);
  }

  /** Evaluates one flag. Throws 404 if there is none with this key, and 400 if its value cannot be evaluated. */
  async answerOne(
    call: Call,
    scope: FlagScope,
    key: string,
  ): Promise<{ readonly head: Head; readonly flag: FlagEvaluation }> {
    currentLimits()?.limitAsRead();
    const source = await this.loadSource(call, scope, await this.store.readHead(call));
    const candidates = listFlagCandidates(source.view).filter(({ parameter: { name } }) => name === key);
    const [flag] = await this.presented(call, source, candidates);
    if (!flag) throw Failure.notFound('Parameter');
    const { errorCode, errorDetails = '' } = flag;
    if (errorCode)
      throw Failure.invalid(errorCode === 'GENERAL' ? 'evaluation_failed' : 'not_of_type', asSentence(errorDetails));
    return { head: source.head, flag };
  }

  private async loadSource({ caller }: Call, { project, environment }: FlagScope, head: Head): Promise<FlagSource> {
    const { organizationId } = caller;
    const projectId = await this.lookups.project({ organizationId, nameOrId: project }, head, caller);
    const target = { organizationId, projectId, environment, name: undefined };
    const { content, contentVersion, head: seenAt } = await this.views.now(target, head, caller);
    const bases = await this.lookups.baseTypes(organizationId, seenAt);
    return { view: content, head: seenAt, contentVersion, bases };
  }

  private async written(call: Call, source: FlagSource) {
    const { view, head, contentVersion, bases } = source;
    const candidates = listFlagCandidates(view);
    const [project] = view.projectChain;
    const body: FlagSet = {
      flags: await this.presented(call, source, candidates),
      metadata: {
        project_id: project?.id ?? '',
        project_name: project?.name ?? '',
        environment_id: view.environment.id,
        environment_name: view.environment.name,
      },
    };
    const bytes = Buffer.from(JSON.stringify(body));
    const isLiteral = candidates.every(({ value }) => !value?.interpolated);
    const etag = computeEtag(bytes, createTagContext(call.reply.request));
    return { head, etag, body: withoutLinks(bytes), source: { contentVersion, bases, isLiteral } };
  }

  private async presented({ caller }: Call, source: FlagSource, candidates: readonly FlagCandidate[]) {
    const { view, head, bases } = source;
    const environmentId = view.environment.id;
    const values = candidates.flatMap(({ value }) => value ?? []);
    const { organizationId } = caller;
    const evaluationResults: EvaluationResults = await this.evaluations.ofSnapshot(
      { organizationId, revision: head.revision, permissions: caller, at: 'now', values },
      () => values.map((value) => [value, environmentId] as const),
      { evaluate: true, environment: environmentId, mode: 'open' },
    );
    const presentFlag = createFlagPresenter(view, bases, evaluationResults);
    return candidates.flatMap((candidate) => presentFlag(candidate) ?? []);
  }
}

/** Sends flags, or 304 if the caller's copy is current. The protocol supports `If-None-Match` for its POST requests. */
function send(call: Call, head: Head, bytes: Buffer, etag: string): Buffer | undefined {
  call.reply.header('x-revision', String(head.revision));
  return sendTagged(call, bytes, etag, hasCurrentCopy(call.headers, etag));
}
