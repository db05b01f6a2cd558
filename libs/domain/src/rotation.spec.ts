import fc from 'fast-check';
import {
  acknowledgementEvent,
  copyReason,
  isBlocking,
  isBlockingCopy,
  isUnpublished,
  nextStage,
  ROTATION_EVENTS,
  ROTATION_STAGES,
  type RotationEvent,
  type RotationStage,
  rotationStart,
  SILENT_POLICIES,
  type SilentPolicy,
} from './rotation.ts';

describe('the stages of a rotation', () => {
  const allowed: Readonly<Record<string, RotationStage>> = {
    'idle started': 'creating',
    'idle retirement_started': 'acknowledging',
    'creating created': 'publishing',
    'creating discarded': 'idle',
    'publishing published': 'acknowledging',
    'publishing discarded': 'idle',
    'acknowledging acknowledged': 'draining',
    'draining unused': 'revoking',
    'draining unacknowledged': 'acknowledging',
    'revoking revoked': 'idle',
    'revoking used': 'draining',
    'revoking unacknowledged': 'acknowledging',
    'acknowledging aborted': 'idle',
    'draining aborted': 'idle',
    'revoking aborted': 'idle',
  };
  it.each(ROTATION_STAGES.flatMap((stage) => ROTATION_EVENTS.map((event) => [stage, event] as const)))(
    '%s and the event %s',
    (stage, event) => {
      expect(nextStage(stage, event)).toBe(allowed[`${stage} ${event}`] ?? null);
    },
  );
});

describe('an instance', () => {
  it.each`
    acknowledged | alive    | dismissed | silent            | seconds | blocks
    ${true}      | ${true}  | ${false}  | ${'wait'}         | ${0}    | ${false}
    ${false}     | ${true}  | ${false}  | ${'wait'}         | ${0}    | ${true}
    ${false}     | ${false} | ${false}  | ${'wait'}         | ${9999} | ${true}
    ${false}     | ${false} | ${false}  | ${'decide'}       | ${9999} | ${true}
    ${false}     | ${false} | ${true}   | ${'decide'}       | ${0}    | ${false}
    ${false}     | ${true}  | ${true}   | ${'wait'}         | ${0}    | ${true}
    ${false}     | ${true}  | ${true}   | ${'revoke_after'} | ${9999} | ${true}
    ${true}      | ${false} | ${true}   | ${'wait'}         | ${0}    | ${false}
    ${false}     | ${false} | ${false}  | ${'revoke_after'} | ${59}   | ${true}
    ${false}     | ${false} | ${false}  | ${'revoke_after'} | ${60}   | ${false}
    ${false}     | ${true}  | ${false}  | ${'revoke_after'} | ${9999} | ${true}
  `(
    'that acknowledged: $acknowledged, reports: $alive, is dismissed: $dismissed, under $silent after $seconds s blocks: $blocks',
    ({ acknowledged, alive, dismissed, silent, seconds, blocks }) => {
      const instance = { hasAcknowledged: acknowledged, isAlive: alive, isDismissed: dismissed };
      expect(isBlocking(instance, { silent, silentAfterSeconds: 60 }, seconds)).toBe(blocks);
    },
  );
});

describe('a key that a push wrote', () => {
  it.each`
    current  | removed  | dismissed | blocks
    ${false} | ${false} | ${false}  | ${true}
    ${true}  | ${false} | ${false}  | ${false}
    ${false} | ${true}  | ${false}  | ${false}
    ${false} | ${false} | ${true}   | ${false}
  `(
    'that is current: $current, removed: $removed, dismissed: $dismissed blocks: $blocks',
    ({ current, removed, dismissed, blocks }) => {
      expect(isBlockingCopy({ isCurrent: current, isRemoved: removed, isDismissed: dismissed })).toBe(blocks);
    },
  );

  const ready = { exists: true, mayWrite: true, isTagOlder: false, needsDecision: false, run: 'ended' as const };
  it.each([
    ['deleted', { exists: false, mayWrite: false, isTagOlder: true }],
    ['read_only', { mayWrite: false, isTagOlder: true }],
    ['older_tag', { isTagOlder: true, run: 'waiting' as const }],
    ['running', { run: 'waiting' as const, needsDecision: true }],
    ['undecided', { needsDecision: true, run: 'failed' as const }],
    ['failed', { run: 'failed' as const }],
    ['not_written', {}],
  ])('waits because of %s', (reason, facts) => {
    expect(copyReason({ ...ready, ...facts })).toBe(reason);
  });
});

