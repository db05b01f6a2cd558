/** What a reader sees instead of a secret: five asterisks whatever its length (behaviour.md §5.3). */
export const MASK = '*****';

/** The text as a reader who asked for `mask_secrets` sees it. Null stays null: that there is no text is no secret. */
export function masked(text: string | null, isSecret: boolean): string | null {
  return isSecret && text !== null ? MASK : text;
}
