import { readFileSync } from 'node:fs';
import { OPERATIONS, openApiDocument } from '@strata/contract';
import { Ajv } from 'ajv';
import { toJsonSchema } from './contract.ts';
import { contractDocument } from './contract-document.ts';

interface Route {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Schema {
  readonly properties?: Readonly<Record<string, { readonly readOnly?: boolean }>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Route>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const contract = JSON.parse(readFileSync(new URL('../contract/v1.json', import.meta.url), 'utf8')) as Document;
const withAdditions = contractDocument();
const ours = openApiDocument({ version: '1.0.0' }) as unknown as Document;

const listRoutes = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, routes]) =>
    Object.entries(routes).map(([method, route]) => ({ key: `${method} ${path}`, route })),
  );
const theirs = new Map(listRoutes(contract).map(({ key, route }) => [key, route]));
const shared = listRoutes(ours).flatMap(({ key, route }) => {
  const counterpart = theirs.get(key);
  return counterpart ? [{ key, route, counterpart }] : [];
});

/** The request and response schemas with the same name in both documents. */
const names = Object.keys(ours.components.schemas).filter((name) => name in contract.components.schemas);

const isRequest = (name: string) => /Create$|Update$|^Patched|Request$/.test(name);

/** The contract uses these read schemas for writes, too; our description has separate write schemas. */
const OMITTED: Readonly<Record<string, readonly string[]>> = {
  // A membership never changes its user or its organization.
  PatchedMembership: ['user', 'organization'],
  // A grant never changes its scope, and an invitation never changes its address.
  PatchedGrant: ['scope'],
  PatchedInvitation: ['email'],
};

describe('our description and the contract', () => {
  it('have most operations in common', () => {
    expect(shared.length).toBeGreaterThan(45);
  });

  it.each(shared)('agree on the name and the success status of $key', ({ route, counterpart }) => {
    const success = ({ responses }: Route) => Object.keys(responses).filter((status) => /^2/.test(status));
    expect(route.operationId).toBe(counterpart.operationId);
    // v1 lists only the errors of deleting a pull, but clients delete them (behaviour.md §14).
    if (success(counterpart).length > 0) expect(success(route)).toEqual(success(counterpart));
  });

  it.each(shared)('agree on the parameters of $key', ({ route, counterpart }) => {
    const named = ({ parameters = [] }: Route) => parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    expect(named(route)).toEqual(expect.arrayContaining(named(counterpart)));
  });

  it.each(names.map((name) => ({ name })))('agree on the members of $name', ({ name }) => {
    const their = contract.components.schemas[name];
    const ourSchema = ours.components.schemas[name];
    const expected = Object.entries(their?.properties ?? {})
      .filter(([key, { readOnly }]) => !(isRequest(name) && readOnly) && !OMITTED[name]?.includes(key))
      .map(([key]) => key);
    expect(Object.keys(ourSchema?.properties ?? {})).toEqual(expect.arrayContaining(expected));
    expect([...(ourSchema?.enum ?? [])].sort()).toEqual([...(their?.enum ?? [])].sort());
  });

  // `Parameter` has a recorded order, which ends with two legacy keys.
  it.each(names.filter((name) => !isRequest(name) && name !== 'Parameter').map((name) => ({ name })))(
    'agree on the order of the members of $name',
    ({ name }) => {
      const expected = Object.keys(contract.components.schemas[name]?.properties ?? {});
      const ourMembers = Object.keys(ours.components.schemas[name]?.properties ?? {});
      expect(ourMembers.filter((key) => expected.includes(key))).toEqual(expected);
    },
  );

  it.each(names.map((name) => ({ name })))('agree on the required members of $name', ({ name }) => {
    const their = contract.components.schemas[name];
    const written = (key: string) => !their?.properties?.[key]?.readOnly;
    const required = their?.required ?? [];
    const ourRequired = ours.components.schemas[name]?.required ?? [];
    if (isRequest(name) && !name.endsWith('Response'))
      expect([...ourRequired].sort()).toEqual(required.filter(written).sort());
    else expect(ourRequired).toEqual(expect.arrayContaining([...required]));
  });

  // A generated client represents an optional member as a pointer, so programs compile with both clients only if both
  // documents agree.
  it.each(names.filter((name) => !isRequest(name) || name.endsWith('Response')).map((name) => ({ name })))(
    'agree on the optional members of $name',
    ({ name }) => {
      const their = contract.components.schemas[name];
      const later = withAdditions.components.schemas[name]?.properties ?? {};
      const ourRequired = ours.components.schemas[name]?.required ?? [];
      expect(ourRequired.filter((key) => key in later).sort()).toEqual([...(their?.required ?? [])].sort());
    },
  );
});

describe('our description', () => {
  it('contains only schemas that a validator accepts', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'ours', components: toJsonSchema(ours.components) });
    for (const name of Object.keys(ours.components.schemas)) {
      expect(ajv.compile({ $ref: `ours#/components/schemas/${name}` })).toBeInstanceOf(Function);
    }
  });

  it('`fetch` resolves `users/..` to `api/v1/` before it sends the request.', () => {
    expect(listRoutes(ours)).toHaveLength(OPERATIONS.length);
  });
});
