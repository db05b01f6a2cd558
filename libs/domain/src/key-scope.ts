import type { EnvironmentId, ProjectId } from './ids.ts';

/** The scopes that an API key can have. Every key has `read`. */
export const KEY_SCOPES = ['read', 'write', 'reveal'] as const;
export type ApiKeyScope = (typeof KEY_SCOPES)[number];

/** The lifetime that the console and the command line propose for a new key. */
export const PROPOSED_KEY_DAYS = 90;

/** A project, and what a key that is limited to some scopes permits there, or an environment where it permits nothing. */
export interface ApiKeyLocation {
  readonly id: ProjectId | EnvironmentId;
  /** `reading`: a project that one of its projects depends on. */
  readonly permits: 'everything' | 'reading' | 'nothing';
}

/** The projects and environments that an API key is limited to; null for no limit. */
export interface KeyLimit {
  readonly scopes: readonly ApiKeyScope[] | null;
  readonly projectIds: readonly ProjectId[] | null;
  readonly environmentIds: readonly EnvironmentId[] | null;
}
