import { openApiDocument } from './openapi.ts';

/**
 * Finds constructs that client generators cannot handle. Go is the strictest: it has neither unions nor default values.
 */
type Node = { readonly [key: string]: unknown };
interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Node[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Node }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Node>> };
}

const document = openApiDocument({ version: '1.0.0' }) as unknown as Document;
const { schemas } = document.components;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns every object of the document with its path. */
function nodes(value: unknown, at = ''): { readonly at: string; readonly node: Node }[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => nodes(item, `${at}/${index}`));
  if (!isNode(value)) return [];
  return [{ at, node: value }, ...Object.entries(value).flatMap(([key, item]) => nodes(item, `${at}/${key}`))];
}
const everything = nodes(document);
const where = (holds: (node: Node) => boolean) => everything.filter(({ node }) => holds(node)).map(({ at }) => at);

/** Returns the key under which names collide in generated Go code: `import_create` and `ImportCreate` give `importcreate`. */
const spelled = (name: string) => name.replace(/[^\p{Letter}\p{Number}]/gu, '').toLowerCase();

/**
 * Returns the JSON types that a schema accepts, or those that one of its members accepts. Clients distinguish schemas by them.
 */
function describeKind(schema: Node, member?: string): string {
  const { $ref, items, properties, additionalProperties, type } = schema;
  if (typeof $ref === 'string') return describeKind(schemas[$ref.replace('#/components/schemas/', '')] ?? {}, member);
  if (member === undefined) return type === 'array' ? `array of ${describeKind(items as Node)}` : String(type);
  const shape = isNode(properties) ? properties[member] : additionalProperties;
  return isNode(shape) ? describeKind(shape) : 'none';
}

describe('the description as the input of client generators', () => {
  it('has no member with a default, which generators for TypeScript treat as required', () => {
    const members = everything.filter(({ at }) => /^\/components\/schemas\/.*\/properties\/[^/]+$/.test(at));
    expect(members.length).toBeGreaterThan(500);
    expect(members.filter(({ node }) => 'default' in node).map(({ at }) => at)).toEqual([]);
  });

  it('offers several media types only if a request has optional members, which generators for Python need', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const several = operations.filter(({ requestBody }) => Object.keys(requestBody?.content ?? {}).length > 1);
    expect(several.length).toBeGreaterThan(20);
    const isOptional = ({ required, $ref }: Node) => required !== true || $ref !== undefined;
    const hasOptionalMember = (body: Node = {}) => {
      const { properties = {}, required = [] } = schemas[String(body.$ref).replace('#/components/schemas/', '')] ?? {};
      return Object.keys(properties as Node).length > (required as string[]).length;
    };
    const broken = several.filter(
      ({ parameters = [], requestBody }) =>
        !parameters.some(isOptional) && !hasOptionalMember(requestBody?.content['application/json']?.schema),
    );
    expect(broken.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('names each union, and uses `oneOf` of named shapes, never `anyOf`', () => {
    expect(where((node) => 'anyOf' in node)).toEqual([]);
    const unions = everything.filter(({ node }) => 'oneOf' in node);
    expect(unions.map(({ at }) => at)).toEqual([
      '/components/schemas/RefusedEvaluation',
      '/components/schemas/RefusedRequest',
    ]);
    for (const { node } of unions) {
      for (const shape of node.oneOf as Node[]) expect(Object.keys(shape)).toEqual(['$ref']);
    }
  });

  it('has unions whose shapes differ in the kind of JSON of the whole or of `detail`', () => {
    for (const name of ['RefusedRequest', 'RefusedEvaluation']) {
      const shapes = schemas[name]?.oneOf as Node[];
      const kinds = shapes.map((shape) => `${describeKind(shape)}, ${describeKind(shape, 'detail')}`);
      expect(new Set(kinds).size).toBe(shapes.length);
    }
  });

  it('uses `allOf` with one shape only', () => {
    expect(where((node) => Array.isArray(node.allOf) && node.allOf.length !== 1)).toEqual([]);
  });

  it('has a name for every object with members', () => {
    const nameless = everything.filter(
      ({ at, node }) => isNode(node.properties) && node.type === 'object' && !/^\/components\/schemas\/\w+$/.test(at),
    );
    expect(nameless.map(({ at }) => at)).toEqual([]);
  });

  it('lists each required or always-present member once, and only existing members', () => {
    for (const [name, schema] of Object.entries(schemas)) {
      const members = Object.keys((schema.properties as Node | undefined) ?? {});
      const named = [...((schema.required as string[]) ?? []), ...((schema['x-always-present'] as string[]) ?? [])];
      expect([name, named.filter((member) => !members.includes(member))]).toEqual([name, []]);
      expect([name, new Set(named).size]).toEqual([name, named.length]);
    }
  });

  it('has names of operations and shapes that stay distinct in generated code', () => {
    const operations = Object.values(document.paths).flatMap((routes) =>
      Object.values(routes).map(({ operationId }) => spelled(operationId)),
    );
    const shapes = Object.entries(schemas).map(([name, schema]) => spelled((schema['x-go-name'] as string) ?? name));
    // Generators often name the response `<Operation>Response` and the query `<Operation>Params`, so these names must
    // be free.
    const generatedNames = operations.flatMap((id) => [`${id}response`, `${id}params`]);
    const all = [...operations, ...shapes, ...generatedNames];
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  });
});
