import { openApiDocument } from './openapi.ts';
import { OPERATIONS } from './operations.ts';

const document = openApiDocument({ version: '1.0.0' });
const text = JSON.stringify(document);

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Route>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly responses: object };
}
interface Schema {
  readonly required?: readonly string[];
  readonly 'x-always-present'?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
}
interface Route {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: object; readonly required: boolean };
  readonly responses: Readonly<Record<string, unknown>>;
}

const { paths, components } = document as unknown as Described;

describe('openApiDocument', () => {
  it('describes every operation once', () => {
    const ids = Object.values(paths).flatMap((routes) => Object.values(routes).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.sort()).toEqual(OPERATIONS.map(({ id }) => id).sort());
  });

  it('is the same, byte for byte, each time', () => {
    expect(JSON.stringify(openApiDocument({ version: '1.0.0' }))).toBe(text);
  });

  it('refers only to what it contains', () => {
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [, kind, name] of references) {
      expect(components[kind as keyof typeof components]).toHaveProperty(name ?? '');
    }
    expect(text.match(/"\$ref":"(?!#\/components)/g)).toBeNull();
  });

  it('is valid OpenAPI 3.0, with `nullable` and without keywords of zod', () => {
    expect(text).not.toContain('"type":"null"');
    expect(text).not.toContain('$schema');
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(text).not.toContain('"additionalProperties":false');
  });

  it('requires only mandatory members of a body', () => {
    const required = (name: string) => components.schemas[name]?.required;
    expect(required('EnvironmentCreate')).toEqual(['name']);
    expect(required('PatchedEnvironmentUpdate')).toBeUndefined();
    expect(required('ValueCreate')).toEqual(['environment']);
    expect(required('ServiceAccountCreateRequest')).toEqual(['name']);
    const { Environment } = components.schemas;
    const always = [...(Environment?.required ?? []), ...(Environment?.['x-always-present'] ?? [])];
    expect(always.sort()).toEqual(Object.keys(Environment?.properties ?? {}).sort());
  });

  it('contains limits and defaults', () => {
    expect(components.schemas.ValueCreate?.properties?.internal_value).toEqual({
      type: 'string',
      nullable: true,
      maxLength: 65_536,
      description: 'The text, at most 65536 characters; null is an explicit null.',
    });
    expect(components.schemas.ProjectCreate?.properties?.description).toEqual({
      type: 'string',
      maxLength: expect.any(Number),
      description: 'Description; may be empty. Default: `""`.',
    });
    const list = paths['/api/v1/projects/{project_pk}/parameters/']?.get;
    expect(list?.parameters).toContainEqual(
      expect.objectContaining({ name: 'evaluate', in: 'query', schema: { type: 'boolean', default: true } }),
    );
    expect(list?.parameters).toContainEqual(
      expect.objectContaining({ name: 'page_size', schema: { type: 'integer', default: 500 } }),
    );
  });

  it('accepts bodies as JSON and as both kinds of forms, and nested bodies only as JSON', () => {
    const types = (path: string) => Object.keys(paths[path]?.post?.requestBody?.content ?? {});
    expect(types('/api/v1/environments/')).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ]);
    expect(types('/api/v1/webhooks/')).toEqual(['application/json']);
  });

  it('allows anonymous callers only for the expected operations', () => {
    const open = Object.values(paths)
      .flatMap((routes) => Object.values(routes))
      .filter(({ security }) => security.length === 0);
    expect(open.map(({ operationId }) => operationId)).toEqual([
      'auth_token_create',
      'auth_session_create',
      'auth_exchange_create',
      'invitations_accept_create',
      'invitations_offer_create',
      'features_retrieve',
      'api_schema_retrieve',
    ]);
  });

  it('lists every status that an operation returns', () => {
    expect(Object.keys(paths['/api/v1/environments/{id}/']?.delete?.responses ?? {})).toEqual([
      '204',
      '400',
      '401',
      '403',
      '404',
      '409',
      '412',
      '422',
      '429',
      '503',
    ]);
    expect(Object.keys(paths['/api/v1/environments/']?.post?.responses ?? {})).toEqual([
      '201',
      '400',
      '401',
      '403',
      '413',
      '415',
      '422',
      '429',
      '503',
    ]);
  });

  it('accepts a list of routes and an origin', () => {
    const [first] = OPERATIONS;
    const small = openApiDocument({ version: '1', server: 'https://strata.example', operations: first ? [first] : [] });
    expect(small).toMatchObject({ servers: [{ url: 'https://strata.example' }], tags: [{ name: first?.tag }] });
    expect(Object.keys(small.paths as object)).toEqual([first?.path]);
  });
});