describe('the facts after a publication', () => {
  it.each`
    stage              | blocking | complete | used     | unused | event
    ${'acknowledging'} | ${0}     | ${true}  | ${false} | ${0}   | ${'acknowledged'}
    ${'acknowledging'} | ${0}     | ${false} | ${false} | ${0}   | ${null}
    ${'acknowledging'} | ${1}     | ${true}  | ${false} | ${0}   | ${null}
    ${'draining'}      | ${0}     | ${true}  | ${false} | ${60}  | ${'unused'}
    ${'draining'}      | ${0}     | ${false} | ${false} | ${60}  | ${null}
    ${'draining'}      | ${0}     | ${true}  | ${false} | ${59}  | ${null}
    ${'revoking'}      | ${0}     | ${true}  | ${false} | ${60}  | ${null}
    ${'revoking'}      | ${0}     | ${false} | ${false} | ${60}  | ${'used'}
    ${'revoking'}      | ${1}     | ${true}  | ${false} | ${60}  | ${'unacknowledged'}
  `(
    'in $stage with $blocking blocking, reports complete: $complete, used: $used, $unused s unused cause $event',
    ({ stage, blocking, complete, used, unused, event }) => {
      const facts = { blocking, areReportsComplete: complete, isUsed: used, unusedSeconds: unused, graceSeconds: 60 };
      expect(acknowledgementEvent(stage, facts)).toBe(event);
    },
  );
});

describe('the start of a rotation', () => {
  it.each`
    other   | retired | isOwned  | start
    ${null} | ${null} | ${false} | ${'started'}
    ${'b'}  | ${'b'}  | ${false} | ${'started'}
    ${'b'}  | ${null} | ${true}  | ${'retirement_started'}
    ${'b'}  | ${'c'}  | ${false} | ${'unknown'}
  `(
    'with the other credential $other, of which $retired was retired, is $start',
    ({ other, retired, isOwned, start }) => {
      expect(rotationStart({ otherCredential: other, retired, isOwned })).toBe(start);
    },
  );
});

/** Programs that hold one of the credentials a and b, and a rotation between them. */
interface World {
  readonly valid: Set<string>;
  published: string;
  readonly instances: { uses: string; isAlive: boolean; isDismissed: boolean }[];
  /** The keys at stores: their text, and whether the push can write the published one. */
  readonly copies: { text: string; isDismissed: boolean }[];
  /** A session that no instance reports. */
  hiddenUse: string | null;
  clock: number;
}

interface Stored {
  stage: RotationStage;
  old: string;
  candidate: string;
  retired: string | null;
  unusedSince: number | null;
  publishedAt: number;
}

const GRACE = 2;
const POLICY_SECONDS = 5;

const moves = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ is: fc.constant('step' as const), crashes: fc.boolean() }) },
    {
      weight: 4,
      arbitrary: fc.record({
        is: fc.constantFrom(...(['apply', 'silence', 'return', 'start_old', 'dismiss'] as const)),
        index: fc.nat(3),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        is: fc.constantFrom(...(['push', 'push_old', 'dismiss_push'] as const)),
        copy: fc.nat(1),
      }),
    },
    { weight: 4, arbitrary: fc.record({ is: fc.constant('rollout' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        is: fc.constantFrom('hidden_use' as const, 'hidden_end' as const, 'tick' as const, 'abort' as const),
      }),
    },
  ),
  { minLength: 20, maxLength: 80 },
);

const otherName = (id: string) => (id === 'a' ? 'b' : 'a');

/** Runs the next step of a rotation. A crash happens after the work and before its result is stored. */
function step(world: World, stored: Stored, silent: SilentPolicy, crashes: boolean): string | null {
  const move = (event: RotationEvent, changes: Partial<Stored> = {}) => {
    const stage = nextStage(stored.stage, event);
    if (stage !== null && !crashes) Object.assign(stored, changes, { stage });
  };
  if (stored.stage === 'idle') {
    const [published, candidate] = [world.published, otherName(world.published)];
    const isValid = world.valid.has(candidate) ? candidate : null;
    const credentials = { otherCredential: isValid, retired: stored.retired, isOwned: true };
    const start = rotationStart(credentials);
    if (start === 'unknown') throw new Error('Both credentials are known.');
    move(start, {
      old: start === 'started' ? published : candidate,
      candidate,
      publishedAt: world.clock,
      unusedSince: null,
    });
    return null;
  }
  if (stored.stage === 'creating') {
    world.valid.add(stored.candidate);
    move('created');
    return null;
  }
  if (stored.stage === 'publishing') {
    // The write and the stage are one transaction.
    if (crashes) return null;
    world.published = stored.candidate;
    for (const copy of world.copies) copy.isDismissed = false;
    move('published', { publishedAt: world.clock, unusedSince: null });
    return null;
  }
  const awaited = world.instances.map(({ uses, ...rest }) => ({ ...rest, hasAcknowledged: uses === world.published }));
  const secondsSincePublication = world.clock - stored.publishedAt;
  const instances = awaited.filter((row) =>
    isBlocking(row, { silent, silentAfterSeconds: POLICY_SECONDS }, secondsSincePublication),
  );
  const copies = world.copies.filter(({ text, isDismissed }) =>
    isBlockingCopy({ isCurrent: text === world.published, isRemoved: text === '', isDismissed }),
  );
  const blocking = instances.length + copies.length;
  const isUsed = world.hiddenUse === stored.old;
  const unusedSince = isUsed ? null : (stored.unusedSince ?? world.clock);
  const unusedSeconds = unusedSince === null ? 0 : world.clock - unusedSince;
  const event = acknowledgementEvent(stored.stage, {
    ...{ blocking, isUsed, unusedSeconds, graceSeconds: GRACE },
    areReportsComplete: true,
  });
  if (!crashes) stored.unusedSince = unusedSince;
  if (event !== null) {
    move(event, event === 'unacknowledged' ? { unusedSince: null } : {});
    return null;
  }
  if (stored.stage !== 'revoking') return null;
  world.valid.delete(stored.old);
  move('revoked', { retired: stored.old });
  return stored.old;
}

