import { RELEASE } from '@strata/domain';

/** Returns the version and the commit. */
export const versionLine = (): string =>
  [RELEASE.version, RELEASE.commit && `(${RELEASE.commit})`].filter(Boolean).join(' ');
