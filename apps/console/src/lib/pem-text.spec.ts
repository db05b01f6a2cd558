import { isPrivateKey, pemBlocks, pemKind } from './pem-text.ts';

const block = (label: string, text = 'AAAA\nBBBB') => `-----BEGIN ${label}-----\n${text}\n-----END ${label}-----\n`;

describe('a PEM text', () => {
  it('is a list of blocks, whatever is between them', () => {
    const chain = `subject=a\r\n${block('CERTIFICATE')}\nissuer=b\n${block('CERTIFICATE', 'CCCC\r\nDD==')}`;

    expect(pemBlocks(chain)).toEqual([
      { label: 'CERTIFICATE', base64: 'AAAABBBB' },
      { label: 'CERTIFICATE', base64: 'CCCCDD==' },
    ]);
    expect(
      ['', 'text', '-----BEGIN CERTIFICATE-----\nAAAA', block('A').replace('END A', 'END B')].map(pemBlocks),
    ).toEqual(Array(4).fill([]));
  });

  it('can have blocks with headers, as encrypted keys have', () => {
    const headers = 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0123\n\nAAAA';

    expect(pemBlocks(block('RSA PRIVATE KEY', headers)).map(isPrivateKey)).toEqual([true]);
  });

  it('names the kind of keys, which are recognised by their label', () => {
    const blocks = pemBlocks(
      ['PRIVATE KEY', 'EC PRIVATE KEY', 'PGP PRIVATE KEY BLOCK', 'PUBLIC KEY', 'DH PARAMETERS']
        .map((label) => block(label))
        .join(''),
    );

    expect(blocks.map(pemKind)).toEqual([
      'Private key',
      'Private key (EC)',
      'pgp private key block',
      'Public key',
      'dh parameters',
    ]);
    expect(blocks.map(isPrivateKey)).toEqual([true, true, true, false, false]);
  });
});
