import type { PageChanges } from '../../data/read-only.ts';

/** The objects that pages change, for the sentence that says why a user only reads. */
export const CHANGES = {
  project: { of: 'project', otherwise: 'read this project but not change it' },
  settings: { of: 'project', needs: 'manage', otherwise: 'read these settings but not change them' },
  environment: { of: 'environment', needs: 'manage', otherwise: 'read this environment but not change it' },
  environments: { of: 'organization', otherwise: 'read environments but not change them' },
  types: { of: 'organization', otherwise: 'read types but not change them' },
  history: { of: 'any', otherwise: 'read the history but not revert changes' },
} as const satisfies Readonly<Record<string, PageChanges>>;
