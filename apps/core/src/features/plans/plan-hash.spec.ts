import { createHmac } from 'node:crypto';
import {
  canonicalJson,
  differingParts,
  HASHED_PLAN_FIELDS,
  HASHED_REVERT_PLAN_FIELDS,
  type PlanParts,
  planHash,
} from './plan-hash.ts';

const mac = async (text: string) => createHmac('sha256', 'key').update(text).digest('base64url');
const PARTS: PlanParts = {
  operations: ['somebody', [{ set: { project: 'web' } }]],
  objects: [['1', 'a']],
  effective_changes: [],
  uncovered: [],
  refusals: [],
};

it('a plan hash does not depend on the order of members', async () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  const turned = { ...PARTS, operations: ['somebody', [{ set: { project: 'web' } }]] };
  expect(await planHash(turned, mac)).toBe(await planHash(PARTS, mac));
});

it.each(HASHED_PLAN_FIELDS)('a plan hash shows that %s differ, and nothing else', async (part) => {
  const [firstHash, secondHash] = [await planHash(PARTS, mac), await planHash({ ...PARTS, [part]: ['another'] }, mac)];
  expect(differingParts(firstHash, secondHash)).toEqual([part]);
  expect(differingParts(firstHash, firstHash)).toEqual([]);
});

it.each(HASHED_REVERT_PLAN_FIELDS)('a plan hash of a revert shows that %s differ, and nothing else', async (part) => {
  const revert = { ...PARTS, conflicts: [], not_revertible: [] };
  const [firstHash, secondHash] = [
    await planHash(revert, mac),
    await planHash({ ...revert, [part]: ['another'] }, mac),
  ];
  expect(differingParts(firstHash, secondHash)).toEqual([part]);
  expect(differingParts(await planHash(PARTS, mac), firstHash)).toEqual(HASHED_REVERT_PLAN_FIELDS);
});

it.each(['', 'x', 'a.b', `${'x'.repeat(43)}.a.b.c.d.e`])('all parts differ from the invalid hash %p', async (hash) => {
  expect(differingParts(hash, await planHash(PARTS, mac))).toEqual(HASHED_PLAN_FIELDS);
});
