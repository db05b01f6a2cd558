import { Controller, Get, HttpStatus, Inject, Res } from '@nestjs/common';
import { RELEASE } from '@strata/domain';
import type { CorePool } from '@strata/rest-client';
import type { FastifyReply } from 'fastify';
import { clientOf } from './core.ts';

export const CORE_POOL = Symbol('CORE_POOL');
export const DRAINING = Symbol('DRAINING');

/** Marks that the gateway is about to stop. */
export interface Draining {
  now: boolean;
}

const TIMEOUT_MS = 2_000;

@Controller()
export class GatewayHealthController {
  constructor(
    @Inject(CORE_POOL) private readonly pool: CorePool,
    @Inject(DRAINING) private readonly draining: Draining,
  ) {}

  @Get('healthz')
  alive() {
    return { status: 'alive', ...RELEASE };
  }

  /** The gateway is ready if the core is. */
  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    if (!this.draining.now && (await this.isCoreReady())) return { status: 'ready' };
    reply.status(HttpStatus.SERVICE_UNAVAILABLE);
    return { status: 'not ready', reason: this.draining.now ? 'draining' : 'core' };
  }

  private async isCoreReady(): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      await clientOf(this.pool, '').request({ method: 'GET', path: '/readyz', signal });
      return true;
    } catch {
      return false;
    }
  }
}
