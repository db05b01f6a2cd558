import fs from 'node:fs';
import path from 'node:path';
import { type RunningCore, sharedCore, type TestOrganization } from '../libs/testkit/src/index.ts';
import { connect } from './seed/client.mjs';
import { environments, examples, projects, types, webhook } from './seed/data/organization.mjs';
import { load } from './seed/load.mjs';

const PAGE = fs.readFileSync(path.resolve(import.meta.dirname, '../docs/why.md'), 'utf8');

/** Each request of the page, and what stands below it. */
const EXAMPLES = [...PAGE.matchAll(/```http\nGET \/api\/v1\/(\S+)\n```\n\n```json\n(.+?)\n```/gs)].map(
  ([, request = '', answer = '']) => [request, answer] as const,
);

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
  organization = await core.organization();
  const authorization = await organization.authorization('OWNER');
  const api = connect(core.origin, authorization.replace(/^Api-Key /, ''));
  await load(api, () => undefined, { environments, types, webhook, projects: projects.slice(0, 1), examples });
}, 60_000);

it.each(EXAMPLES)('docs/why.md shows what GET %s answers', async (request, answer) => {
  const reply = await organization.as('VIEWER').get(request);

  expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({})]);
  expect(reply.body).toMatchObject(JSON.parse(answer));
});

it('docs/why.md has examples', () => {
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(2);
});
