import { grantRows, type MatrixGrant } from './grant-matrix.ts';

const user = (name: string | null, type = 'interactive') => ({
  __typename: 'User' as const,
  type,
  name,
  email: 'ada@example.com',
});
const grant = (principalId: string, scopeId: string, principal: MatrixGrant['principal']): MatrixGrant => ({
  id: `${principalId} on ${scopeId}`,
  role: 'VIEWER',
  expiresAt: null,
  principalId,
  principal,
  scopeId,
});

describe('the matrix of grants', () => {
  it('has one row for each principal with a grant, with all its scopes', () => {
    const rows = grantRows([grant('a', 'web', user('Ada')), grant('a', 'api', user('Ada'))]);

    expect(rows.map(({ id, grants }) => [id, [...grants.keys()]])).toEqual([['a', ['web', 'api']]]);
  });

  it('lists groups before users before service accounts, each by name', () => {
    const rows = grantRows([
      grant('s', 'web', user('bot', 'service')),
      grant('z', 'web', user('Zoe')),
      grant('g', 'web', { __typename: 'Group', groupName: 'team' }),
      grant('a', 'web', user(null)),
    ]);

    expect(rows.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      'group team',
      'person ada@example.com',
      'person Zoe',
      'service account bot',
    ]);
  });

  it('leaves out deleted principals', () => {
    expect(grantRows([grant('a', 'web', null)])).toEqual([]);
  });
});
