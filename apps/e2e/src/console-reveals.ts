import type { AuditTrail, Page } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import type { ConsolePerson } from './console-browser.ts';

const TRIES = 100;
const PAUSE_MS = 100;

/**
 * Waits until the audit log contains a reveal by a user, and returns the users of all reveals. The core writes reveals shortly after they
 * happen.
 */
export async function untilRevealed({ owner }: TestOrganization, name: string): Promise<readonly string[]> {
  for (let tries = TRIES; tries > 0; tries -= 1) {
    const { body } = await owner.get<Page<AuditTrail>>('audit/?action=reveal');
    const names = body.results.flatMap(({ user }) => user.name ?? []);
    if (names.includes(name)) return names;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`${name} was shown nothing.`);
}

interface EventWindow {
  readonly Event: new (type: string) => object;
  dispatchEvent(event: object): void;
}

/** Makes the page behave as if its window has lost the focus. */
export const blurWindow = ({ page }: ConsolePerson): Promise<void> =>
  page.evaluate(() => {
    const { dispatchEvent, Event } = globalThis as unknown as EventWindow;
    dispatchEvent(new Event('blur'));
  });
