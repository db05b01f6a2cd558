import fs from 'node:fs';

const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = fs.constants;

/**
 * Writes a file that can contain secrets. A file that exists already could be readable for others. `followsLink`
 * permits a symbolic link, such as /dev/stdout.
 */
export function writePrivately(file: string, text: string, { followsLink = true } = {}): void {
  const flags = O_WRONLY | O_CREAT | O_TRUNC | (followsLink ? 0 : O_NOFOLLOW);
  const descriptor = fs.openSync(file, flags, 0o600);
  try {
    if (fs.fstatSync(descriptor).isFile()) fs.fchmodSync(descriptor, 0o600);
    fs.writeFileSync(descriptor, text);
  } finally {
    fs.closeSync(descriptor);
  }
}
