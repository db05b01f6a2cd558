// The floors, in a process of their own: what a bare Fastify costs for the same bytes, without and with PostgreSQL.
import Fastify from 'fastify';
import pg from 'pg';
import { COMPACT, LIST } from './floor-sql.mjs';

const CONNECTIONS = 10;

process.once('message', async ({ databaseUrl, bodies, question, digest, root, pageSize }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const app = Fastify({ logger: false });
  const json = (reply, body) => reply.header('content-type', 'application/json').send(body);
  const resolved = async (name, text, values) => (await pool.query({ name, text, values })).rows[0].body;

  app.get('/memory/compact', (_, reply) => json(reply, bodies.compact));
  app.get('/memory/list', (_, reply) => json(reply, bodies.list));
  app.get('/sql/compact', async (_, reply) => json(reply, await resolved('compact', COMPACT, [...question, digest])));
  app.get('/sql/list', async (_, reply) => json(reply, await resolved('list', LIST, [...question, root, pageSize])));
  app.patch('/update/:id', async (request, reply) => {
    const text = 'update bench_floor set text = $2 where id = $1';
    await pool.query({ name: 'update', text, values: [request.params.id, request.body.internal_value] });
    return json(reply, '{"updated":true}');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.send({ port: app.server.address().port });
});
process.once('disconnect', () => process.exit(0));
