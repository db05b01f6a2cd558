import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Requires } from '../auth/requires.ts';
import { type PublishedKeys, TokenKeys } from '../auth/token-keys.ts';
import type { Env } from '../env.ts';
import { ENV } from '../tokens.ts';

/** Rotations allow for caches of this age. */
const MAX_AGE_SECONDS = 300;

/** Publishes the keys that verify tokens of the built-in issuer. A proxy sends only paths below `/api/` to the cores. */
@Controller()
export class TokenKeysController {
  constructor(
    private readonly keys: TokenKeys,
    @Inject(ENV) private readonly env: Env,
  ) {}

  @Get(['.well-known/jwks.json', 'api/.well-known/jwks.json'])
  @Requires('nothing')
  async published(@Res({ passthrough: true }) reply: FastifyReply): Promise<PublishedKeys> {
    reply.header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`);
    // An external issuer publishes its own keys, and this core accepts no other ones.
    return this.env.STRATA_JWKS_URL ? { keys: [] } : this.keys.published();
  }
}
