import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { toJsonSchema } from './contract.ts';
import { contractDocument, ownDocument } from './contract-document.ts';
import { contractInputs, type Field } from './contract-inputs.ts';
import { createInvalidSamples, createInvalidTexts, createSample } from './contract-samples.ts';

const inputs = contractInputs();
const ajv = new Ajv({ strict: false });
addFormats.default(ajv);

const bodies = [...inputs].flatMap(([id, { body }]) =>
  (body ?? []).map((field) => ({ ...field, location: `${id} ${field.name}` })),
);
/** Links must refer to existing objects, so valid ones cannot be generated. */
const isMade = ({ schema, ignored }: Field) => !ignored && !JSON.stringify(schema).includes('"uri"');
const generated = bodies.filter(isMade);
const fits = ({ schema }: Field, value: unknown) => ajv.validate(toJsonSchema(schema) as object, value);

describe('the inputs of the contract', () => {
  it('are known for every operation of both documents', () => {
    const ids = [contractDocument(), ownDocument()].flatMap(({ paths }) =>
      Object.values(paths).flatMap((methods) =>
        Object.values(methods).map((method) => (method as { operationId: string }).operationId),
      ),
    );
    expect([...inputs.keys()].sort()).toEqual([...new Set(ids)].sort());
  });

  it('have few writable fields that the service ignores', () => {
    const ignored = bodies.filter((field) => field.ignored && !field.schema.readOnly).map(({ location }) => location);
    // The sync operations of pushes and pulls and a group's add and remove accept a whole object as body but use only
    // their path.
    expect(ignored.filter((location) => !/(_sync_create|groups_(add|remove)_create) /.test(location))).toEqual([
      // The subject of a membership, an invitation and a grant cannot change after creation.
      ...['memberships_update user', 'memberships_update organization'],
      ...['memberships_partial_update user', 'memberships_partial_update organization'],
      ...['invitations_update email', 'invitations_partial_update email'],
      ...['grants_update scope', 'grants_partial_update scope'],
    ]);
  });

  it('have maximum lengths, even if only our own description has them', () => {
    const lengthOf = (location: string) => bodies.find((field) => field.location === location)?.schema.maxLength;
    expect(['environments_create name', 'environments_create description'].map(lengthOf)).toEqual([256, 65_536]);
  });
});

describe('samples', () => {
  it.each(['least', 'most'] as const)('of the size %s match their schemas', (size) => {
    expect(generated.length).toBeGreaterThan(200);
    expect(
      generated.filter((field) => !fits(field, createSample(field.schema, size))).map(({ location }) => location),
    ).toEqual([]);
  });

  it('have the maximum length in characters and are distinct', () => {
    const [first, second] = [{ maxLength: 256 }, { maxLength: 256 }].map((rest) =>
      createSample({ type: 'string', ...rest }, 'most'),
    );
    expect([...String(first)]).toHaveLength(256);
    expect(String(first).length).toBeGreaterThan(256);
    expect(first).not.toBe(second);
  });

  it('that are invalid do not match their schemas', () => {
    // Control characters are invalid everywhere, which schemas do not express.
    const wrong = generated.flatMap((field) =>
      createInvalidSamples(field)
        .filter((value) => value !== undefined && !JSON.stringify(value).includes('\\u0000'))
        .map((value) => ({ field, value })),
    );
    expect(wrong.length).toBeGreaterThan(500);
    // The schema does not express that a step has exactly one of four members, because code generators do not support
    // such a choice.
    const wrongInputs = wrong.filter(({ field }) => !/^changesets_(plan_)?create operations$/.test(field.location));
    const fitting = wrongInputs.filter(({ field, value }) => fits(field, value));
    expect(fitting.map(({ field, value }) => [field.location, value])).toEqual([]);
  });

  it('that are invalid exist for every field and every parameter', () => {
    const all = [...inputs].flatMap(([, { query }]) => query);
    expect(all.filter((field) => createInvalidTexts(field).length === 0)).toEqual([]);
    expect(bodies.filter((field) => !field.ignored && createInvalidSamples(field).length === 0)).toEqual([]);
  });
});
