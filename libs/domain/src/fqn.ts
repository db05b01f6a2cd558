/** Where external content lives: `scheme://authority/path`. */
export interface Fqn {
  readonly scheme: string;
  readonly authority: string;
  /** Without the slash in front; empty for the place itself. */
  readonly path: string;
}

/** Schemes that stand for a kind of integration (behaviour.md §14). */
export const FQN_SCHEMES = ['aws', 'azure', 'github'] as const;
export type FqnScheme = (typeof FQN_SCHEMES)[number];

const FQN = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\s]+)(?:\/([^\s]*))?$/i;

/** Null when the text is no such place. */
export function parseFqn(text: string): Fqn | null {
  const [, scheme, authority, path = ''] = FQN.exec(text.trim()) ?? [];
  return scheme === undefined || authority === undefined ? null : { scheme: scheme.toLowerCase(), authority, path };
}

/** Whether somebody could have an integration for it. */
export function isKnownScheme(scheme: string): scheme is FqnScheme {
  return FQN_SCHEMES.some((known) => known === scheme);
}

/** Whether a place is the one of an integration, or below it. */
export function isWithin(fqn: string, integration: string): boolean {
  const root = integration.replace(/\/+$/, '').toLowerCase();
  const fqnPath = fqn.trim().replace(/\/+$/, '').toLowerCase();
  return fqnPath === root || fqnPath.startsWith(`${root}/`);
}
