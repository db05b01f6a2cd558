import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Heads } from '../ledger/heads.ts';
import type { StrataRequest } from './request.ts';

/**
 * Every answer to a known caller has `X-Revision`. What shows something of the organization has said which revision it
 * shows; the others, refusals above all, tell the present one. Only when we cannot know (5xx) nothing is said.
 */
export function addRevision(app: NestFastifyApplication): void {
  const heads = app.get(Heads);
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { user } = request as StrataRequest;
    if (!user || reply.statusCode >= 500 || reply.hasHeader('x-revision')) return done(null, payload);
    const setHeader = (revision: number | null) => {
      // a reply is a thenable that waits for its end, so this returns nothing
      if (revision !== null) reply.header('x-revision', String(revision));
    };
    const silence = () => undefined; // the answer is right without it
    heads
      .revisionOf(user.organizationId)
      .then(setHeader, silence)
      .then(() => done(null, payload), done);
  });
}
