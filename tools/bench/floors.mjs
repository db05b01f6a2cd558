// Serves the floors in a separate process: bare Fastify that returns the same bytes as Strata: from memory, from memory
// after a query of the organization's head, and from PostgreSQL.
import Fastify from 'fastify';
import pg from 'pg';
import { COMPACT, GRAPHQL, LIST, wide } from './floor-sql.mjs';
import { UPDATE, UPDATE_AND_NOTIFY, UPDATE_WITH_HISTORY } from './floor-writes.mjs';

const CONNECTIONS = 10;
const HEAD = 'select organization_id, epoch, revision from organization_head where organization_id = any($1::uuid[])';

/** Requests that arrive while a query runs share the next one, because the result of the running one may be older. */
function sharedQuery(query) {
  let [running, next] = [Promise.resolve(), null];
  return () => {
    next ??= running.then(() => {
      next = null;
      running = query();
      return running;
    });
    return next;
  };
}

process.once('message', async ({ databaseUrl, bodies, question, digest, root, pageSize, wideQuestion }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const app = Fastify({ logger: false });
  const json = (reply, body) => reply.header('content-type', 'application/json').send(body);
  const resolved = async (name, text, values) => (await pool.query({ name, text, values })).rows[0].body;

  const queryHead = sharedQuery(() => pool.query({ name: 'head', text: HEAD, values: [[question[0]]] }));
  for (const name of ['compact', 'list', 'value']) {
    app.get(`/memory/${name}`, (_, reply) => json(reply, bodies[name]));
    app.get(`/head/${name}`, async (_, reply) => {
      await queryHead();
      return json(reply, bodies[name]);
    });
  }
  app.post('/memory/graphql', (_, reply) => json(reply, bodies.graphql));
  app.post('/memory/wide', (_, reply) => json(reply, bodies.wide));

  const { environments, projects, parameters } = wideQuestion;
  const statements = {
    compact: ['GET', COMPACT, [...question, digest]],
    list: ['GET', LIST, [...question, root, pageSize]],
    graphql: ['POST', GRAPHQL, [...question, digest]],
    wide: ['POST', wide(environments), [question[0], projects, parameters]],
  };
  for (const [name, [method, text, values]] of Object.entries(statements)) {
    const handler = async (_, reply) => json(reply, await resolved(name, text, values));
    app.route({ method, url: `/sql/${name}`, handler });
  }

  for (const [name, text] of Object.entries({ update: UPDATE, history: UPDATE_WITH_HISTORY })) {
    app.patch(`/${name}/:id`, async (request, reply) => {
      await pool.query({ name, text, values: [request.params.id, request.body.internal_value] });
      return json(reply, '{"updated":true}');
    });
  }
  app.patch('/notify/:id', async (request, reply) => {
    const { internal_value: text, event } = request.body;
    await pool.query({ name: 'notify', text: UPDATE_AND_NOTIFY, values: [request.params.id, text, event] });
    return json(reply, '{"updated":true}');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.send({ port: app.server.address().port });
});
process.once('disconnect', () => process.exit(0));
