import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Requires } from '../auth/requires.ts';
import { Database } from '../postgres/database.ts';

/** For process supervisors and load balancers; constant bodies that tell a stranger nothing. */
@Controller()
export class HealthController {
  /** Set when the process has been asked to stop: finish what runs, accept nothing new. */
  draining = false;

  constructor(private readonly database: Database) {}

  /** The event loop turns. Does not look at the database: restarting us does not cure it. */
  @Get('healthz')
  @Requires('nothing')
  alive() {
    return { status: 'alive' };
  }

  @Get('readyz')
  @Requires('nothing')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const isReady = !this.draining && (await this.database.isReady().catch(() => false));
    if (isReady) return { status: 'ready' };
    reply.status(503);
    return { status: 'not ready' };
  }
}
