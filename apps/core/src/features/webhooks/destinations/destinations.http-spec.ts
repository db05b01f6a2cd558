import type { Destination, DestinationCreated, Page } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess } from '../../../testing/core-in-process.ts';
import { query } from '../../../testing/query.ts';

const ADDRESS = 'https://hooks.example.com/services/canary-credential-WXYZ';
const input = { name: 'deploys', type: 'http', event_types: ['value_updated'], address: ADDRESS };
const AS_DATA = { accept: 'application/problem+json' };

let core: CoreInProcess;
let org: TestOrganization;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());
beforeEach(async () => {
  org = await core.organization();
});

const create = async (more = {}) =>
  (await org.owner.post<DestinationCreated>('destinations/', { ...input, ...more })).body;

describe('destinations', () => {
  it('show a new secret once, and their address masked', async () => {
    const { status, headers, body } = await org.as('ADMIN').post<DestinationCreated>('destinations/', input);
    expect([status, headers.location, headers['cache-control']]).toEqual([201, body.url, 'no-store']);
    expect(body).toMatchObject({
      name: 'deploys',
      type: 'http',
      address: 'https://hooks.example.com/*****WXYZ',
      secret: expect.stringMatching(/^whsec_/),
      envelope: 'standard',
      signing: 'hmac',
      expiry_days: [14, 7, 1],
      owner: expect.stringMatching(/\/users\//),
      state: 'active',
    });
    const texts = [(await org.owner.get(body.url)).text, (await org.owner.get('destinations/')).text];
    for (const text of texts) expect(text).not.toMatch(/canary|whsec_/);
    const [row] = await query<{ row: string }>(core, 'select destination::text as row from destination where id = $1', [
      body.id,
    ]);
    expect(row?.row).not.toMatch(/canary|whsec_/);
  });

  it.each([
    ['no event type', { event_types: [] }, 'invalid', '/event_types'],
    ['an unknown event type', { event_types: ['value_read'] }, 'invalid', '/event_types/0'],
    ['no address', { address: undefined }, 'required', '/address'],
    ['no URL', { address: 'hooks' }, 'invalid', '/address'],
    ['another protocol', { address: 'ftp://hooks.example.com/a' }, 'invalid', '/address'],
    ['no encryption', { address: 'http://hooks.example.com/a' }, 'invalid', '/address'],
    ['a password in the URL', { address: 'https://a:b@hooks.example.com/' }, 'invalid', '/address'],
    ['a private address', { address: 'https://10.0.0.1/a' }, 'private_address', '/address'],
    ['a masked address', { address: 'https://hooks.example.com/*****WXYZ' }, 'invalid', '/address'],
    ['a metadata service', { address: 'https://169.254.169.254/a' }, 'private_address', '/address'],
    ['recipients of another type', { recipients: ['a@example.com'] }, 'invalid', '/recipients'],
    ['no mail server', { type: 'email', address: undefined, recipients: ['a@example.com'] }, 'mail_off', '/type'],
    ['a project that does not exist', { projects: [crypto.randomUUID()] }, 'unknown_link', '/projects'],
    ['a lead time of 0 days', { expiry_days: [0] }, 'invalid', '/expiry_days/0'],
  ])('are rejected with %s', async (_, broken, code, pointer) => {
    const { status, body, text } = await org.owner.post('destinations/', { ...input, ...broken }, AS_DATA);
    expect([status, body]).toMatchObject([400, { code, pointer }]);
    expect(text).not.toContain('canary');
  });

  it('are changed without sending their address again', async () => {
    const { url, address, ledger_id: _, ...created } = (await create()) as DestinationCreated & { ledger_id?: string };
    const project = await org.project();
    const { status, body } = await org.owner.patch<Destination>(url, {
      address,
      projects: [project.url],
      name: 'other',
    });
    expect([status, body]).toMatchObject([
      200,
      { name: 'other', address, projects: [project.url], type: created.type },
    ]);
    const before = (await org.owner.get(url)).headers['x-revision'];
    expect((await org.owner.patch(url, { name: 'other' })).headers['x-revision']).toBe(before);
  });

  it('keep a deleted project in their filter, also if a client sends back what it read', async () => {
    const project = await org.project();
    const { url } = await create({ projects: [project.url] });
    await org.owner.delete(project.url);
    const { projects } = (await org.owner.get<Destination>(url)).body;
    expect(projects).toEqual([project.url]);
    const { status, body } = await org.owner.patch<Destination>(url, { projects, name: 'other' });
    expect([status, body]).toMatchObject([200, { projects, name: 'other' }]);
  });

  it('of e-mail can be changed while no mail server is set up', async () => {
    const { url, id } = await create();
    await query(
      core,
      `update destination set type = 'email', sealed_address = null, masked_address = null, recipients = '{a@example.com}',
              envelope = null, signing = null where id = $1`,
      [id],
    );
    expect((await org.owner.patch(url, { name: 'other' })).status).toBe(200);
    expect((await org.owner.patch(url, { recipients: ['b@example.com'] })).headers['x-error-code']).toBe('mail_off');
  });

  it('can be listed by type', async () => {
    await create({ type: 'teams', name: 'teams' });
    await create();
    const { body } = await org.as('VIEWER').get<Page<Destination>>('destinations/?type=teams');
    expect(body.results.map(({ name, secret }: Destination & { secret?: string }) => [name, secret])).toEqual([
      ['teams', undefined],
    ]);
  });

  it('have a secret only if they are signed', async () => {
    const { url, secret } = await create({ type: 'discord' });
    expect(secret).toBeNull();
    const { status, headers } = await org.owner.post(`${url}rotate-secret/`, {});
    expect([status, headers['x-error-code']]).toEqual([409, 'no_secret']);
  });

  it('are limited to fifty per organization', async () => {
    for (let count = 0; count < 50; count += 1) await create({ name: `destination ${count}` });
    const { status, headers } = await org.owner.post('destinations/', input);
    expect([status, headers['x-error-code']]).toEqual([400, 'too_many_destinations']);
  });

  it('require an administrator of the same organization', async () => {
    const { url, id } = await create();
    const actions = ['test/', 'enable/', 'rotate-secret/', `deliveries/${id}/redeliver/`];
    const contributor = org.as('CONTRIB');
    expect((await contributor.post('destinations/', input)).status).toBe(403);
    for (const action of actions) expect((await contributor.post(`${url}${action}`, {})).status).toBe(403);
    expect((await contributor.post(`${url}replay/`, { from_revision: 1 })).status).toBe(403);
    const outsider = (await core.organization()).owner;
    for (const action of actions) expect((await outsider.post(`${url}${action}`, {})).status).toBe(404);
    for (const path of [url, `${url}deliveries/`]) expect((await outsider.get(path)).status).toBe(404);
    expect((await outsider.delete(url)).status).toBe(404);
    expect((await org.owner.delete(url)).status).toBe(204);
    expect((await org.owner.get(url)).status).toBe(404);
  });
});
