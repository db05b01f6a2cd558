/** Returns the text with the line breaks of text fields and editors. */
export const withoutCarriageReturns = (text: string): string => text.replace(/\r\n?/g, '\n');

/** Returns whether two texts differ at most in their kind of line breaks, which text fields and editors do not keep. */
export const isSameText = (left: string, right: string): boolean =>
  withoutCarriageReturns(left) === withoutCarriageReturns(right);

/** Returns an edited text with the line breaks of the text before, if that one has only breaks of Windows. */
export function keepLineBreaks(before: string, editedText: string): string {
  const isWindows = before.includes('\r\n') && !/(?:^|[^\r])\n|\r(?!\n)/.test(before);
  return isWindows ? withoutCarriageReturns(editedText).replaceAll('\n', '\r\n') : editedText;
}
