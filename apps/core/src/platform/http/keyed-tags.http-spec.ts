import { hash } from 'node:crypto';
import type { AuditTrail, Page, Parameter, Project, Value } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { waitUntil } from '../../testing/until.ts';

const SECRET = 'hunter2';

let core: RunningCore;
let organization: TestOrganization;
let project: Project;
let token: Parameter;
let value: Value;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
  project = await organization.project({ name: 'shop' });
  token = await organization.parameter({ project, name: 'TOKEN', secret: true });
  value = await organization.value({ parameter: token, internal_value: SECRET });
});

const relativePath = (url: string) => new URL(url).pathname.replace('/api/v1/', '');
const exportPath = (environment: string) => `${project.url}parameter-export/?output=dotenv&environment=${environment}`;

describe('the entity tag of a response that shows a secret', () => {
  it('is not a digest of the response, so that a caller cannot test guesses against it', async () => {
    const { headers, text } = await organization.owner.get('effective/?project=shop&environment=default');
    expect(text).toContain(SECRET);
    for (const algorithm of ['sha1', 'sha256']) {
      for (const encoding of ['base64url', 'hex'] as const) {
        expect(headers.etag).not.toBe(`"${hash(algorithm, text, encoding)}"`);
      }
    }
  });

  it('is the same on every core of an installation', async () => {
    const second = await startSecondCore(core);
    const client = new RawClient(second.origin, organization.ownerAuthorization);
    for (const url of [value.url, exportPath('default'), `${project.url}effective/`, `${project.url}parameters/`]) {
      const { headers } = await organization.owner.get(url);
      const there = await client.get(`/api/v1/${relativePath(url)}${new URL(url).search}`, {
        'if-none-match': headers.etag ?? '',
      });
      expect([url, there.status]).toEqual([url, 304]);
    }
    await second.close();
  });

  it('differs between two objects with the same body, so that a guess stored elsewhere cannot be compared', async () => {
    const environment = await organization.environmentNamed('staging');
    const guess = await organization.value({ parameter: token, internal_value: SECRET, environment });
    const pairs: readonly (readonly [string, string])[] = [
      [exportPath('staging'), exportPath('default')],
      [`${guess.url}?include=value`, `${value.url}?include=value`],
      [
        `${token.url}values/?include=value&environment=staging`,
        `${token.url}values/?include=value&environment=default`,
      ],
    ];
    for (const [ownPath, otherPath] of pairs) {
      const mine = await organization.owner.get(ownPath);
      const theirs = await organization.owner.get(otherPath, { 'if-none-match': mine.headers.etag ?? '' });
      expect([otherPath, theirs.status]).toEqual([otherPath, 200]);
    }
  });

  it('is a valid precondition for a change, even if the read selected only some fields', async () => {
    for (const query of ['', '?include=value']) {
      const { headers } = await organization.owner.get(`${value.url}${query}`);
      const change = (text: string) =>
        organization.owner.patch(`${value.url}${query}`, { internal_value: text }, { 'if-match': headers.etag ?? '' });
      expect((await change(`first${query}`)).status).toBe(200);
      expect((await change(`second${query}`)).status).toBe(412);
    }
  });
});

it('a HEAD request for a response that shows a secret is recorded, because the length reveals something about the secret', async () => {
  const { status, headers } = await fetch(value.url, {
    method: 'HEAD',
    headers: { authorization: organization.ownerAuthorization },
  });
  expect([status, Number(headers.get('content-length')) > 0]).toEqual([200, true]);

  const records = await waitUntil(
    async () => (await organization.owner.get<Page<AuditTrail>>('audit/?action=reveal')).body.results,
    (loggedRecords) => loggedRecords.length > 0,
  );
  expect(records).toMatchObject([{ object_type: 'Value', object_id: value.id }]);
});
