import { ABILITIES, type Role, roleIncludes } from '@strata/domain';
import { type PageChanges, readOnlyReason } from './read-only.ts';

type Viewer = Parameters<typeof readOnlyReason>[0];
type Granted = Readonly<Record<string, readonly string[]>>;

const viewer = (role: string, granted: Granted = {}) => {
  const abilities = ABILITIES.filter((ability) => roleIncludes(role as Role, ability));
  const scopes = Object.entries(granted).map(([scopeId, abilities]) => ({ scopeId, abilities }));
  return { role, abilities: { abilities, scopes, revealsSecrets: true } } as unknown as Viewer;
};

const PROJECT: PageChanges = { of: 'project', otherwise: 'read this project but not change it' };
const SETTINGS: PageChanges = { of: 'project', needs: 'manage', otherwise: 'read these settings but not change them' };
const ENVIRONMENTS: PageChanges = { of: 'organization', otherwise: 'read environments but not change them' };
const HISTORY: PageChanges = { of: 'any', otherwise: 'read the history but not revert changes' };
const ROLE = 'Your role is Viewer. Changes require Contributor or a higher role.';
const AS_VIEWER = `You can read this project but not change it. ${ROLE}`;
const WITHOUT_GRANT =
  'You can read this project but not change it. Access to this project is restricted, and you have no grant to change it.';

describe('the reason why a page is read-only', () => {
  it.each<[string, string | null, string, Granted, PageChanges, string | null]>([
    ['is the role', AS_VIEWER, 'VIEWER', {}, PROJECT, 'p'],
    ['is absent for a role that writes', null, 'CONTRIB', {}, PROJECT, 'p'],
    ['is a missing grant, whatever the role', WITHOUT_GRANT, 'CONTRIB', { p: ['read'] }, PROJECT, 'p'],
    ['is absent for a grant to write', null, 'VIEWER', { p: ['read', 'write'] }, PROJECT, 'p'],
    ['is absent without access, because the page says that', null, 'VIEWER', { p: [] }, PROJECT, 'p'],
    ['ignores grants on others', AS_VIEWER, 'VIEWER', { q: ['read', 'write'] }, PROJECT, 'p'],
    [
      'ignores grants for pages of the organization',
      expectSentence('environments'),
      'VIEWER',
      { p: ['write'] },
      ENVIRONMENTS,
      null,
    ],
    ['is absent for any grant, if the page changes any scope', null, 'VIEWER', { p: ['read', 'write'] }, HISTORY, null],
    ['is the role, if there is no such grant', expectSentence('history'), 'VIEWER', { p: ['read'] }, HISTORY, null],
  ])('%s', (_, reason, role, granted, changes, scopeId) => {
    expect(readOnlyReason(viewer(role, granted), changes, scopeId)).toBe(reason);
  });

  it('depends on what the page needs', () => {
    expect(readOnlyReason(viewer('VIEWER', { p: ['read', 'write'] }), SETTINGS, 'p')).toContain(
      'no grant to change it',
    );
  });

  it.each<[string, PageChanges, string]>([
    [
      'CONTRIB',
      { of: 'organization', needs: 'manage_webhooks', otherwise: 'x' },
      'Changes require Admin or a higher role.',
    ],
    ['ADMIN', { of: 'organization', needs: 'change_organization', otherwise: 'x' }, 'Changes require Owner.'],
    ['CONTRIB', { of: 'any', needs: 'grant', otherwise: 'x' }, 'Changes require Admin or a higher role.'],
  ])('names the role that is required: %s', (role, changes, sentence) => {
    expect(readOnlyReason(viewer(role), changes, null)).toContain(sentence);
    expect(readOnlyReason(viewer('OWNER'), changes, null)).toBeNull();
  });

  it('is absent for an owner of any scope, if the page changes grants', () => {
    const grants = { of: 'any', needs: 'grant', otherwise: 'x' } as const;
    expect(readOnlyReason(viewer('VIEWER', { p: ['read', 'write', 'grant'] }), grants, null)).toBeNull();
  });

  it('is maintenance for everyone', () => {
    const owner = { ...viewer('OWNER'), organization: { id: 'o', name: 'Acme', maintenance: true } };
    expect(readOnlyReason(owner, PROJECT, 'p')).toContain('The organization is in maintenance.');
  });
});

function expectSentence(page: 'environments' | 'history'): string {
  const read = page === 'history' ? HISTORY : ENVIRONMENTS;
  return `You can ${read.otherwise}. ${ROLE}`;
}
