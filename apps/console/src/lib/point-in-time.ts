/** The point in time that the console shows, according to the URL. */
export type DisplayedPointInTime =
  | { readonly kind: 'now' }
  | { readonly kind: 'instant'; readonly instant: string }
  | { readonly kind: 'revision'; readonly revision: number }
  | { readonly kind: 'tag'; readonly environment: string; readonly tag: string };

export const NOW: DisplayedPointInTime = { kind: 'now' };

/** Parses `2026-11-22T10:00:00Z`, `r12` or `tag:production/v1`. Every other text means the present. */
export function parsePointInTime(text: string | undefined): DisplayedPointInTime {
  if (text === undefined) return NOW;
  const [, revision] = /^r(\d{1,15})$/.exec(text) ?? [];
  if (revision !== undefined) return { kind: 'revision', revision: Number(revision) };
  const [, environment, tag] = /^tag:([^/]+)\/(.+)$/.exec(text) ?? [];
  if (environment !== undefined && tag !== undefined) return { kind: 'tag', environment, tag };
  const isInstant = /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text));
  return isInstant ? { kind: 'instant', instant: text } : NOW;
}

/** Formats a point in time for the URL; undefined for the present. */
export function formatPointInTime(pointInTime: DisplayedPointInTime): string | undefined {
  switch (pointInTime.kind) {
    case 'now':
      return undefined;
    case 'instant':
      return pointInTime.instant;
    case 'revision':
      return `r${pointInTime.revision}`;
    case 'tag':
      return `tag:${pointInTime.environment}/${pointInTime.tag}`;
  }
}

/** The arguments of a query for a point in time. At most one of them is set. */
export interface PointInTimeArgs {
  readonly asOf?: string;
  readonly revision?: number;
}
