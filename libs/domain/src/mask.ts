/** Replaces a secret for readers: five asterisks whatever the length of the secret (behaviour.md §5.3). */
export const MASK = '*****';

/** Returns the text for a reader who requested `mask_secrets`. Null stays null, because a missing text is no secret. */
export function maskText(text: string | null, isSecret: boolean): string | null {
  return isSecret && text !== null ? MASK : text;
}
