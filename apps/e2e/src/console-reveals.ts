import type { AuditTrail, Page } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';

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
