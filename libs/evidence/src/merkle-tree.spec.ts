import fc from 'fast-check';
import {
  consistencyPath,
  inclusionPath,
  isConsistent,
  type LeafRange,
  leafHash,
  rootHash,
  rootOfInclusion,
} from './merkle-tree.ts';

const MAX = 70;
const leaves = Array.from({ length: MAX }, (_, at) => leafHash(Buffer.from(`leaf ${at}`)));
const headAt = (size: number) => ({ size, root: rootHash(leaves.slice(0, size)) });
const hashes = (path: readonly LeafRange[]) => path.map(({ start, end }) => rootHash(leaves.slice(start, end)));

const flipBit = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(0) ^ 1);
  return copy;
};

it('has the root hashes of the test vectors of Certificate Transparency', () => {
  // The vectors of the reference implementation of RFC 6962, whose trees RFC 9162 keeps.
  const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
  const roots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];
  const vectors = inputs.map((input) => leafHash(Buffer.from(input, 'hex')));
  expect(roots.map((_, size) => rootHash(vectors.slice(0, size)).toString('hex'))).toEqual(roots);
});

it('proves that each leaf is in each tree', () => {
  for (let size = 1; size <= MAX; size += 1)
    for (let index = 0; index < size; index += 1) {
      const proof = hashes(inclusionPath(index, size));
      expect(rootOfInclusion({ leaf: leaves[index] as Buffer, index, size }, proof)).toEqual(headAt(size).root);
    }
});

it('proves that each tree begins with each earlier one', () => {
  for (let size = 0; size <= MAX; size += 1)
    for (let earlier = 0; earlier <= size; earlier += 1) {
      const proof = hashes(consistencyPath(earlier, size));
      expect(isConsistent(headAt(earlier), headAt(size), proof)).toBe(true);
    }
});

const sizes = fc
  .tuple(fc.integer({ min: 1, max: MAX }), fc.integer({ min: 1, max: MAX }))
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

it('rejects each proof with a changed hash, and each proof of another leaf', () => {
  fc.assert(
    fc.property(sizes, fc.nat(), ([number, size], at) => {
      const index = number - 1;
      const proof = hashes(inclusionPath(index, size));
      const input = { leaf: leaves[index] as Buffer, index, size };
      const { root } = headAt(size);
      const changedProof = proof.map((node, position) => (position === at % proof.length ? flipBit(node) : node));
      if (proof.length > 0) expect(rootOfInclusion(input, changedProof)).not.toEqual(root);
      expect(rootOfInclusion({ ...input, leaf: flipBit(input.leaf) }, proof)).not.toEqual(root);
      expect(rootOfInclusion(input, [...proof, root])).toBeNull();
    }),
  );
});

it('rejects each proof of consistency with a changed hash, and each earlier tree that was another one', () => {
  fc.assert(
    fc.property(sizes, fc.nat(), ([earlier, size], at) => {
      const proof = hashes(consistencyPath(earlier, size));
      const [before, after] = [headAt(earlier), headAt(size)];
      const changedProof = proof.map((node, position) => (position === at % proof.length ? flipBit(node) : node));
      if (proof.length > 0) expect(isConsistent(before, after, changedProof)).toBe(false);
      expect(isConsistent({ ...before, root: flipBit(before.root) }, after, proof)).toBe(false);
      expect(isConsistent(before, { ...after, root: flipBit(after.root) }, proof)).toBe(false);
      if (earlier < size) expect(isConsistent(after, before, proof)).toBe(false);
    }),
  );
});
