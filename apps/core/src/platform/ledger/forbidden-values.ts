import { forbiddenScopes, type Permissions, type ScopeId } from '@strata/domain';

/** A parameter, or all parameters of a location (`*`), whose values in forbidden environments or projects are ignored. */
export interface IgnoredLocation {
  readonly project: string | null;
  readonly environment: string | null;
  readonly name: string;
}

/**
 * The values that a changeset ignores because its caller may not read them. Dry runs and rejected changesets leave no
 * trace, so both ignore these values; otherwise a caller could probe which values exist there. If ignoring them may
 * have changed a decision, a changeset runs once more with all values before it is stored.
 */
export class ForbiddenValues {
  /** True if ignoring them may have changed a decision. */
  mayMatter = false;
  /** The locations that a plan reports. They must not depend on whether anything is set in a forbidden location. */
  readonly locations = new Map<string, IgnoredLocation>();

  /** Ignores values that a plan must not report, because their mention would reveal that they exist. */
  ignoreUnnamed(): void {
    this.mayMatter = true;
  }

  ignore(location: IgnoredLocation): void {
    this.mayMatter = true;
    this.locations.set(JSON.stringify(location), location);
  }
}

/** The caller of a write, with the values that the write ignores. */
export interface IgnoringCaller extends Permissions {
  /** Null for a write that ignores nothing. */
  readonly forbiddenValues: ForbiddenValues | null;
}

/** Returns the environments and projects whose values this write ignores. A write of one operation ignores none. */
export function listIgnoredScopes(caller: IgnoringCaller): readonly ScopeId[] {
  return caller.forbiddenValues ? forbiddenScopes(caller) : [];
}

/** Records a location whose forbidden values the write ignores. Does nothing if the write ignores no scope. */
export function ignoreForbidden(caller: IgnoringCaller, location: IgnoredLocation): void {
  if (listIgnoredScopes(caller).length > 0) caller.forbiddenValues?.ignore(location);
}
