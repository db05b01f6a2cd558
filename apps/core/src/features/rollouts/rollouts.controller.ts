import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { InstanceReport, parseBody, parseQuery, type Rollout, RolloutQuery } from '@strata/contract';
import { Failure, sentence } from '@strata/domain';
import { LongLived, Requires } from '../../platform/auth/requires.ts';
import { type Call, CurrentCall, type StrataRequest } from '../../platform/http/request.ts';
import { Heads } from '../../platform/ledger/heads.ts';
import { recordSecretValidation } from '../../platform/limits/request-limits.ts';
import { Listeners } from '../feed/listeners.ts';
import { followedSelection } from '../instances/instance-digest.ts';
import { InstanceReports } from '../instances/instance-reports.ts';
import { RolloutScopes } from './rollout-scopes.ts';
import { Rollouts } from './rollouts.ts';

/** Returns whether a request waits for instances. Other requests count toward the limits like every read. */
function isWaiting({ query }: Pick<StrataRequest, 'query'>): boolean {
  return Number((query as Record<string, unknown>).wait) > 0;
}

@Controller('rollouts')
export class RolloutsController {
  constructor(
    private readonly reports: InstanceReports,
    private readonly scopes: RolloutScopes,
    private readonly heads: Heads,
    private readonly rollouts: Rollouts,
    private readonly listeners: Listeners,
  ) {}

  /** Stores a report before it responds. */
  @Post()
  @HttpCode(204)
  @Requires('read')
  async report(@CurrentCall() { caller, reply }: Call, @Body() body: unknown): Promise<void> {
    const {
      instance,
      revision,
      names,
      reveal,
      digest = null,
      reason = null,
      ...named
    } = parseBody(InstanceReport, body);
    const scope = await this.scopes.of(caller, named);
    const head = await this.heads.required(caller.organizationId);
    reply.header('x-revision', String(head.revision));
    if (revision > head.revision) {
      const message = sentence`Revision ${{ revision }} does not exist; the latest is ${{ latest_revision: head.revision }}.`;
      throw Failure.field('unknown_revision', 'revision', message);
    }
    // The status of the instance will show whether the caller knows the secrets.
    if (reveal) recordSecretValidation();
    await this.reports.store(caller, {
      ...followedSelection(names, reveal),
      projectId: scope.project_id,
      environmentId: scope.environment_id,
      instance,
      revision,
      digest,
      reason,
    });
  }

  /** Returns one page. With `wait`, waits until all instances are current or one rejects it. */
  @Get()
  @Requires('read')
  @LongLived(isWaiting)
  async list(@CurrentCall() call: Call, @Req() request: StrataRequest): Promise<Rollout> {
    const query = parseQuery(RolloutQuery, call.query);
    const listening = this.listeners.join(request, call.reply.raw, call.caller);
    try {
      const rollout = await this.rollouts.find(call.caller, query, listening);
      call.reply.header('x-revision', String(rollout.revision));
      return rollout;
    } finally {
      listening.leave();
    }
  }
}
