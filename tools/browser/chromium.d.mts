import type { Browser } from 'playwright-core';

interface Chromium {
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
}

export function startBrowser(): Promise<{ readonly browser?: Browser; readonly missing?: string }>;
export function findChromium(): Chromium | undefined;
