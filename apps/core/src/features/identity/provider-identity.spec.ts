import { IdentityProviders } from '@strata/issuers';
import { providerIdentity } from './provider-identity.ts';

function verifiedEmail(claims: object, settings: object = {}): string | null | undefined {
  const provider = { id: 'acme', name: 'Acme', issuer: 'https://id.example', client_id: 'strata', ...settings };
  const [read] = IdentityProviders.parse(JSON.stringify([provider]));
  return read && providerIdentity(read, { sub: 'ada', email: 'ada@example.com', ...claims })?.email;
}

it.each([true, 1, '1'])('an address is verified if the claim is %j', (value) => {
  expect(verifiedEmail({ email_verified: value })).toBe('ada@example.com');
});

it.each([false, 0, '0', 'true', 'yes', null, undefined, {}, [true]])(
  'an address is not verified if the claim is %j',
  (value) => {
    expect(verifiedEmail({ email_verified: value })).toBeNull();
  },
);

it('the operator chooses the claim that verifies addresses', () => {
  const settings = { email_verified_claim: 'xms_edov' };

  expect(verifiedEmail({ xms_edov: '1' }, settings)).toBe('ada@example.com');
  expect(verifiedEmail({ email_verified: true }, settings)).toBeNull();
  expect(verifiedEmail({ email_verified: true, xms_edov: false }, settings)).toBeNull();
});

it.each([
  ['the domain of the address', 'example.com', 'ada@example.com'],
  ['another domain', 'other.example', null],
  ['no domain: a private account', undefined, null],
])('Google verifies an address only for an account of a Workspace with %s', (_, hd, expected) => {
  expect(verifiedEmail({ email_verified: true, hd }, { issuer: 'https://accounts.google.com' })).toBe(expected);
});
