import { once } from 'node:events';
import net from 'node:net';
import { type Headers, RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
  organization = await core.organization();
});

const post = (body: unknown, headers: Headers = {}) => organization.owner.post('environments/', body, headers);
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a request body', () => {
  it('may be JSON, a form or a multipart form', async () => {
    const multipart = new FormData();
    multipart.append('name', 'multipart');
    multipart.append('description', 'with ü');

    expect(await post({ name: 'json' })).toMatchObject({ status: 201, body: { name: 'json' } });
    expect(await post(new URLSearchParams({ name: 'form', description: 'with ü' }))).toMatchObject({
      status: 201,
      body: { name: 'form', description: 'with ü' },
    });
    expect(await post(multipart)).toMatchObject({
      status: 201,
      body: { name: 'multipart', description: 'with ü' },
    });
  });

  it('may declare that its JSON is UTF-8', async () => {
    expect((await post('{"name":"utf-8"}', { 'content-type': 'application/json; charset=UTF-8' })).status).toBe(201);
  });

  it.each([
    ['a single bracket', '{'],
    ['a trailing comma', '{"name":"x",}'],
    ['single quotes', "{'name':'x'}"],
    ['two objects', '{"name":"x"}{"name":"y"}'],
    ['a comment', '{"name":"x"} // y'],
    ['NaN', '{"name":NaN}'],
    ['a raw line break in a text', '{"name":"a\nb"}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['the bytes of a lone surrogate', Buffer.from('7b226e616d65223a22eda080227d', 'hex')],
    ['33 levels of nesting', nested(33)],
    ['100,000 levels of nesting', nested(100_000)],
    ['100,000 levels of objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['100,000 levels without closing brackets', '['.repeat(100_000)],
    ['__proto__', '{"name":"x","__proto__":{"role":"OWNER"}}'],
    ['an escaped __proto__', '{"name":"x","__pr\\u006fto__":{"role":"OWNER"}}'],
    ['a nested __proto__', '{"name":"x","more":{"__proto__":1}}'],
    ['constructor', '{"name":"x","constructor":{"prototype":{"x":1}}}'],
  ])('is rejected with %s', async (_, body) => {
    const response = await post(body);

    expect(response).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
    expect(response.headers['x-error-code']).toBe('malformed_body');
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'name=caf\xe9'],
    ['a form with escapes', 'application/x-www-form-urlencoded', 'name=caf%E9'],
    [
      'a multipart form',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\ncaf\xe9\r\n--x--\r\n',
    ],
  ])('is rejected with bytes that are not UTF-8: %s', async (_, type, text) => {
    const response = await post(Buffer.from(text, 'latin1'), { 'content-type': type });

    expect(response).toMatchObject({ status: 400, body: { detail: expect.stringContaining('not valid UTF-8') } });
    expect(response.headers['x-error-code']).toBe('malformed_body');
  });

  it.each([
    ['a list', '[]'],
    ['a text', '"name"'],
    ['a number', '1'],
    ['true', 'true'],
  ])('is rejected when it is %s', async (_, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { non_field_errors: [expect.any(String)] } });
  });

  it.each([
    ['a null character', '{"name":"a\\u0000b"}'],
    ['a lone high surrogate', '{"name":"a\\ud800b"}'],
    ['a lone low surrogate', '{"name":"a\\udc00b"}'],
    ['surrogates in the wrong order', '{"name":"\\udc00\\ud800"}'],
    ['an object', '{"name":{}}'],
    ['a list', '{"name":["x"]}'],
    ['null', '{"name":null}'],
    ['a number', '{"name":1}'],
    ['blanks', '{"name":"   "}'],
    ['257 characters', JSON.stringify({ name: 'ü'.repeat(257) })],
  ])('is rejected if a name in it is, or contains, %s', async (_, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { name: [expect.any(String)] } });
  });

  it.each([
    ['a form', new URLSearchParams({ name: 'a\u0000b' })],
    ['a form with a prototype', new URLSearchParams({ __proto__: 'x', constructor: 'y' })],
  ])('is rejected if it is %s with an invalid field', async (_, body) => {
    expect((await post(body)).status).toBe(400);
  });

  it('may have a hundred unknown fields', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`unknown_${n}`, { n }]));

    expect((await post({ ...unknown, name: 'known', url: '', id: '', created_at: 7 })).status).toBe(201);
  });

  it.each([
    ['JSON', () => JSON.stringify({ name: 'x', description: 'x'.repeat(2_000_000) })],
    ['a form', () => new URLSearchParams({ name: 'x', description: 'x'.repeat(2_000_000) })],
    ['a multipart form', () => form('description', 'x'.repeat(2_000_000))],
  ])('is rejected if it has two megabytes: %s', async (_, body) => {
    const response = await post(body());

    expect(response).toMatchObject({ status: 413, body: { detail: expect.any(String) } });
    expect(response.headers['x-error-code']).toBe('body_too_large');
  });

  it.each([
    ['application/json', 413],
    ['text/plain', 415],
  ])('of %s is rejected with a response that a client can read, which sends all of it first', async (type, status) => {
    const { hostname, port, host } = new URL(core.origin);
    const socket = net.connect(Number(port), hostname);
    const head = (method: string, more = '') =>
      `${method} /api/v1/environments/ HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;
    let text = '';
    socket.pause().on('data', (data) => {
      text += String(data);
    });

    socket.write(head('POST', `Content-Type: ${type}\r\nContent-Length: 6000000\r\n`));
    for (let part = 0; part < 60; part += 1) await new Promise((resolve) => socket.write('x'.repeat(100_000), resolve));
    socket.end(head('GET', 'Connection: close\r\n'));
    socket.resume();
    await once(socket, 'close');

    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, 'HTTP/1.1 401']);
  });

  it.each([
    'text/plain',
    'text/html',
    'application/xml',
    'application/octet-stream',
    'application/jsonp',
    'application/vnd.api+json',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'json',
    'application/',
    'image/svg+xml',
  ])('is rejected if its media type is %s', async (type) => {
    const response = await post('{"name":"media"}', { 'content-type': type });

    expect(response).toMatchObject({ status: 415, body: { detail: expect.any(String) } });
    expect(response.headers['x-error-code']).toBe('unsupported_media_type');
  });

  it.each([
    ['no boundary', 'multipart/form-data', '--x\r\n'],
    [
      'another boundary',
      'multipart/form-data; boundary=y',
      '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nn\r\n--x--',
    ],
    ['no end', 'multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nn'],
  ])('is rejected if it is a multipart form with %s', async (_, type, text) => {
    expect(await post(text, { 'content-type': type })).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'malformed_body' },
    });
  });

  it('is rejected if it contains a file', async () => {
    const files = new FormData();
    files.append('name', new Blob(['name']), 'name.txt');

    expect(await post(files)).toMatchObject({ status: 400, body: { name: ['Not a valid string.'] } });
  });

  it('may declare any media type if it is empty', async () => {
    const { owner } = organization;
    const { url } = await organization.project();
    for (const type of ['text/plain', 'application/octet-stream', 'multipart/form-data', 'application/json']) {
      expect(await owner.post('utils/generate_password/?length=8', '', { 'content-type': type })).toMatchObject({
        status: 201,
      });
    }
    expect((await owner.delete(url, '', { 'content-type': 'text/plain' })).status).toBe(204);
  });

  it('counts as empty if it is missing', async () => {
    expect(await post(undefined)).toMatchObject({ status: 400, body: { name: ['This field is required.'] } });
    expect(await post('')).toMatchObject({ status: 400, body: { name: ['This field is required.'] } });
  });

  it('is not parsed without a credential: the response is 401 without further detail', async () => {
    const anonymous = new RawClient(core.origin, null);

    expect((await anonymous.post('environments/', { name: 'x' })).status).toBe(401);
    expect((await anonymous.post('environments/', { wrong: true })).status).toBe(401);
  });
});

describe('long bodies', () => {
  it('of one organization do not make another organization wait for all of them', async () => {
    const otherOrganization = await core.organization();
    // The service knows both credentials when the bodies arrive.
    await Promise.all([organization.owner.get('environments/'), otherOrganization.owner.get('environments/')]);
    const senders = [...Array.from({ length: 12 }, () => organization), otherOrganization];
    const finishing = await Promise.all(senders.map(almostSent));
    const answered: TestOrganization[] = [];

    await Promise.all(
      finishing.map((finish, index) => finish().then(() => answered.push(senders[index] as TestOrganization))),
    );

    expect(answered).toHaveLength(senders.length);
    expect(answered.indexOf(otherOrganization)).toBeLessThan(senders.length / 2);
  });
});

/** Sends a long body except its last byte. The result sends it, and resolves when the response arrives. */
async function almostSent({ ownerAuthorization }: TestOrganization): Promise<() => Promise<void>> {
  const { hostname, port, pathname } = new URL('/api/v1/environments/', core.origin);
  const body = JSON.stringify({ name: 'x'.repeat(100_000) });
  const lines = [`POST ${pathname} HTTP/1.1`, `Host: ${hostname}`, `Authorization: ${ownerAuthorization}`];
  const head = [...lines, 'Content-Type: application/json', `Content-Length: ${body.length}`].join('\r\n');
  const socket = net.connect(Number(port), hostname);
  await new Promise((resolve) => socket.write(`${head}\r\n\r\n${body.slice(0, -1)}`, resolve));
  return async () => {
    socket.write(body.slice(-1));
    const [response] = await once(socket, 'data');
    socket.destroy();
    expect(String(response)).toContain('HTTP/1.1 400');
  };
}

describe('a query', () => {
  it.each([
    '?name=%00',
    '?name=%ED%A0%80',
    '?name=%FF',
    '?name=%',
    '?name=%zz',
    '?page_size=1e9',
    '?page_size=0',
    '?page_size=-1',
    '?ordering=__proto__,constructor',
    '?__proto__=1&constructor=2',
    '?name[]=x&name[$ne]=y',
    `?name=${'x'.repeat(4_000)}`,
    '?ordering=name;drop table environment',
    "?name=' or 1=1 --",
    '?description__icontains=%25_%5C',
  ])('%s never causes a server error', async (query) => {
    expect([200, 400]).toContain((await organization.owner.get(`environments/${query}`)).status);
  });

  it.each(['?page=0', '?page=-1', '?page=abc', '?page=1e9', '?page=2', '?page=99999999999999999999'])(
    '%s with a page that does not exist returns 404',
    async (query) => {
      expect(await organization.owner.get(`environments/${query}`)).toMatchObject({
        status: 404,
        body: { detail: 'Invalid page.' },
      });
    },
  );
});

function form(field: string, value: string): FormData {
  const formData = new FormData();
  formData.append('name', 'x');
  formData.append(field, value);
  return formData;
}
