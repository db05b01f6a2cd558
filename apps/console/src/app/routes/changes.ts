import type { PageChanges } from '../../data/read-only.ts';

/** The objects that pages change, for the sentence that says why a user only reads. */
export const CHANGES = {
  project: { of: 'project', otherwise: 'read this project but not change it' },
  settings: { of: 'project', needs: 'manage', otherwise: 'read these settings but not change them' },
  imports: { of: 'project', otherwise: 'read this project but not import into it' },
  snapshots: { of: 'organization', otherwise: 'read projects but not import snapshots' },
  projects: { of: 'organization', otherwise: 'read projects but not create them' },
  environment: { of: 'environment', needs: 'manage', otherwise: 'read this environment but not change it' },
  environments: { of: 'organization', otherwise: 'read environments but not change them' },
  types: { of: 'organization', otherwise: 'read types but not change them' },
  history: { of: 'any', otherwise: 'read the history but not revert changes' },
  values: { of: 'any', otherwise: 'read values but not change them' },
  webhooks: { of: 'organization', needs: 'manage_webhooks', otherwise: 'read webhooks but not change them' },
  destinations: { of: 'organization', needs: 'manage_webhooks', otherwise: 'read destinations but not change them' },
  integrations: {
    of: 'organization',
    needs: 'manage_integrations',
    otherwise: 'read integrations but not change them',
  },
  rotations: { of: 'any', otherwise: 'read rotations but not change or run them' },
  people: { of: 'organization', needs: 'change_membership', otherwise: 'see the members but not change them' },
  groups: { of: 'organization', needs: 'manage_groups', otherwise: 'read groups but not change them' },
  grants: { of: 'any', needs: 'grant', otherwise: 'read grants but not change them' },
  serviceAccounts: {
    of: 'organization',
    needs: 'create_service_account',
    otherwise: 'read service accounts but not change them',
  },
  keys: {
    of: 'organization',
    needs: 'create_service_account',
    otherwise: 'read how programs connect but not create keys',
  },
  organization: {
    of: 'organization',
    needs: 'change_organization',
    otherwise: 'read these settings but not change them',
  },
} as const satisfies Readonly<Record<string, PageChanges>>;
