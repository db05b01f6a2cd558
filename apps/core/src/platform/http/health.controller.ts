import { Controller, Get, Res } from '@nestjs/common';
import { RELEASE } from '@strata/domain';
import type { FastifyReply } from 'fastify';
import { Requires } from '../auth/requires.ts';
import { Database } from '../postgres/database.ts';

/**
 * Health checks for process supervisors and load balancers. The bodies contain no data of organizations. A proxy sends
 * only paths below `/api/` to the cores, so gateways use those paths.
 */
@Controller()
export class HealthController {
  /** True while the process shuts down: it finishes running requests and accepts no new ones. */
  draining = false;

  constructor(private readonly database: Database) {}

  /**
   * Succeeds if the event loop runs. It does not check the database, because a restart of the process would not help.
   */
  @Get(['healthz', 'api/healthz'])
  @Requires('nothing')
  alive() {
    return { status: 'alive', ...RELEASE };
  }

  @Get(['readyz', 'api/readyz'])
  @Requires('nothing')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const isReady = !this.draining && (await this.database.isReady().catch(() => false));
    if (isReady) return { status: 'ready' };
    reply.status(503);
    return { status: 'not ready' };
  }
}
