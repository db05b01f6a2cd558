/** The time after which a copied secret is removed from the clipboard. */
const SECRET_MS = 60_000;

/** Stops the removal of a copied secret; null if there is none. */
let keepSecret: AbortController | null = null;

/** The copies that the page has prevented. */
const prevented = new WeakSet<Event>();

/** Prevents that the browser copies the selected text. A secret on the clipboard is still removed. */
export function preventCopy(event: ClipboardEvent): void {
  event.preventDefault();
  prevented.add(event);
}

/** Writes a text to the clipboard. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  keepSecret?.abort();
}

/**
 * Writes a text to the clipboard that may still have to be loaded. Browsers allow this only right after a click or a key, so the call itself
 * must not wait for the text.
 */
export async function copyWhenLoaded(text: Promise<string>): Promise<void> {
  const blob = text.then((loadedText) => new Blob([loadedText], { type: 'text/plain' }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
  keepSecret?.abort();
}

/**
 * Writes a secret to the clipboard, and removes it after a minute. Another copy in this page prevents that. If the browser does not allow
 * the page to read the clipboard, the page cannot notice copies elsewhere, so it removes whatever the clipboard contains.
 */
export async function copySecret(text: string): Promise<void> {
  await copyText(text);
  const secretCopy = new AbortController();
  keepSecret = secretCopy;
  // Parts of the page keep these events to themselves, so they are observed before they reach them, and checked afterwards.
  const observe = (event: Event) => void setTimeout(() => prevented.has(event) || secretCopy.abort());
  for (const type of ['copy', 'cut']) {
    document.addEventListener(type, observe, { capture: true, signal: secretCopy.signal });
  }
  setTimeout(async () => remove(text, await mayRead(), secretCopy), SECRET_MS);
}

/**
 * Removes a secret from the clipboard. No browser lets a page write to the clipboard without the focus, and some do only during a click, so
 * a page that may not repeats it at the next one.
 */
async function remove(text: string, canRead: boolean, secretCopy: AbortController): Promise<void> {
  if (secretCopy.signal.aborted) return;
  try {
    const isReplaced = canRead && (await navigator.clipboard.readText()) !== text;
    if (secretCopy.signal.aborted) return;
    if (!isReplaced) await navigator.clipboard.writeText('');
    secretCopy.abort();
  } catch {
    const clearAbort = new AbortController();
    const retry = () => {
      clearAbort.abort();
      void remove(text, canRead, secretCopy);
    };
    for (const type of ['focus', 'click']) {
      // In the capture phase, so that a click on a button that copies comes after it.
      addEventListener(type, retry, { capture: true, signal: clearAbort.signal });
    }
  }
}

/** Returns whether the page may read the clipboard without a question to the user. Some browsers do not know the permission. */
async function mayRead(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state === 'granted';
  } catch {
    return false;
  }
}
