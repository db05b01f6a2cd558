import fs from 'node:fs';
import path from 'node:path';
import { type RunningCore, sharedCore, type TestOrganization } from '../libs/testkit/src/index.ts';
import { connect } from './seed/client.mjs';
import { environments, examples, projects, types, webhook } from './seed/data/organization.mjs';
import { load } from './seed/load.mjs';

const PAGE = fs.readFileSync(path.resolve(import.meta.dirname, '../docs/why.md'), 'utf8');

/** Each request of the page, what is picked of its answer, and what stands below it. */
const EXAMPLES = [...PAGE.matchAll(/^```sh\ncall "(\S+)" \| pick '([\w[\].]+)'\n```\n```json\n(.+?)^```/gms)].map(
  ([, request = '', pick = '', answer = '']) => ({ request, pick, answer }),
);

function picked(body: unknown, pick: string): unknown {
  const keys = pick.split(/[.[\]]+/).filter((key) => key !== '');
  return keys.reduce<unknown>((inside, key) => (inside as Record<string, unknown>)?.[key], body);
}

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
  organization = await core.organization();
  const authorization = await organization.authorization('OWNER');
  const api = connect(core.origin, authorization.replace(/^Api-Key /, ''));
  await load(api, () => undefined, { environments, types, webhook, projects: projects.slice(0, 1), examples });
}, 60_000);

it.each(EXAMPLES)('docs/why.md shows what $request answers', async ({ request, pick, answer }) => {
  const { status, body, text } = await organization.as('VIEWER').get(request);

  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  expect([picked(body, pick)]).toMatchObject([JSON.parse(answer)]);
});

it('docs/why.md has examples', () => {
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(2);
});
