import fc from 'fast-check';
import { detectSecretIndicator, shannonEntropy, splitName } from './secret-looks.ts';

const detect = (name: string, text: string, more: { type?: string; interpolated?: boolean } = {}) =>
  detectSecretIndicator({ name, text, type: 'string', interpolated: false, ...more });
/** The examples are split so that secret scanners do not report them. */
const joinParts = (prefix: string, rest: string) => `${prefix}${rest}`;
const RANDOM = 'q7RzT0pLx9VbN3mKw5YcJ2hG';

describe('detectSecretIndicator', () => {
  it.each`
    name                  | text                                             | expected
    ${'DB_PASSWORD'}      | ${'changeme'}                                    | ${'secret_name'}
    ${'dbPassword'}       | ${'changeme'}                                    | ${'secret_name'}
    ${'db.passwd'}        | ${'x y'}                                         | ${'secret_name'}
    ${'GITHUB_TOKEN'}     | ${'abc'}                                         | ${'secret_name'}
    ${'API_KEY'}          | ${'abc'}                                         | ${'secret_name'}
    ${'KEY'}              | ${'0123456789abcdef'}                            | ${'secret_name'}
    ${'CLIENT_SECRET'}    | ${'123456'}                                      | ${'secret_name'}
    ${'DB_PASSWORD'}      | ${''}                                            | ${null}
    ${'DB_PASSWORD_FILE'} | ${'/run/secrets/db'}                             | ${null}
    ${'DB_PASSWORD'}      | ${'/run/secrets/db'}                             | ${null}
    ${'MAX_TOKEN'}        | ${'4096'}                                        | ${null}
    ${'REQUIRE_PASSWORD'} | ${'true'}                                        | ${null}
    ${'TOKEN_TTL'}        | ${'PT5M'}                                        | ${null}
    ${'PUBLIC_KEY'}       | ${'ssh-ed25519 AAAA'}                            | ${null}
    ${'PARTITION_KEY'}    | ${'user_id'}                                     | ${null}
    ${'KEY'}              | ${'user_id'}                                     | ${null}
    ${'KEYCLOAK_URL'}     | ${'https://id.example.com'}                      | ${null}
    ${'DATABASE_URL'}     | ${'postgres://app:hunter2@db/app'}               | ${'password_in_url'}
    ${'DATABASE_URL'}     | ${'postgres://app@db/app'}                       | ${null}
    ${'DATABASE_URL'}     | ${'postgres://app:<password>@db/app'}            | ${null}
    ${'CERT'}             | ${'-----BEGIN RSA PRIVATE KEY-----\nx'}          | ${'private_key'}
    ${'CERT'}             | ${'-----BEGIN CERTIFICATE-----\nx'}              | ${null}
    ${'NOTE'}             | ${joinParts('gh', `p_${'a'.repeat(36)}`)}        | ${'known_token'}
    ${'NOTE'}             | ${joinParts('AKIA', 'ABCDEFGHIJKLMNOP')}         | ${'known_token'}
    ${'NOTE'}             | ${joinParts('xox', 'b-1234567890-abcdef')}       | ${'known_token'}
    ${'NOTE'}             | ${RANDOM}                                        | ${'high_entropy'}
    ${'NOTE'}             | ${'9f86d081884c7d659a2feaa0c55ad015'}            | ${'high_entropy'}
    ${'IMAGE_SHA256'}     | ${'9f86d081884c7d659a2feaa0c55ad015'}            | ${null}
    ${'COMMIT'}           | ${'9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'}    | ${null}
    ${'NOTE'}             | ${'0b9f4a52-2f6c-4f0e-8b1e-6d2a0d2f9c11'}        | ${null}
    ${'CLUSTER'}          | ${'eu-west-1-production-cluster'}                | ${null}
    ${'NOTE'}             | ${'The quick brown fox jumps over 13 lazy dogs'} | ${null}
  `('$name is $expected', ({ name, text, expected }) => {
    expect(detect(name, text)).toBe(expected);
  });

  it('returns null for numbers, flags and texts that only refer to others', () => {
    expect(detect('PASSWORD', '123456789', { type: 'integer' })).toBeNull();
    expect(detect('PASSWORD', '{{ vault_password }}', { interpolated: true })).toBeNull();
    expect(detect('URL', 'postgres://a:{{ pw }}@db', { interpolated: true })).toBeNull();
    expect(detect('URL', 'postgres://a:hunter2@{{ host }}', { interpolated: true })).toBe('password_in_url');
  });

  it('limits its time for any text', () => {
    const hostile = ['a'.repeat(65_536), 'a.'.repeat(32_768), 'eyJ-'.repeat(16_384), '://a:'.repeat(13_000)];
    const began = process.cpuUsage().user;
    for (const text of hostile) detect('NOTE', text);
    expect(process.cpuUsage().user - began).toBeLessThan(1_000_000);
  });
});

describe('splitName', () => {
  it.each`
    name              | words
    ${'dbPassword'}   | ${['db', 'password']}
    ${'DB_PASSWORD'}  | ${['db', 'password']}
    ${'db.pass-word'} | ${['db', 'pass', 'word']}
    ${'__'}           | ${[]}
  `('splits $name into $words', ({ name, words }) => {
    expect(splitName(name)).toEqual(words);
  });
});

describe('shannonEntropy', () => {
  it('is between zero and that of all different characters', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const entropy = shannonEntropy(text);
        expect(entropy).toBeGreaterThanOrEqual(-1e-9);
        expect(entropy).toBeLessThanOrEqual(Math.log2([...text].length) + 1e-9);
      }),
    );
    expect(shannonEntropy('aaaa')).toBeCloseTo(0);
    expect(shannonEntropy('abcd')).toBeCloseTo(2);
  });
});
