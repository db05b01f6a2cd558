import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';
import type { ChangesetOperations } from './plan.ts';
import { Planning } from './planning.tsx';

export type { ChangesetOperations } from './plan.ts';

export interface PlannedChangeProps {
  /** What would be done. The same array for as long as it is the same: a new one is planned anew. */
  readonly operations: ChangesetOperations;
  readonly verb: string;
  readonly busyVerb: string;
  /** Said in the history where the person says nothing. */
  readonly message: string;
  /** Where something new has its first values from: `inherited from default`. Undefined where nothing is made. */
  readonly valuesFrom?: ReactNode;
  /** Beside the button: how to leave without it. */
  readonly aside?: ReactNode;
  /** Everything that was read is read again by itself. */
  onApplied(revision: number): void | Promise<void>;
}

const load = () => import('./change-plan.tsx');
const ChangePlan = lazyPart(async () => (await load()).ChangePlan);

/** Loads what shows a plan while somebody still types what is to be planned. A browser that cannot says so when it is needed. */
export const loadPlannedChange = (): void => void load().catch(() => undefined);

/** What operations would do, and that they are done: just what was shown, or nothing. */
export function PlannedChange(props: PlannedChangeProps) {
  return (
    <Suspense fallback={<Planning />}>
      <ChangePlan {...props} />
    </Suspense>
  );
}
