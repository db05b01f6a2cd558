/**
 * Writes a text to the clipboard that may still have to be loaded. Browsers allow this only right after a click or a key, so the call itself
 * must not wait for the text.
 */
export function copyWhenLoaded(text: Promise<string>): Promise<void> {
  const blob = text.then((loaded) => new Blob([loaded], { type: 'text/plain' }));
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}
