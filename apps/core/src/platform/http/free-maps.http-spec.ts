import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { AWS, AZURE, integration } from '../../testing/integrations.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const UNSTORABLE = { 'the null character': 'a\0b', 'half a surrogate pair': 'a\ud800b' } as const;
type Map = Readonly<Record<string, unknown>>;
type Send = (organization: TestOrganization, map: Map) => Promise<{ status: number; body: unknown }>;

/** Every body with keys that the client chooses, and how it is sent. */
const MAPS: Readonly<Record<string, { readonly field: string; readonly request: Send }>> = {
  'the tags of a new integration': {
    field: 'resource_tags',
    request: ({ owner }, resource_tags) => owner.post('integrations/aws/', { ...AWS, resource_tags }),
  },
  'the tags of a vault': {
    field: 'resource_tags',
    request: async (organization, resource_tags) => {
      const { url } = await integration(organization, 'azure/key_vault', AZURE);
      return organization.owner.patch(url, { resource_tags });
    },
  },
  'the tags of an integration': {
    field: 'resource_tags',
    request: async (organization, resource_tags) => {
      const { url } = await integration(organization, 'aws', AWS);
      return organization.owner.patch(url, { resource_tags });
    },
  },
  'what happens when a parameter expires': {
    field: 'expiration_action',
    request: async (organization, expiration_action) => {
      const { url } = await organization.parameter();
      return organization.owner.patch(url, { expires: 'P1D', expiration_action });
    },
  },
  'new names of children of a copied environment': {
    field: 'child_environment_names',
    request: async (organization, child_environment_names) => {
      const { url } = await organization.environment();
      return organization.owner.post(`${url}copy/`, { name: 'copy', recursive: true, child_environment_names });
    },
  },
};

describe('a map with keys that the client chooses', () => {
  it.each(
    Object.keys(MAPS).flatMap((what) =>
      (Object.keys(UNSTORABLE) as (keyof typeof UNSTORABLE)[]).flatMap((why) =>
        ['key', 'text'].map((where) => ({ what, why, where })),
      ),
    ),
  )(
    'is rejected with 400 if a $where contains $why, and the error names the field ($what)',
    async ({ what, why, where }) => {
      const organization = await core.organization();
      const { field, request } = MAPS[what] as (typeof MAPS)[string];
      const text = UNSTORABLE[why as keyof typeof UNSTORABLE];

      const response = await request(organization, where === 'key' ? { [text]: 'x' } : { x: text });

      expect(response).toMatchObject({ status: 400, body: { [field]: [expect.any(String)] } });
      expect(JSON.stringify(response.body)).not.toContain(JSON.stringify(text).slice(1, -1));
    },
  );

  it('is checked at any depth', async () => {
    const organization = await core.organization();
    const { url } = await organization.parameter();
    for (const inside of ['a\0b', { 'a\0b': 1 }]) {
      const input = { expires: 'P1D', expiration_action: { x: [{ y: [1, inside] }] } };
      expect(await organization.owner.patch(url, input)).toMatchObject({
        status: 400,
        body: { expiration_action: [expect.stringContaining('U+0000')] },
      });
    }
  });
});
