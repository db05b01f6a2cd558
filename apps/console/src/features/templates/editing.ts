/** A template in the version that the user saw. */
export interface LoadedTemplate {
  readonly ledgerId: string;
  readonly body: string;
}

export type EditingStatus =
  /** The stored version is the one that the user edits. */
  | 'current'
  /** The stored version is another one. The editor can continue from it without losing text. */
  | 'moved'
  /** Another user has stored another text meanwhile. */
  | 'conflict'
  /** The template was deleted or renamed. */
  | 'gone';

/** Compares the version that the user edits with the stored one. */
export function editingStatus(base: LoadedTemplate, present: LoadedTemplate | null, text: string): EditingStatus {
  if (present === null) return 'gone';
  if (present.ledgerId === base.ledgerId) return 'current';
  const isHarmless = present.body === base.body || text === base.body || text === present.body;
  return isHarmless ? 'moved' : 'conflict';
}
