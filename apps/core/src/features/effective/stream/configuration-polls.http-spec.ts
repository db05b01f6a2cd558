import type { Effective, Parameter, Project, ServiceAccountCreated } from '@strata/contract';
import { RawClient, type Reply, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { waitUntil } from '../../../testing/until.ts';

let core: RunningCore;
let org: TestOrganization;
let project: Project;
let parameter: Parameter;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  org = await core.organization();
  project = await org.project();
  parameter = await org.parameter({ project });
});

const read = (query = '', headers = {}, client = org.owner) =>
  client.get<Effective>(`${project.url}effective/?environment=default&${query}`, headers);
const revisionIn = ({ headers }: Reply<unknown>) => Number(headers['x-revision']);
const withDigest = ({ body }: Reply<Effective>) => ({ 'if-none-match': `"${body.digest}"` });

describe('the digest as a validator', () => {
  it('returns 304 after writes that do not change the values, with the present revision', async () => {
    await org.value({ parameter });
    const before = await read();
    await org.value();
    const polled = await read('', withDigest(before));

    expect([polled.status, polled.text]).toEqual([304, '']);
    expect(revisionIn(polled)).toBeGreaterThan(before.body.revision);
    expect(polled.headers.etag).toBe((await read()).headers.etag);
  });

  it('returns 304 also when the response is in memory', async () => {
    await org.value({ parameter });
    const { body } = await read();
    await read();

    for (let time = 1; time <= 3; time += 1)
      expect((await read('', { 'if-none-match': `"${body.digest}"` })).status).toBe(304);
    expect((await read('', { 'if-none-match': '"sha256:another"' })).body.digest).toBe(body.digest);
  });

  it('returns the values when they have changed', async () => {
    const before = await read();
    await org.value({ parameter });
    expect((await read('', withDigest(before))).body.values).toEqual({ [parameter.name]: 'a value' });
  });

  it('depends on the requested names and on masking', async () => {
    const secret = await org.parameter({ project, name: 'secret', secret: true });
    await org.value({ parameter: secret });
    const masked = await read('mask_secrets=true&name__in=secret,other');

    expect(masked.body).toMatchObject({ values: { secret: '*****' }, masked: ['secret'] });
    expect((await read('mask_secrets=true&name__in=other,secret', withDigest(masked))).status).toBe(304);
    expect((await read('name__in=secret', withDigest(masked))).status).toBe(200);
  });

  it('of secrets in clear leaves a record in the access log, because it could be guessed', async () => {
    const secret = await org.parameter({ project, secret: true });
    await org.value({ parameter: secret });
    const before = await read();
    const { body } = await org.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'guesser',
      role: 'VIEWER',
    });
    const guesser = new RawClient(core.origin, `Api-Key ${body.apikey}`);
    expect((await read('', withDigest(before), guesser)).status).toBe(304);
    const names = async () =>
      (await org.owner.get<{ results: { user: string }[] }>('audit/?access_log=true&action=reveal')).text;
    await waitUntil(names, (text) => text.includes('guesser'));
  });
});

describe('a long poll', () => {
  it('waits for a change of these values, and is not woken by other writes', async () => {
    await org.value({ parameter });
    const before = await read();
    const waiting = read('wait=30', withDigest(before));
    for (let n = 0; n < 3; n += 1) await org.value();
    const otherParameter = await org.parameter({ project });
    await org.value({ parameter: otherParameter });
    const changeResponse = await waiting;

    expect(changeResponse.status).toBe(200);
    expect(Object.keys(changeResponse.body.values).toSorted()).toEqual(
      [parameter.name, otherParameter.name].toSorted(),
    );
  });

  it('returns 304 with the present revision when the time is over', async () => {
    await org.value({ parameter });
    const before = await read();
    const waiting = read('wait=2', withDigest(before));
    await org.value();
    const polled = await waiting;
    expect(polled.status).toBe(304);
    expect(revisionIn(polled)).toBeGreaterThan(before.body.revision);
  });

  it('accepts the entity tag too, and responds at once without a validator or with an old one', async () => {
    const before = await read();
    await org.value({ parameter });
    for (const headers of [{}, withDigest(before), { 'if-none-match': String(before.headers.etag) }]) {
      expect((await read('wait=30', headers)).status).toBe(200);
    }
    const latest = await read();
    const waiting = read('wait=30', { 'if-none-match': String(latest.headers.etag) });
    await org.value({ parameter: await org.parameter({ project }) });
    expect((await waiting).status).toBe(200);
  });

  it('ends with 403 when the caller loses access, and with 404 when the project is deleted', async () => {
    const before = await read();
    const waiting = read('wait=30', withDigest(before), org.as('VIEWER'));
    await read('', {}, org.as('VIEWER'));
    await org.owner.patch(project.url, { access_controlled: true });
    expect((await waiting).status).toBe(403);
    const deleted = read('wait=30', withDigest(before));
    await org.owner.delete(project.url);
    expect((await deleted).status).toBe(404);
  });

  it.each([
    ['wait=31', 'wait'],
    ['wait=-1', 'wait'],
    ['wait=1&evaluate=false', 'detail'],
    ['wait=1&name__contains=A', 'detail'],
    ['wait=1&revision=1', 'detail'],
  ])('with %s is rejected', async (query, member) => {
    const { status, body } = await read(query);
    expect([status, Object.keys(body)]).toEqual([400, [member]]);
  });
});
