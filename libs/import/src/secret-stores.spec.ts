import type { SourceFormat } from './file-formats.ts';
import { createSource, loadStructured, splitParts } from './import-sources.ts';

const ENVIRONMENTS = ['default', 'production'];

const RESPONSE = {
  request_id: '0d5a',
  lease_id: '',
  lease_duration: 0,
  renewable: false,
  warnings: null,
};
const METADATA = { created_time: '2026-11-01T00:00:00Z', custom_metadata: null, deletion_time: '', destroyed: false };
const version1 = (data: object) => ({ ...RESPONSE, lease_duration: 2_764_800, data });
const version2 = (data: object | null) => ({ ...RESPONSE, data: { data, metadata: { ...METADATA, version: 3 } } });
const indented = (body: unknown) => JSON.stringify(body, null, 2);

/** Returns the values of a text, and what is wrong with it. */
async function read(text: string, format?: SourceFormat) {
  const detected = createSource({ name: 'export.json', text }, ENVIRONMENTS);
  const source = { ...detected, format: format ?? detected.format };
  const structured = await loadStructured();
  const parts = splitParts([source], { separator: '_', environments: ENVIRONMENTS, structured });
  return {
    format: source.format,
    values: Object.fromEntries(
      parts.flatMap(({ preview }) => preview.importable.map(({ name, text }) => [name, text])),
    ),
    isSecret: parts.flatMap(({ preview }) => preview.lines).every(({ looks }) => looks === 'secret_store'),
    problems: parts.flatMap(({ preview }) => preview.problems.map(({ line, message }) => `${line}: ${message}`)),
    environments: parts.map(({ environment }) => environment),
  };
}

const VALUES = { PORT: '8080', PASSWORD: 'hunter2' };

