// Serves PostGraphile over bare tables with as many projects, parameters, environments and values as the queries of the
// bench read. It resolves nothing: each environment has its own row for each parameter.
import { createServer } from 'node:http';
import pg from 'pg';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

const CONNECTIONS = 10;

const TABLES = `
create schema peer;
create table peer.project (id int primary key, name text not null);
create table peer.parameter (id int primary key, project_id int not null references peer.project, name text not null);
create table peer.value (
  id int generated always as identity primary key,
  parameter_id int not null references peer.parameter,
  environment text not null,
  text text not null);
create index on peer.parameter (project_id);
create index on peer.value (parameter_id, environment);
create index on peer.value (environment);`;

const ROWS = [
  `insert into peer.project select number, 'project-' || number from generate_series(1, $1::int) number`,
  `insert into peer.parameter
   select (project.id - 1) * 100 + number, project.id, 'PARAMETER_' || lpad(number::text, 3, '0')
     from peer.project, generate_series(1, 100) number where $1::int > 0`,
  `insert into peer.value (parameter_id, environment, text)
   select parameter.id, environment, 'text number ' || parameter.id
     from peer.parameter, unnest($1::text[]) environment`,
];

process.once('message', async ({ databaseUrl, projects, environments }) => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(TABLES);
  for (const [index, text] of ROWS.entries()) await client.query(text, [index === 2 ? environments : projects]);
  await client.query('analyze peer.project, peer.parameter, peer.value');
  await client.end();

  const { createServ } = postgraphile({
    extends: [PostGraphileAmberPreset],
    pgServices: [makePgService({ connectionString: databaseUrl, schemas: ['peer'], poolConfig: { max: CONNECTIONS } })],
    grafserv: { graphiql: false, watch: false },
  });
  // Connections wait while other subjects are measured.
  const server = createServer({ keepAliveTimeout: 0 });
  await createServ(grafserv).addTo(server);
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
});
process.once('disconnect', () => process.exit(0));
