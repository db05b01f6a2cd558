import { readFileSync } from 'node:fs';
import type { Page, Project } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';

/**
 * The second guide continues with the objects of the first one. In each guide, a request block is followed by the block
 * with its response.
 */
const GUIDES = ['change-many-values', 'roll-back-a-change'];
const page = GUIDES.map((name) =>
  readFileSync(new URL(`../../../../../docs/guides/${name}.md`, import.meta.url), 'utf8'),
).join('\n');
// The pattern matches every block, so that it cannot mistake the end of one block for the start of another.
const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, language, text = '']) =>
  language === '' ? [text.trim()] : [],
);

interface Example {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly answer: object;
}

const examples = blocks.flatMap((block, index): Example[] => {
  const [, method = '', path = '', body = ''] = /^(GET|POST|PUT) (\S+)([\s\S]*)$/.exec(block) ?? [];
  const [, status = '', answer = ''] = /^(\d{3})\n([\s\S]*)$/.exec(blocks[index + 1] ?? '') ?? [];
  if (method === '') return [];
  return [
    {
      method,
      path,
      body: body.trim() ? JSON.parse(body) : undefined,
      status: Number(status),
      answer: JSON.parse(answer),
    },
  ];
});

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

it('the guides about changesets and reverts show real requests and responses of the API', async () => {
  const organization = await core.organization();
  expect(examples).toHaveLength(page.match(/^(GET|POST|PUT) /gm)?.length ?? 0);
  let hash = '';
  for (const { method, path, body, status, answer } of examples) {
    const { body: projects, headers } = await organization.owner.get<Page<Project>>('projects/?name=web');
    const latest = Number(headers['x-revision']);
    const withRevision = (text: string) =>
      text.replace(/"?\{revision(?:-(\d))?\}"?/, (_, back = '0') => String(latest - Number(back)));
    const target = withRevision(path.replace('{web}', projects.results[0]?.id ?? ''));
    const sent = body && JSON.parse(withRevision(JSON.stringify(body).replace('{plan_hash}', hash)));
    const response = await organization.owner.send(method, target, { body: sent });
    hash = (response.body as { plan_hash?: string } | null)?.plan_hash ?? hash;
    expect({ path, status: response.status, body: response.body }).toMatchObject({ path, status, body: answer });
  }
});
