import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { OPERATIONS, type Operation, type Project } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { PathFixtures } from '../../testing/path-fixtures.ts';

const HOSTS = ['config.example.com', '10.0.0.7:8080'] as const;

let core: RunningCore;
let org: TestOrganization;

beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  org = await core.organization();
});

interface TaggedAnswer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: string;
}

/** Sends a request with another Host header, which fetch does not allow. */
async function ask(
  host: string,
  path: string,
  { method = 'GET', body, headers = {} }: { method?: string; body?: object; headers?: Record<string, string> } = {},
): Promise<TaggedAnswer> {
  const request = http.request(`${core.origin}/api/v1/${path}`, {
    method,
    agent: false,
    headers: { host, authorization: org.ownerAuthorization, 'content-type': 'application/json', ...headers },
  });
  request.end(body && JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return { status: response.statusCode ?? 0, etag: response.headers.etag, body: await text(response) };
}

const readings = OPERATIONS.filter(({ method, id }) => method === 'get' && !id.endsWith('_stream'));

describe('an entity tag', () => {
  it('is the same under every host name of the service, for every operation that reads', async () => {
    const fixtures = new PathFixtures(core, org);
    let tagged = 0;
    for (const operation of readings as readonly Operation[]) {
      const { path } = await fixtures.of(operation);
      const short = path.replace('/api/v1/', '');
      // Some responses count how often they are read, so they differ between two reads.
      const [here, there, repeatedResponse] = [
        await ask(HOSTS[0], short),
        await ask(HOSTS[1], short),
        await ask(HOSTS[0], short),
      ];
      if (here.etag === undefined || here.etag !== repeatedResponse.etag) continue;
      tagged += 1;
      expect([operation.id, there.etag]).toEqual([operation.id, here.etag]);
      expect(there.body).toBe(here.body.replaceAll(`"http://${HOSTS[0]}/`, `"http://${HOSTS[1]}/`));
    }
    expect(tagged).toBeGreaterThan(40);
  });

  it('from a read under one host name is a valid precondition under another one, until the object changes', async () => {
    const project = await org.project({ name: 'shop' });
    const path = `projects/${project.id}/`;
    const { etag = '' } = await ask(HOSTS[0], path);
    const change = (description: string, tag: string) =>
      ask(HOSTS[1], path, { method: 'PATCH', body: { description }, headers: { 'if-match': tag } });

    const first = await change('first', etag);
    expect(first.status).toBe(200);
    expect((await change('second', etag)).status).toBe(412);
    expect((await ask(HOSTS[0], path)).etag).toBe(first.etag);
    expect((await ask(HOSTS[0], path, { headers: { 'if-none-match': first.etag ?? '' } })).status).toBe(304);
  });

  it('of a long list is the same under every host name, and changes if the texts in the list change', async () => {
    const long = 'x'.repeat(30_000);
    const projects = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        org.project({ name: `project-${index}`, description: `${long}${index}` }),
      ),
    );
    const list = async (host: string) => (await ask(host, 'projects/?page_size=100')).etag;

    const before = await list(HOSTS[0]);
    expect(await list(HOSTS[1])).toBe(before);
    const [project] = projects as [Project];
    const texts = [`http://${HOSTS[0]}/api/v1/`, `http://${HOSTS[1]}/api/v1/`, '/api/v1/'];
    const tags = new Set([before]);
    for (const description of texts) {
      await org.owner.patch(project.url, { description });
      tags.add(await list(HOSTS[0]));
    }
    expect(tags.size).toBe(texts.length + 1);
  });
});