describe('an export of a secret store', () => {
  it.each([
    ['Vault', 'KV version 2', indented(version2({ PORT: 8080, PASSWORD: 'hunter2' }))],
    ['Vault', 'KV version 1', indented(version1(VALUES))],
    [
      'Vault',
      'several responses in one file',
      [version2({ PORT: '8080' }), version1({ PASSWORD: 'hunter2' })].map(indented).join('\n'),
    ],
    ['Vault', 'a list of responses', indented([version2({ PORT: '8080' }), version2({ PASSWORD: 'hunter2' })])],
    [
      'Doppler',
      'download',
      JSON.stringify({ DOPPLER_CONFIG: 'prd', DOPPLER_ENVIRONMENT: 'prd', DOPPLER_PROJECT: 'shop', ...VALUES }),
    ],
    ['Doppler', 'dotenv', 'DOPPLER_CONFIG="prd"\nDOPPLER_PROJECT="shop"\nPORT="8080"\nPASSWORD="hunter2"\n'],
    [
      'Infisical',
      'a list',
      JSON.stringify(
        Object.entries(VALUES).map(([key, value]) => ({
          key,
          workspace: 'w',
          value,
          type: 'shared',
          _id: '1',
          tags: [],
        })),
      ),
    ],
  ])('is recognized, and everything in it is secret: %s, %s', async (format, _, text) => {
    expect(await read(text)).toMatchObject({ format, values: VALUES, isSecret: true, problems: [] });
  });

  it.each([
    [
      'Doppler',
      JSON.stringify({
        PORT: { computed: '8080', raw: 'P', note: '' },
        PASSWORD: { computed: 'hunter2', raw: 'hunter2' },
      }),
    ],
    [
      'Doppler',
      JSON.stringify({
        success: true,
        secrets: { PORT: { raw: '8080', computed: '8080' }, PASSWORD: { raw: 'hunter2', computed: 'hunter2' } },
      }),
    ],
    ['Infisical', 'PORT: "8080"\nPASSWORD: hunter2\n'],
    ['Infisical', "PORT='8080'\nexport PASSWORD='hunter2'\n"],
  ] as const)('can be read as one of %s: %s', async (format, text) => {
    expect(await read(text, format)).toMatchObject({ values: VALUES, isSecret: true, problems: [] });
  });

  it('is read by environment if its top-level keys are environments', async () => {
    const result = await read('{ "production": { "db": { "password": "hunter2" } } }', 'Vault');
    expect(result).toMatchObject({ values: { db_password: 'hunter2' }, isSecret: true, environments: ['production'] });
  });

  it.each([
    ['without most of the metadata', { ...RESPONSE, data: { data: VALUES, metadata: { version: 3 } } }],
    ['without metadata', { ...RESPONSE, data: { data: VALUES, metadata: {} } }],
    ['only the inner object', { data: VALUES, metadata: { version: 3 } }],
    ['only the outer data', { data: { data: VALUES, metadata: METADATA } }],
  ])('of Vault is read if it is shortened: %s', async (_, body) => {
    expect(await read(indented(body), 'Vault')).toMatchObject({ values: VALUES, problems: [] });
  });

  it('of Consul is decoded, and its folders are skipped', async () => {
    const entry = (key: string, value: string) => ({ key, flags: 0, value: Buffer.from(value).toString('base64') });
    const result = await read(
      JSON.stringify([entry('shop/', ''), entry('shop/port', '5432'), entry('name', 'caf\u00e9')]),
    );
    expect(result).toMatchObject({
      format: 'Consul',
      values: { shop_port: '5432', name: 'caf\u00e9' },
      isSecret: false,
    });
    const binary = await read('[{"key":"a","flags":0,"value":"/w=="}]');
    expect(binary).toMatchObject({ values: {}, problems: [expect.stringMatching(/^1: The value of a is not text/)] });
  });

  it.each([
    ['sops', 'a: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]\nsops:\n  mac: m\n'],
    ['sops', '{"a": "ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]", "sops": {}}'],
    ['dotenvx', `DOTENV_PUBLIC_KEY="03"\nA="encrypted:${'B'.repeat(120)}"\n`],
    ['Ansible Vault', '$ANSIBLE_VAULT;1.1;AES256\n3132\n'],
    ['Ansible Vault', 'a: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  3132\n'],
    ['age', '-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n'],
    ['Kubernetes', 'apiVersion: v1\nkind: Secret\ndata:\n  A: aHVudGVyMg==\n'],
    ['Kubernetes', '{"apiVersion": "v1", "kind": "ConfigMap", "data": {"A": "1"}}'],
    ['AWS Secrets Manager', '{"ARN": "arn", "Name": "n", "SecretString": "{}"}'],
    ['AWS Systems Manager', '{"Parameters": [{"Name": "n", "Type": "String", "Value": "v"}]}'],
  ])('that is encrypted or of another program is rejected by its name: %s', async (program, text) => {
    expect(await read(text)).toMatchObject({ values: {}, problems: [expect.stringContaining(program)] });
  });

  it('is not recognized from a list of keys and values alone, or from names in a comment', async () => {
    expect(await read('[{"key": "A", "value": "1"}]')).toMatchObject({ format: 'JSON', values: {} });
    const commented = '{"A": "DOPPLER_PROJECT and DOPPLER_CONFIG"}';
    expect(await read(commented)).toMatchObject({
      format: 'JSON',
      values: { A: 'DOPPLER_PROJECT and DOPPLER_CONFIG' },
    });
  });

  it('distinguishes a secret of version 1 with the names data and metadata from version 2', async () => {
    const result = await read(indented(version1({ data: 'a', metadata: 'b' })));
    expect(result).toMatchObject({ values: { data: 'a', metadata: 'b' }, problems: [] });
  });

  it('reports names without a value, repeated names and personal overrides, and imports none of them', async () => {
    expect(await read(JSON.stringify({ A: { computed: null, raw: null } }), 'Doppler')).toMatchObject({
      ...{
        values: {},
        problems: ['1: The export has no value of A. Export it with a credential that may read the value.'],
      },
    });
    expect(await read([version2({ A: '1' }), version2({ A: 'hunter2' })].map(indented).join('\n'))).toMatchObject({
      problems: [expect.stringContaining('several values of A')],
    });
    expect(await read('[{ "key": "A", "value": "hunter2", "type": "personal" }]')).toMatchObject({
      ...{ values: {}, problems: ['1: A is a personal override. Export again with --secret-overriding=false.'] },
    });
  });

  it('reports responses of Vault without a secret, and imports nothing of them', async () => {
    const responses = [version2({ A: '1' }), version2(null), { ...RESPONSE, data: null }];
    expect(await read(responses.map((response) => JSON.stringify(response)).join('\n'))).toMatchObject({
      values: { A: '1' },
      problems: [
        expect.stringMatching(/^2: The latest version of this secret was deleted\./),
        expect.stringMatching(/^3: This response of Vault contains no secret\./),
      ],
    });
  });

  it('counts the lines of the file, and never quotes a value', async () => {
    const text = `${indented(version2({ A: '1' }))}\n{ "data": hunter2`;
    const { problems } = await read(text, 'Vault');
    expect(problems).toEqual([expect.stringMatching(/^\d\d: From here on this is not valid JSON\.$/)]);
  });
});
