import { Controller, Get, HttpStatus, Inject, Logger, Res } from '@nestjs/common';
import { RELEASE } from '@strata/domain';
import { type CorePool, UnexpectedResponseError } from '@strata/rest-client';
import type { FastifyReply } from 'fastify';
import { createClient } from './core.ts';

export const CORE_POOL = Symbol('CORE_POOL');
export const DRAINING = Symbol('DRAINING');

/** Marks that the gateway is about to stop. */
export interface Draining {
  now: boolean;
}

const TIMEOUT_MS = 2_000;

const CORE_URL_IS_GATEWAY =
  'STRATA_CORE_URL leads to a gateway instead of a core, perhaps to this one. Set it to the address of a core, or of a proxy that sends /api/ to the cores.';

@Controller()
export class GatewayHealthController {
  private readonly logger = new Logger('health');
  private isMisdirected = false;

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
    const reason = this.draining.now ? 'draining' : await this.coreProblem();
    if (reason === null) return { status: 'ready' };
    reply.status(HttpStatus.SERVICE_UNAVAILABLE);
    return { status: 'not ready', reason };
  }

  /** The health checks of a core. A gateway that receives them was taken for a core. */
  @Get(['api/healthz', 'api/readyz'])
  misdirected(@Res({ passthrough: true }) reply: FastifyReply) {
    reply.status(HttpStatus.MISDIRECTED);
    return { status: 'not a core' };
  }

  private async coreProblem(): Promise<'core' | 'core_url' | null> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      await createClient(this.pool, '').request({ method: 'GET', path: '/api/readyz', signal });
      return null;
    } catch (error) {
      if (!(error instanceof UnexpectedResponseError && error.status === HttpStatus.MISDIRECTED)) return 'core';
      if (!this.isMisdirected) this.logger.error(CORE_URL_IS_GATEWAY);
      this.isMisdirected = true;
      return 'core_url';
    }
  }
}
