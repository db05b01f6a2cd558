import { readFileSync } from 'node:fs';
import { OPERATIONS, openApiDocument } from '@strata/contract';
import { Ajv } from 'ajv';
import { withoutNullable } from './contract.ts';
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

const routesOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, routes]) =>
    Object.entries(routes).map(([method, route]) => ({ key: `${method} ${path}`, route })),
  );
const theirs = new Map(routesOf(contract).map(({ key, route }) => [key, route]));
const shared = routesOf(ours).flatMap(({ key, route }) => {
  const counterpart = theirs.get(key);
  return counterpart ? [{ key, route, counterpart }] : [];
});

/** Bodies and answers of the same name in both documents. */
const names = Object.keys(ours.components.schemas).filter((name) => name in contract.components.schemas);

const isRequest = (name: string) => /Create$|Update$|^Patched|Request$/.test(name);

/** Read shapes of the contract that are also written; ours have write shapes of their own. */
const OMITTED: Readonly<Record<string, readonly string[]>> = {
  // A membership never changes its person or its organization.
  PatchedMembership: ['user', 'organization'],
  // Nor does a grant change its scope, or an invitation its address.
  PatchedGrant: ['scope'],
  PatchedInvitation: ['email'],
};

describe('our description and the contract', () => {
  it('have most operations in common', () => {
    expect(shared.length).toBeGreaterThan(45);
  });

  it.each(shared)('agree on the name and the success of $key', ({ route, counterpart }) => {
    const success = ({ responses }: Route) => Object.keys(responses).filter((status) => /^2/.test(status));
    expect(route.operationId).toBe(counterpart.operationId);
    // v1 lists only how deleting a pull is refused; clients do delete them (behaviour.md §14).
    if (success(counterpart).length > 0) expect(success(route)).toEqual(success(counterpart));
  });

  it.each(shared)('agree on the parameters of $key', ({ route, counterpart }) => {
    const named = ({ parameters = [] }: Route) => parameters.map((one) => `${one.in} ${one.name}`);
    expect(named(route)).toEqual(expect.arrayContaining(named(counterpart)));
  });

  it.each(names.map((name) => ({ name })))('agree on the members of $name', ({ name }) => {
    const their = contract.components.schemas[name];
    const own = ours.components.schemas[name];
    const expected = Object.entries(their?.properties ?? {})
      .filter(([key, { readOnly }]) => !(isRequest(name) && readOnly) && !OMITTED[name]?.includes(key))
      .map(([key]) => key);
    expect(Object.keys(own?.properties ?? {})).toEqual(expect.arrayContaining(expected));
    expect([...(own?.enum ?? [])].sort()).toEqual([...(their?.enum ?? [])].sort());
  });

  // `Parameter` follows the order that was recorded, which ends with the two keys of an older time.
  it.each(names.filter((name) => !isRequest(name) && name !== 'Parameter').map((name) => ({ name })))(
    'agree on the order of the members of $name',
    ({ name }) => {
      const expected = Object.keys(contract.components.schemas[name]?.properties ?? {});
      const own = Object.keys(ours.components.schemas[name]?.properties ?? {});
      expect(own.filter((key) => expected.includes(key))).toEqual(expected);
    },
  );

  it.each(names.map((name) => ({ name })))('agree on what $name must have', ({ name }) => {
    const their = contract.components.schemas[name];
    const written = (key: string) => !their?.properties?.[key]?.readOnly;
    const required = their?.required ?? [];
    const own = ours.components.schemas[name]?.required ?? [];
    if (isRequest(name) && !name.endsWith('Response')) expect([...own].sort()).toEqual(required.filter(written).sort());
    else expect(own).toEqual(expect.arrayContaining([...required]));
  });

  // A generated client holds what is not required as a pointer: programs written against one compile with the other.
  it.each(names.filter((name) => !isRequest(name) || name.endsWith('Response')).map((name) => ({ name })))(
    'agree on what a client of $name may find missing',
    ({ name }) => {
      const their = contract.components.schemas[name];
      const later = withAdditions.components.schemas[name]?.properties ?? {};
      const own = ours.components.schemas[name]?.required ?? [];
      expect(own.filter((key) => key in later).sort()).toEqual([...(their?.required ?? [])].sort());
    },
  );
});

describe('our description', () => {
  it('contains only schemas that a validator can read', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'ours', components: withoutNullable(ours.components) });
    for (const name of Object.keys(ours.components.schemas)) {
      expect(ajv.compile({ $ref: `ours#/components/schemas/${name}` })).toBeInstanceOf(Function);
    }
  });

  it('covers every operation of ours, those beyond the contract too', () => {
    expect(routesOf(ours)).toHaveLength(OPERATIONS.length);
  });
});