describe('a rotation with crashes between any two steps', () => {
  it.each(SILENT_POLICIES)('never revokes the published credential or one that is used, with %s', (silent) => {
    let revocations = 0;
    fc.assert(
      fc.property(moves, (list) => {
        const world: World = {
          valid: new Set(['a']),
          published: 'a',
          instances: Array.from({ length: 3 }, () => ({ uses: 'a', isAlive: true, isDismissed: false })),
          copies: Array.from({ length: 2 }, () => ({ text: '', isDismissed: false })),
          hiddenUse: null,
          clock: 0,
        };
        const stored: Stored = {
          stage: 'idle',
          old: '',
          candidate: '',
          retired: null,
          unusedSince: null,
          publishedAt: 0,
        };
        for (const move of list) {
          const instance = 'index' in move ? world.instances[move.index] : undefined;
          const copy = 'copy' in move ? world.copies[move.copy] : undefined;
          if (move.is === 'step') {
            const revoked = step(world, stored, silent, move.crashes);
            if (revoked === null) continue;
            revocations += 1;
            expect(world.hiddenUse).not.toBe(revoked);
            const users = world.instances.filter(({ uses }) => uses === revoked);
            expect(users.filter(({ isAlive }) => isAlive)).toEqual([]);
            expect(users.filter(({ isDismissed }) => !isDismissed && silent !== 'revoke_after')).toEqual([]);
            expect(world.copies.filter(({ text, isDismissed }) => text === revoked && !isDismissed)).toEqual([]);
          } else if (move.is === 'apply' && instance)
            Object.assign(instance, { uses: world.published, isAlive: true, isDismissed: false });
          else if (move.is === 'silence' && instance) instance.isAlive = false;
          // A program that was separated from the network reports its previous text again.
          else if (move.is === 'return' && instance) Object.assign(instance, { isAlive: true, isDismissed: false });
          else if (move.is === 'dismiss' && instance) instance.isDismissed = true;
          else if (move.is === 'push' && copy) Object.assign(copy, { text: world.published, isDismissed: false });
          // The tag of the push is older than the publication.
          else if (move.is === 'push_old' && copy && world.valid.has(stored.old))
            Object.assign(copy, { text: stored.old, isDismissed: false });
          else if (move.is === 'dismiss_push' && copy) copy.isDismissed = true;
          // A program that starts with a cached text uses the previous credential.
          else if (move.is === 'start_old' && world.valid.has(stored.old))
            world.instances.push({ uses: stored.old, isAlive: true, isDismissed: false });
          else if (move.is === 'hidden_use' && world.valid.has(stored.old)) world.hiddenUse = stored.old;
          else if (move.is === 'rollout') {
            for (const program of world.instances) program.uses = world.published;
            for (const pushed of world.copies) Object.assign(pushed, { text: world.published, isDismissed: false });
            world.hiddenUse = null;
            world.clock += GRACE;
          } else if (move.is === 'hidden_end') world.hiddenUse = null;
          else if (move.is === 'tick') world.clock += 1;
          else if (move.is === 'abort' && isUnpublished(stored.stage)) {
            world.valid.delete(stored.candidate);
            Object.assign(stored, { stage: nextStage(stored.stage, 'discarded'), retired: stored.candidate });
          } else if (move.is === 'abort' && stored.stage !== 'idle') {
            Object.assign(stored, { stage: nextStage(stored.stage, 'aborted') });
          }
          expect(world.valid.has(world.published)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
    expect(revocations).toBeGreaterThan(0);
  });
});
