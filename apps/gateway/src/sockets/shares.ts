import { isIPv6 } from 'node:net';

/** How much of something each of many has, up to a bound for one. */
export class Shares {
  private readonly held = new Map<string, number>();

  constructor(private readonly max: number) {}

  isFull(key: string): boolean {
    return (this.held.get(key) ?? 0) >= this.max;
  }

  /** Takes one more; what is returned gives it back, once however often it is called. Null when the share is used up. */
  take(key: string): (() => void) | null {
    if (this.isFull(key)) return null;
    this.held.set(key, (this.held.get(key) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.held.get(key) ?? 1) - 1;
      // Who has nothing leaves no trace: addresses come and go.
      if (left === 0) this.held.delete(key);
      else this.held.set(key, left);
    };
  }
}

/** Whom an address is counted as. Whoever has one address of IPv6 has its whole network of 2^64. */
export function shareOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean));
  const missing = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (after?.length ?? 0);
  const groups = [...(before ?? []), ...Array<string>(Math.max(missing, 0)).fill('0'), ...(after ?? [])];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
