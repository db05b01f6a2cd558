import fs from 'node:fs';

/** Writes a file that can contain secrets. A file that exists already could be readable for others. */
export function writePrivately(file: string, text: string): void {
  const descriptor = fs.openSync(file, 'w', 0o600);
  try {
    if (fs.fstatSync(descriptor).isFile()) fs.fchmodSync(descriptor, 0o600);
    fs.writeFileSync(descriptor, text);
  } finally {
    fs.closeSync(descriptor);
  }
}
