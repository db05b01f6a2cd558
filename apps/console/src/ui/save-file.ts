/** The time after which the browser has read the blob. */
const TAKEN_MS = 1_000;

/** Downloads a text as a file. The URL of the download does not contain the text: it is a random blob URL that is revoked afterwards. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), TAKEN_MS);
}
