/** The tab keeps its values while it shows a page of another site. All tabs share those of the browser. */
type StorageScope = 'browser' | 'tab';

const selectStorage = (scope: StorageScope): Storage => (scope === 'tab' ? sessionStorage : localStorage);

/** Returns a stored value; null if there is none or if storage is disabled. */
export function readStored(key: string, scope: StorageScope = 'browser'): string | null {
  try {
    return selectStorage(scope).getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value, or removes it if it is null. */
export function writeStored(key: string, text: string | null, scope: StorageScope = 'browser'): void {
  try {
    if (text === null) selectStorage(scope).removeItem(key);
    else selectStorage(scope).setItem(key, text);
  } catch {
    // If storage is disabled, the value is not remembered.
  }
}
