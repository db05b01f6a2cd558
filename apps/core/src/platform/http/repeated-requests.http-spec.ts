import type { AuditTrail, Effective, Explanation, Page, Project } from '@strata/contract';
import { type Reply, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { request } from 'undici';
import { controlledProject, createGrant, createMember } from '../../testing/members.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
let organization: TestOrganization;
let project: Project;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
  project = await organization.project({ name: 'shop' });
});

/** The first request is answered by its handler, the second one by the stage of stored responses, and the others before Fastify runs. */
const TIMES = 4;

async function repeated<Result>(send: () => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let time = 1; time <= TIMES; time += 1) results.push(await send());
  return results;
}

/** Adds parameters with values, as many as make a response worth compressing. */
async function configured(): Promise<string> {
  const values = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`NAME_${index}`, `a välue ${index}`]));
  await organization.owner.put(`${project.url}values/?environment=default`, { values, create_missing: true });
  return `${project.url}effective/?environment=default`;
}

type Sent = Readonly<Record<string, string>>;

async function ask(url: string, headers: Sent = {}, method: 'GET' | 'HEAD' = 'GET') {
  const sent = { authorization: organization.ownerAuthorization, ...headers };
  const reply = await request(new URL(url, core.origin), { method, headers: sent });
  const { date, 'x-request-id': id, ...head } = reply.headers;
  return { id, shown: [reply.statusCode, head, Buffer.from(await reply.body.arrayBuffer()).toString('base64')] };
}

describe('a repeated request', () => {
  it('gets the same head and the same body each time, and an id of its own', async () => {
    const url = await configured();
    const { headers } = await organization.owner.get(url);
    const forms: readonly Sent[] = [
      ...[{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'br' }, { host: 'other.example' }],
      ...[{ 'if-none-match': headers.etag ?? '' }, { 'if-none-match': '"another"' }, { accept: 'text/html' }],
    ];
    const firstOfForm = new Map<Sent, unknown>();
    for (const form of forms) {
      const replies = await repeated(() => ask(url, form));
      expect(new Set(replies.map(({ id }) => id)).size).toBe(TIMES);
      for (const { shown } of replies) expect(shown).toEqual(replies[0]?.shown);
      firstOfForm.set(form, replies[0]?.shown);
    }
    // In another order, each form still gets its own response.
    for (const form of forms.toReversed()) expect((await ask(url, form)).shown).toEqual(firstOfForm.get(form));
    const [status, , body] = (await ask(url, {}, 'HEAD')).shown;
    expect([status, body]).toEqual([200, '']);
  });

  it('sees each write at once', async () => {
    const parameter = await organization.parameter({ project, name: 'HOST' });
    const value = await organization.value({ parameter, internal_value: 'first' });
    const read = async () =>
      (await organization.owner.get<Effective>(`${project.url}effective/?environment=default`)).body.values.HOST;
    expect(new Set(await repeated(read))).toEqual(new Set(['first']));
    for (const text of ['second', 'third']) {
      await organization.owner.patch(value.url, { internal_value: text });
      expect(new Set(await repeated(read))).toEqual(new Set([text]));
    }
  });

  it('is rejected once the credential is revoked, or the account has lost its access', async () => {
    const controlled = await controlledProject(organization);
    const { url, client } = await createMember(core, organization);
    const access = await createGrant(organization, url, controlled.url, 'VIEWER');
    const read = async () => (await client.get(`${controlled.url}effective/`)).status;
    expect(await repeated(read)).toEqual([200, 200, 200, 200]);
    await organization.owner.delete((access.body as unknown as { url: string }).url);
    expect(await repeated(read)).toEqual([403, 403, 403, 403]);

    const readOpen = async () => (await client.get(`${project.url}effective/`)).status;
    expect(await repeated(readOpen)).toEqual([200, 200, 200, 200]);
    const accounts = await organization.owner.get<Page<{ id: string }>>('serviceaccounts/?name=member');
    expect((await organization.owner.delete(`serviceaccounts/${accounts.body.results[0]?.id}/`)).status).toBe(204);
    expect(await readOpen()).toBe(403);
  });

  it('counts as a read of the account that sends it, also if another one sent it before', async () => {
    const url = await configured();
    // A new member moves the head, after which no earlier response is sent.
    const { client } = await createMember(core, organization, 'OWNER');
    // The core recognizes a credential that it has just looked up.
    await client.get('environments/');
    await repeated(() => organization.owner.get(url));
    await client.get(url);
    const explained = await waitUntil(
      async () => (await organization.owner.get<Page<Explanation>>(`${project.url}explain/?name=NAME_1`)).body.results,
      ([explanation]) => explanation?.last_read_at !== null,
    );
    expect(explained[0]?.last_read_at).toEqual(expect.any(String));
  });
});

describe('a repeated request for a secret', () => {
  it('gets the same text each time, and is recorded for each account', async () => {
    const parameter = await organization.parameter({ project, name: 'TOKEN', secret: true });
    await organization.value({ parameter, internal_value: `hunter2 ${'x'.repeat(2_000)}` });
    const url = `${project.url}effective/?environment=default`;
    const programs = [await createMember(core, organization, 'OWNER'), await createMember(core, organization, 'OWNER')];
    const clients = [organization.owner, ...programs.map(({ client }) => client)];
    // The core recognizes a credential that it has just looked up.
    for (const client of clients) await client.get('environments/');
    const replies: Reply<Effective>[] = [];
    for (const client of clients)
      replies.push(...(await repeated(() => client.get<Effective>(url, { 'accept-encoding': 'gzip' }))));
    for (const reply of replies) {
      expect(reply.text).toBe(replies[0]?.text);
      expect(reply.body.values.TOKEN).toMatch(/^hunter2 x/);
      expect(reply.headers).toMatchObject({ 'cache-control': 'private, no-store', etag: replies[0]?.headers.etag });
      expect(reply.headers['content-encoding']).toBeUndefined();
    }
    const recorded = await waitUntil(
      async () =>
        (await organization.owner.get<Page<AuditTrail>>(`audit/?action=reveal&project_id=${project.id}`)).body.results,
      (records) => new Set(records.map(({ user }) => user.id)).size >= clients.length,
    );
    expect(new Set(recorded.map(({ user }) => user.id)).size).toBe(clients.length);
  });

  it('shows the next secret after a write, and none to an account that may not reveal secrets', async () => {
    const parameter = await organization.parameter({ project, name: 'TOKEN', secret: true });
    const value = await organization.value({ parameter, internal_value: 'first' });
    const url = `${project.url}effective/?environment=default`;
    const { client } = await createMember(core, organization, 'VIEWER');
    const read = async () => (await client.get<Effective>(url)).body.values?.TOKEN;
    expect(new Set(await repeated(read))).toEqual(new Set(['first']));
    await organization.owner.patch(value.url, { internal_value: 'second' });
    expect(new Set(await repeated(read))).toEqual(new Set(['second']));
    const { results } = (await organization.owner.get<Page<{ url: string; role: string }>>('memberships/?role=VIEWER'))
      .body;
    await organization.owner.patch(results[0]?.url ?? '', { reveals_secrets: false });
    expect((await client.get(url)).status).toBe(403);
  });
});
