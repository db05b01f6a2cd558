/** By then the browser has taken what it was given. */
const TAKEN_MS = 1_000;

/** Hands a text to the browser to be kept as a file. It stands in no address: that of the blob says nothing, and ends. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), TAKEN_MS);
}
