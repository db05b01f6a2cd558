/** The point in time that the console shows, according to the URL. */
export type ShownMoment =
  | { readonly kind: 'now' }
  | { readonly kind: 'instant'; readonly instant: string }
  | { readonly kind: 'revision'; readonly revision: number }
  | { readonly kind: 'tag'; readonly environment: string; readonly tag: string };

export const NOW: ShownMoment = { kind: 'now' };

/** Parses `2026-11-22T10:00:00Z`, `r12` or `tag:production/v1`. Every other text means the present. */
export function momentIn(text: string | undefined): ShownMoment {
  if (text === undefined) return NOW;
  const [, revision] = /^r(\d{1,15})$/.exec(text) ?? [];
  if (revision !== undefined) return { kind: 'revision', revision: Number(revision) };
  const [, environment, tag] = /^tag:([^/]+)\/(.+)$/.exec(text) ?? [];
  if (environment !== undefined && tag !== undefined) return { kind: 'tag', environment, tag };
  const isInstant = /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text));
  return isInstant ? { kind: 'instant', instant: text } : NOW;
}

/** Formats a point in time for the URL; undefined for the present. */
export function momentText(moment: ShownMoment): string | undefined {
  switch (moment.kind) {
    case 'now':
      return undefined;
    case 'instant':
      return moment.instant;
    case 'revision':
      return `r${moment.revision}`;
    case 'tag':
      return `tag:${moment.environment}/${moment.tag}`;
  }
}

/** The arguments of a query for a point in time. At most one of them is set. */
export interface MomentArgs {
  readonly asOf?: string;
  readonly revision?: number;
}
