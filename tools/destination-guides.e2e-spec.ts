import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Delivery, DestinationCreated, Page, ReplayResult } from '../libs/contract/src/index.ts';
import { LocalServers, type OwnCore, startCore, type TestOrganization } from '../libs/testkit/src/index.ts';
import { Guide, parseApiKey } from './testing/guide.ts';

const servers = new LocalServers();
const guides: Guide[] = [];
let core: OwnCore;
let organization: TestOrganization;
let KEY: string;
beforeAll(async () => {
  core = await startCore({
    STRATA_PRIVATE_DESTINATIONS: 'true',
    STRATA_SMTP_URL: 'smtp://127.0.0.1:1',
    STRATA_SMTP_FROM: 'strata@example.com',
  });
  organization = await core.organization();
  KEY = parseApiKey(await organization.authorization('OWNER'));
});
afterAll(async () => {
  for (const guide of guides) guide.remove();
  servers.close();
  await core.close();
});

function open(name: string): Guide {
  const guide = new Guide(name);
  guides.push(guide);
  return guide;
}

async function pasted<Result>(guide: Guide, section: string, variables: Readonly<Record<string, string>>) {
  const output = await guide.run(guide.code(section), { API: `${core.origin}/api/v1`, KEY, ...variables });
  return JSON.parse(output) as Result;
}

/** Returns a port on which a program of a guide can listen. */
async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it('the endpoint of the guide verifies messages, also after the secret was replaced, and receives a replay', async () => {
  const guide = open('receive-changes-by-http');
  const port = await freePort();
  const ENDPOINT = `http://127.0.0.1:${port}/strata`;
  const destination = await pasted<DestinationCreated>(guide, 'Create the destination', { ENDPOINT });
  fs.symlinkSync(path.resolve('node_modules'), path.join(guide.directory, 'node_modules'));
  const [program = ''] = guide.blocks('Verify and handle messages', 'js');
  const variables = { WEBHOOK_SECRET: destination.secret ?? '', PORT: String(port) };
  const endpoint = guide.start(program, variables, process.execPath, ['--input-type=module', '-']);
  const lines = createInterface(endpoint.stdout)[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  try {
    const project = await organization.project();
    for (const name of ['DB_HOST', 'OTHER']) {
      const parameter = await organization.parameter({ project, name });
      await organization.value({ parameter, internal_value: 'canary' });
    }
    const first = await next();
    expect(first).toMatch(/^configuration\.changed [0-9a-f-]{36} \[ 'DB_HOST' \]$/);

    const ID = destination.id;
    const rotated = await pasted<DestinationCreated>(guide, 'Replace the secret', { ID });
    expect(rotated.secret).toMatch(/^whsec_/);
    const replay = await pasted<ReplayResult>(guide, 'Send events again', { ID, FROM: '1' });
    expect(replay).toEqual({ messages: 1, events: 1 });
    const secondDelivery = await next();
    expect([secondDelivery.endsWith("[ 'DB_HOST' ]"), secondDelivery === first]).toEqual([true, false]);
  } finally {
    endpoint.kill();
  }
});

it.each([
  ['send-changes-to-teams', 'WORKFLOW_URL', 'AdaptiveCard'],
  ['send-changes-to-discord', 'WEBHOOK_URL', 'embeds'],
])('the destination of the guide %s receives a test message', async (name, variable, content) => {
  const bodies: string[] = [];
  const url = await servers.serve((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.writeHead(204).end();
    });
  });
  const destination = await pasted<DestinationCreated>(open(name), 'Create the destination', {
    [variable]: `${url}/hook`,
  });
  const { body } = await organization.owner.post<Delivery>(`${destination.url}test/`);
  expect(body.status).toBe('delivered');
  expect(bodies.join()).toContain(content);
});

it('the guide on e-mail creates a destination with reminders', async () => {
  const destination = await pasted<DestinationCreated>(open('send-changes-by-email'), 'Create the destination', {});
  expect(destination).toMatchObject({ type: 'email', recipients: ['ops@example.com'], expiry_days: [14, 7, 1] });
  const { body } = await organization.owner.get<Page<DestinationCreated>>('destinations/?type=email');
  expect(body.results.map(({ id }) => id)).toContain(destination.id);
});
