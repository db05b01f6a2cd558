import type { Matrix, Value } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { findCell, matrixShop, statusAndDetail } from '../../testing/matrix-shop.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('the point in time of a matrix', () => {
  it('can be a revision, an instant or a tag of the only environment', async () => {
    const { owner, production, live, path, read } = await matrixShop(core);
    const { headers, body: before } = await owner.get<Matrix>(path);
    await owner.post(`${production.url}tags/`, { name: 'release' });
    const changeResponse = await owner.patch<Value>(live.url, { internal_value: '8443' });
    await owner.delete(live.url);

    expect(findCell(await read(), 'port', 'canary').states).toEqual(['own', 'differs']);
    expect(await read(`?revision=${headers['x-revision']}`)).toEqual(before);
    const then = await read(`?as_of=${changeResponse.body.modified_at}`);
    expect(findCell(then, 'port', 'production').text).toBe('8443');
    expect(findCell(then, 'port', 'canary').states).toEqual(['own', 'differs']);
    const tagged = await read('?environment=production&tag=release');
    expect(tagged.environments).toHaveLength(1);
    expect(findCell(tagged, 'port', 'production')).toEqual(findCell(before, 'port', 'production'));
    expect(statusAndDetail(await owner.get(`${path}?environment=production&environment=default&tag=release`))).toEqual([
      400,
      'A tag belongs to one environment, so exactly one environment is required.',
    ]);
    expect((await owner.get(`${path}?as_of=2000-01-01`)).status).toBe(404);
  });
});

describe('a matrix of which the client has a current copy', () => {
  it('returns 304 until the result changes, and is never older than the last write', async () => {
    const { organization, owner, live, path } = await matrixShop(core);
    const first = await owner.get<Matrix>(path);
    const repeat = () => owner.get<Matrix>(path, { 'if-none-match': first.headers.etag ?? '' });
    expect([(await repeat()).status, (await repeat()).text]).toEqual([304, '']);
    await organization.value();
    expect((await repeat()).status).toBe(304);

    for (const text of ['1', '2']) {
      await owner.patch(live.url, { internal_value: text });
      const { status, body } = await repeat();
      expect([status, findCell(body, 'port', 'production').text]).toEqual([200, text]);
    }
  });
});

describe('an invalid matrix request', () => {
  it('is rejected with a specific error', async () => {
    const { organization, owner, project, path } = await matrixShop(core);

    expect(statusAndDetail(await owner.get(`${path}?environment=nowhere`))).toEqual([
      404,
      'No Environment matches the given query.',
    ]);
    expect(statusAndDetail(await owner.get(`${path}?environment=production&environment=nix`))).toEqual([
      404,
      'No Environment matches the given query: nix.',
    ]);
    expect(statusAndDetail(await owner.get(`${path}?environment=production&environment=nix&as_of=2999-01-01`))).toEqual(
      [404, expect.stringMatching(/: nix\.$/)],
    );
    expect(await owner.get(`${path}?state=own,odd`)).toMatchObject({
      status: 400,
      body: { state: [expect.stringContaining('Choose from: own, inherited')] },
    });
    const many = Array.from({ length: 201 }, () => 'environment=default').join('&');
    expect(await owner.get(`${path}?${many}`)).toMatchObject({
      status: 400,
      body: { environment: ['Give this at most 200 times.'] },
    });
    expect(await owner.get(`${path}?environment=%00`)).toMatchObject({
      status: 400,
      body: { environment: [expect.any(String)] },
    });
    expect((await owner.get(`${path}?page=9`)).status).toBe(404);
    const outsider = (await core.organization()).owner;
    expect((await outsider.get(path)).status).toBe(404);
    expect((await outsider.get(`${path}?environment=production`)).status).toBe(404);
    expect((await new RawClient(core.origin, null).get(path)).status).toBe(401);
    expect((await organization.as('VIEWER').get(`${project.url}matrix/`)).status).toBe(200);
  });
});
