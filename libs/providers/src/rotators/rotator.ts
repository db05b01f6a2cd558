import type { ProviderEnvironment, ProviderTenant } from '../provider.ts';

/** A credential that a rotator has created. */
export interface CreatedCredential {
  /** Its name at the system, such as a role or the id of a key. */
  readonly name: string;
  /** The text of the secret. */
  readonly text: string;
}

export interface CreationRequest {
  /** The name of the published credential, and the text of the secret that contains it. */
  readonly published: string;
  readonly text: string;
  /** What `draft` returned. It was stored before the first attempt. */
  readonly draft: string;
  /** The credential that this rotation revoked last. Its place may be used. */
  readonly retired: string | null;
  /** Identifies the rotation that runs. It stays the same if the request is repeated. */
  readonly runId: string;
}

/**
 * An open connection to the system whose credentials are rotated. Every method can be repeated after a crash, and throws
 * a `ProviderError` without any secret.
 */
export interface RotatorSession {
  /** Returns the name of the credential in a text; null if the text contains none of this system. */
  identify(text: string): Promise<string | null>;
  /** Returns another credential that may be valid beside the published one; null if there is none. */
  findOther(published: string): Promise<string | null>;
  /** Whether every other credential belongs to the rotation by its settings. */
  readonly ownsAll: boolean;
  /** Returns the secret part of the next credential; empty if the system creates it. */
  draft(): string;
  /** Creates the credential, or returns the one that an earlier attempt with the same draft created. */
  create(request: CreationRequest): Promise<CreatedCredential>;
  /** Returns whether the system accepts the credential in a text. */
  works(text: string): Promise<boolean>;
  /** Returns when a credential was last used: now if it is in use, and null if that is not known. */
  lastUse(name: string): Promise<Date | null>;
  /** Revokes a credential. Returns false, without an effect, if it is in use. */
  revoke(name: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface RotatorContext {
  readonly environment: ProviderEnvironment;
  readonly tenant: ProviderTenant;
  /** The credential that Strata connects with; null if the system needs none. */
  readonly credential: string | null;
  /** The commands that the operator provides. */
  readonly commands: RotationCommands;
}

/** The executables that rotations may run, and the organizations that may use them. */
export type RotationCommands = Readonly<Record<string, RotationCommandSetting>>;
export interface RotationCommandSetting {
  readonly path: string;
  /** Ids of organizations, or `*` for all. */
  readonly organizations: readonly string[];
}

export type OpenRotator = (settings: unknown, context: RotatorContext) => Promise<RotatorSession>;
