import fs from 'node:fs';
import path from 'node:path';
import { pemBlocks } from '../../lib/pem-text.ts';
import { parseCertificate } from './certificates.ts';

const CHAIN = fs.readFileSync(path.join(import.meta.dirname, 'sample-chain.pem'), 'utf8');

describe('the summary of a certificate', () => {
  it('names the subject, the issuer, the validity and all names', () => {
    const [leaf, root] = pemBlocks(CHAIN).map(({ base64 }) => parseCertificate(base64));

    expect(leaf).toEqual({
      subject: 'CN=shop.example.com',
      issuer: 'C=DE, O=Example, CN=Example Root',
      validFrom: '2026-11-26T19:29:34.000Z',
      validUntil: '2036-11-23T19:29:34.000Z',
      names: ['shop.example.com', '*.shop.example.com', '192.0.2.7', 'a@example.com'],
      isAuthority: false,
    });
    expect(root).toMatchObject({ subject: leaf?.issuer, isAuthority: true, names: [] });
  });

  it('is null for anything else', () => {
    const [leaf = { base64: '' }] = pemBlocks(CHAIN);

    expect(['', 'AAAA', '!', leaf.base64.slice(0, 100)].map(parseCertificate)).toEqual(Array(4).fill(null));
  });
});
