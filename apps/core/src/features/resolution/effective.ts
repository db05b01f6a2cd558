import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Effective, EffectiveQuery, parseQuery } from '@strata/contract';
import {
  closedScopes,
  masked,
  type OrganizationId,
  type ProjectId,
  type Revision,
  resolver,
  type Standing,
} from '@strata/domain';
import { Heads } from '../../platform/database/heads.ts';
import type { PointInTime } from '../../platform/database/versioned-table.ts';
import { etagOf, sendTagged } from '../../platform/http/conditional.ts';
import { Moments } from '../../platform/http/moment.ts';
import type { Call } from '../../platform/http/request.ts';
import { AnswerCache } from './answer-cache.ts';
import { type Evaluated, Evaluations } from './evaluation.ts';
import { isWanted } from './parameter-filter.ts';
import {
  environmentOf,
  type ParameterRecord,
  type ProjectSnapshot,
  ProjectSnapshots,
  type ValueRecord,
} from './project-snapshot.ts';

interface Question {
  readonly organizationId: OrganizationId;
  /** What who asks has no access to: somebody else's answer must not be theirs. */
  readonly closed: readonly string[];
  readonly projectId: ProjectId;
  /** As parsed, with its environment: the key under which the answer is remembered. */
  readonly query: EffectiveQuery & { readonly environment: string };
}

/** The effective configuration of a project in one environment, small enough to be asked for often. */
@Injectable()
export class EffectiveConfiguration {
  private readonly cache = new AnswerCache();

  constructor(
    private readonly snapshots: ProjectSnapshots,
    private readonly evaluations: Evaluations,
    private readonly moments: Moments,
    private readonly heads: Heads,
  ) {}

  async answer(call: Call, projectId: ProjectId): Promise<string | undefined> {
    const query = parseQuery(EffectiveQuery, call.query);
    const { organizationId } = call.caller;
    const closed = closedScopes(call.caller);
    const at = await this.moments.of(call.caller, query);
    const question = {
      organizationId,
      closed,
      projectId,
      query: { ...query, environment: query.environment ?? 'default' },
    };
    const key = at === 'now' ? JSON.stringify(question) : null;
    const known = key === null ? null : await this.known(key, organizationId);
    if (known && (known.text !== null || call.headers['if-none-match'] === known.etag)) {
      return send(call, known.revision, known.text ?? '', known.etag);
    }
    const { body, hasClearSecret } = await this.compile(question, call.caller, at);
    const text = JSON.stringify(body);
    const etag = etagOf(text);
    if (key !== null) this.cache.put(key, { revision: body.revision, etag, text: hasClearSecret ? null : text });
    return send(call, body.revision, text, etag);
  }

  /** What was answered before, if nothing has been written since. */
  private async known(key: string, organizationId: OrganizationId) {
    const revision = await this.heads.revisionOf(organizationId);
    return revision === null ? null : this.cache.get(key, revision);
  }

  private async compile({ organizationId, projectId, query }: Question, standing: Standing, at: PointInTime) {
    const { environment, name } = query;
    const snapshot = await this.snapshots.of({
      organizationId,
      standing,
      projectId,
      at,
      environment,
      name,
      brief: true,
    });
    const { id } = environmentOf(snapshot, environment);
    const shown = shownIn(snapshot, id, query);
    const { evaluate } = query;
    const values = () => shown.map(({ value }) => [value, id] as const);
    const evaluated = await this.evaluations.ofSnapshot(snapshot, values, { evaluate, environment });
    return compileEffective(snapshot, query, shown, evaluated);
  }
}

function send(call: Call, revision: Revision, text: string, etag: string): string | undefined {
  call.reply.header('x-revision', String(revision));
  return sendTagged(call, text, etag);
}

interface Shown {
  readonly parameter: ParameterRecord;
  readonly value: ValueRecord;
}

/** Every wanted parameter that has a value there. */
function shownIn(snapshot: ProjectSnapshot, environmentId: string, query: Question['query']): readonly Shown[] {
  const resolved = resolver(snapshot);
  const found = resolved.inEnvironment(environmentId);
  const projectId = snapshot.projectChain[0]?.id ?? '';
  return resolved.visible.flatMap(({ parameter }, index) => {
    const value = found[index];
    return value && isWanted(parameter, query, projectId) ? [{ parameter, value }] : [];
  });
}

/** Name → text; an explicit null stays null. */
function compileEffective(
  snapshot: ProjectSnapshot,
  query: Question['query'],
  shown: readonly Shown[],
  evaluated: Evaluated,
): { readonly body: Effective; readonly hasClearSecret: boolean } {
  const environment = environmentOf(snapshot, query.environment);
  const [project] = snapshot.projectChain;
  const mask = query.mask_secrets;
  // A value is as secret as the parameter it was set on, also where it shows through another one's override.
  const secrets = new Set(snapshot.parameters.filter(({ secret }) => secret).map(({ id }) => id));
  const entries: [string, string | null][] = [];
  let hasSecret = false;
  for (const { parameter, value } of shown) {
    const seen = evaluated.seen({ sourceId: value.id, environmentId: environment.id });
    const isSecret = secrets.has(value.parameterId) || (seen?.secret ?? false);
    hasSecret ||= isSecret || parameter.secret;
    const isHidden = mask && isSecret;
    entries.push([
      parameter.name,
      isHidden ? masked(value.sealed ?? value.text, true) : (seen?.text ?? snapshot.textOf(value)),
    ]);
  }
  const values = Object.fromEntries(entries);
  return {
    hasClearSecret: hasSecret && !mask,
    body: {
      project_id: project?.id ?? '',
      project_name: project?.name ?? '',
      environment_id: environment.id,
      environment_name: environment.name,
      revision: snapshot.revision,
      digest: `sha256:${createHash('sha256').update(JSON.stringify(entries)).digest('hex')}`,
      has_secret: hasSecret,
      values,
    },
  };
}
