/** A template in the version that the user has seen. */
export interface LoadedTemplate {
  readonly ledgerId: string;
  readonly body: string;
}

export type EditingStatus =
  /** The stored version is the one that the user edits. */
  | 'current'
  /** There is a newer version, which the editor can adopt without losing text. */
  | 'moved'
  /** Another user has stored a different text. */
  | 'conflict'
  /** The template was deleted or renamed. */
  | 'gone';

/** Compares the version that the user edits with the stored one. */
export function editingStatus(
  base: LoadedTemplate,
  currentTemplate: LoadedTemplate | null,
  text: string,
): EditingStatus {
  if (currentTemplate === null) return 'gone';
  if (currentTemplate.ledgerId === base.ledgerId) return 'current';
  const isHarmless = currentTemplate.body === base.body || text === base.body || text === currentTemplate.body;
  return isHarmless ? 'moved' : 'conflict';
}
