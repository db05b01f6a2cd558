/** A template in a version that somebody has seen. */
export interface SeenTemplate {
  readonly ledgerId: string;
  readonly body: string;
}

export type EditingStanding =
  /** What is stored is what the editing began with. */
  | 'current'
  /** It is another version, and nothing would be lost by going on from there. */
  | 'moved'
  /** Somebody else has written another text meanwhile. */
  | 'conflict'
  /** It is not there any more, or has another name. */
  | 'gone';

/** How a text that is being written stands to what is stored by now. */
export function standingOf(base: SeenTemplate, present: SeenTemplate | null, text: string): EditingStanding {
  if (present === null) return 'gone';
  if (present.ledgerId === base.ledgerId) return 'current';
  const isHarmless = present.body === base.body || text === base.body || text === present.body;
  return isHarmless ? 'moved' : 'conflict';
}
