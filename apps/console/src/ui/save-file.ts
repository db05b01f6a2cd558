/** The browser has read the blob after this time. */
const TAKEN_MS = 1_000;

/** Downloads a text as a file. No address contains the text: the address of the blob is random and is revoked. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), TAKEN_MS);
}
