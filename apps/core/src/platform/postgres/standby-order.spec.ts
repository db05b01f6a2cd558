import fc from 'fast-check';
import { compareHeads } from './standby.ts';

/** A write of one organization. Its number is the revision that it takes. */
interface Write {
  readonly organization: number;
  readonly revision: number;
}

/**
 * A primary server and a standby. On the primary server, writes become visible when their sessions finish; on the standby, in the
 * order of the log. Sessions finish in any order.
 */
class Servers {
  private readonly revisions = [0, 0];
  /** Writes that have begun and are not in the log. */
  private readonly begun: Write[] = [];
  /** Writes in the log that the primary server does not show yet. */
  private readonly finishing: Write[] = [];
  private readonly log: Write[] = [];
  private replayedCount = 0;
  private readonly onPrimary = new Set<Write>();

  constructor(private readonly hasLock: boolean) {}

  begin(organization: number): void {
    const isLocked = [...this.begun, ...this.finishing].some((write) => write.organization === organization);
    if (this.hasLock && isLocked) return;
    const revision = (this.revisions[organization] ?? 0) + 1;
    this.revisions[organization] = revision;
    this.begun.push({ organization, revision });
  }

  flush(choice: number): void {
    const [write] = this.begun.splice(choice % (this.begun.length || 1), 1);
    if (!write) return;
    this.log.push(write);
    this.finishing.push(write);
  }

  finish(choice: number): void {
    const [write] = this.finishing.splice(choice % (this.finishing.length || 1), 1);
    if (write) this.onPrimary.add(write);
  }

  replay(): void {
    this.replayedCount = Math.min(this.log.length, this.replayedCount + 1);
  }

  /** Reads the revisions of an organization as the core does, and as the primary server shows them. */
  read(organization: number): { readonly result: readonly number[]; readonly current: readonly number[] } {
    const current = listRevisions(this.onPrimary, organization);
    const replayed = listRevisions(this.log.slice(0, this.replayedCount), organization);
    const isEqual = compareHeads(createHead(replayed), createHead(current)) === 'equal';
    return { result: isEqual ? replayed : current, current };
  }
}

const listRevisions = (writes: Iterable<Write>, organization: number): readonly number[] =>
  [...writes]
    .filter((write) => write.organization === organization)
    .map(({ revision }) => revision)
    .sort((a, b) => a - b);

function createHead(revisions: readonly number[]) {
  const revision = Math.max(0, ...revisions);
  return { epoch: 'epoch', revision, at: String(revision) };
}

interface Step {
  readonly action: 'begin' | 'flush' | 'finish' | 'replay' | 'read';
  readonly choice: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom('begin', 'flush', 'finish', 'replay', 'read'),
  choice: fc.nat({ max: 5 }),
});

/** Returns whether all reads are those of one server that never loses what it has shown. */
function isLinearizable(servers: Servers, steps: readonly Step[]): boolean {
  return steps.every(({ action, choice }) => {
    if (action === 'replay') servers.replay();
    else if (action !== 'read') servers[action](action === 'begin' ? choice % 2 : choice);
    else {
      const { result, current } = servers.read(choice % 2);
      return String(result) === String(current);
    }
    return true;
  });
}

const property = (hasLock: boolean) =>
  fc.property(fc.array(step, { minLength: 40, maxLength: 60, size: 'max' }), (steps) =>
    isLinearizable(new Servers(hasLock), steps),
  );

describe('a read at the head of the primary server', () => {
  it('returns what the primary server shows, if an organization has one writer at a time', () => {
    fc.assert(property(true), { numRuns: 2_000 });
  });

  it('sees a long fork if an organization has several writers', () => {
    expect(fc.check(property(false), { numRuns: 2_000 }).failed).toBe(true);
  });
});
