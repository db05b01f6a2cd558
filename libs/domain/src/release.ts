/** The version of the program, and the commit that it was built from. */
export interface ReleaseInfo {
  readonly version: string;
  readonly commit: string | null;
}

/** The build of a program replaces this name. */
declare const STRATA_RELEASE: ReleaseInfo | undefined;

export const RELEASE: ReleaseInfo =
  typeof STRATA_RELEASE === 'undefined' ? { version: 'development', commit: null } : STRATA_RELEASE;
