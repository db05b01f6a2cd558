import { forbiddenScopes, type Permissions, type ScopeId } from '@strata/domain';

/** A parameter, or all parameters of a location (`*`), whose values in forbidden environments or projects are ignored. */
export interface IgnoredLocation {
  readonly project: string | null;
  readonly environment: string | null;
  readonly name: string;
}

/**
 * Values that the caller of a changeset may not read. A plan leaves no trace, and a refused changeset does not either, so both ignore
 * those values: otherwise a caller could find out what is set there. A changeset that is about to be stored is carried out once more
 * with all values, if this says that some may have been ignored.
 */
export class ForbiddenValues {
  /** True if ignoring them may have changed a decision. */
  mayMatter = false;
  /** The locations that a plan reports. They must not depend on whether anything is set in a forbidden location. */
  readonly locations = new Map<string, IgnoredLocation>();

  /** For values whose mention would show that they are set: a plan does not report them. */
  ignoreUnnamed(): void {
    this.mayMatter = true;
  }

  ignore(location: IgnoredLocation): void {
    this.mayMatter = true;
    this.locations.set(JSON.stringify(location), location);
  }
}

/** A caller whose write may have to ignore values that they may not read. */
export interface IgnoringCaller extends Permissions {
  /** Null for a write that ignores nothing. */
  readonly forbiddenValues: ForbiddenValues | null;
}

/** The environments and projects whose values this write ignores; none for a write of one operation. */
export function ignoredScopes(caller: IgnoringCaller): readonly ScopeId[] {
  return caller.forbiddenValues ? forbiddenScopes(caller) : [];
}

/** Records a location whose forbidden values are ignored. Does nothing if nothing is. */
export function ignoreForbidden(caller: IgnoringCaller, location: IgnoredLocation): void {
  if (ignoredScopes(caller).length > 0) caller.forbiddenValues?.ignore(location);
}
