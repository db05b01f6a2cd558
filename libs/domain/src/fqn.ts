import { withoutTrailingSlashes } from './trailing-slashes.ts';

/** The location of external content: `scheme://authority/path`. */
interface Fqn {
  readonly scheme: string;
  readonly authority: string;
  /** Without the leading slash; empty for the root. */
  readonly path: string;
}

/** Each scheme belongs to a kind of integration (behaviour.md §14). */
const FQN_SCHEMES = ['aws', 'azure', 'google', 'github'] as const;
type FqnScheme = (typeof FQN_SCHEMES)[number];

const FQN = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\s]+)(?:\/([^\s]*))?$/i;

/** Returns null if the text is not such a location. */
export function parseFqn(text: string): Fqn | null {
  const [, scheme, authority, path = ''] = FQN.exec(text.trim()) ?? [];
  return scheme === undefined || authority === undefined ? null : { scheme: scheme.toLowerCase(), authority, path };
}

/** Returns whether an integration can have this scheme. */
export function isKnownScheme(scheme: string): scheme is FqnScheme {
  return FQN_SCHEMES.some((candidate) => candidate === scheme);
}

/** Returns whether a location is that of the integration or below it. */
export function isWithin(fqn: string, integration: string): boolean {
  const root = withoutTrailingSlashes(integration).toLowerCase();
  const fqnPath = withoutTrailingSlashes(fqn.trim()).toLowerCase();
  return fqnPath === root || fqnPath.startsWith(`${root}/`);
}

/** Returns the path of a location below an integration that it is within, without the slash between them. */
export function pathBelow(fqn: string, integration: string): string {
  return fqn.trim().slice(withoutTrailingSlashes(integration).length + 1);
}
