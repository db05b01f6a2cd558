import fs from 'node:fs';
import path from 'node:path';
import { IdentityProviders } from './identity-provider.ts';

const ORGANIZATION = '6c1f0f0e-3a52-4c39-9a4e-0f6a5f2f7c11';
const provider = (changed: object = {}) => ({
  id: 'acme',
  name: 'Acme',
  issuer: 'https://login.example.com',
  client_id: 'strata',
  ...changed,
});
const organization = (changed: object = {}) => ({ organization: ORGANIZATION, domains: ['example.com'], ...changed });

function listProblems(...providers: readonly object[]): string {
  const { error } = IdentityProviders.safeParse(JSON.stringify(providers));
  return error?.issues.map(({ message }) => message).join('; ') ?? '';
}

it('the guide contains valid settings', () => {
  const guide = path.resolve(import.meta.dirname, '../../../docs/guides/use-single-sign-on.md');
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(fs.readFileSync(guide, 'utf8')) ?? [];

  expect(IdentityProviders.parse(example)).toMatchObject([{ id: 'acme', scopes: 'openid email profile' }]);
});

it.each([
  ['an issuer over plain http on another machine', { issuer: 'http://login.example.com' }, 'must be https'],
  ['an issuer with a query', { issuer: 'https://login.example.com?realm=acme' }, 'without credentials, query'],
  ['an issuer with a password', { issuer: 'https://a:b@login.example.com' }, 'without credentials'],
  ['the metadata service of a cloud as issuer', { issuer: 'http://169.254.169.254' }, 'link-local'],
  ['a script as issuer', { issuer: 'javascript:alert(1)' }, 'must be an https URL'],
  ['an id with a slash', { id: 'a/b' }, 'lower-case letters'],
  ['an empty name', { name: '' }, 'must not be empty'],
  ['a member that does not exist', { secret: 'x' }, 'secret'],
  ['a domain in upper case', { organizations: [organization({ domains: ['Example.com'] })] }, 'in lower case'],
  ['no domain', { organizations: [organization({ domains: [] })] }, 'at least one domain'],
  ['a role that manages members', { organizations: [organization({ role: 'ADMIN' })] }, 'VIEWER or CONTRIB'],
])('rejects %s', (_, changed, problem) => {
  expect(listProblems(provider(changed))).toContain(problem);
});

it('accepts an issuer over plain http on the same machine', () => {
  expect(listProblems(provider({ issuer: 'http://127.0.0.1:8080/realms/acme' }))).toBe('');
});

it('rejects two providers with the same id, client or domain', () => {
  const otherProvider = provider({ id: 'other', client_id: 'other', organizations: [organization()] });

  expect(listProblems(provider(), provider({ client_id: 'other' }))).toBe('has the id acme twice');
  expect(listProblems(provider(), provider({ id: 'other' }))).toBe(
    'has the issuer and client_id https://login.example.com strata twice',
  );
  expect(listProblems(provider({ organizations: [organization()] }), otherProvider)).toBe(
    'has the domain example.com twice',
  );
});
