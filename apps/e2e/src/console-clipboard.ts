import type { ConsolePerson } from './console-browser.ts';

interface BrowserPage {
  readonly navigator: { readonly clipboard: { readText(): Promise<string>; writeText(text: string): Promise<void> } };
}

/** Lets the page use the clipboard without a question. */
export const allowClipboard = ({ page }: ConsolePerson): Promise<void> =>
  page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

/** Returns the text on the clipboard. */
export const readClipboard = ({ page }: ConsolePerson): Promise<string> =>
  page.evaluate(() => (globalThis as unknown as BrowserPage).navigator.clipboard.readText());

/** Puts a text on the clipboard. */
export const putOnClipboard = ({ page }: ConsolePerson, text: string): Promise<void> =>
  page.evaluate(
    (clipboardText) => (globalThis as unknown as BrowserPage).navigator.clipboard.writeText(clipboardText),
    text,
  );

/** Waits until the clipboard is empty, in a page whose clock the test controls. */
export async function untilCleared(person: ConsolePerson): Promise<void> {
  for (let tries = 0; tries < 100 && (await readClipboard(person)) !== ''; tries += 1)
    await person.page.clock.runFor(100);
}
