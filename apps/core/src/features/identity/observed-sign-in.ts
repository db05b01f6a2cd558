import { Failure } from '@strata/domain';
import { coreObserver } from '../../platform/observer.ts';

/** Reports the result of a sign-in to the metrics. */
export async function observedSignIn<Result>(signIn: () => Promise<Result>): Promise<Result> {
  try {
    const result = await signIn();
    coreObserver?.signIn('succeeded');
    return result;
  } catch (error) {
    coreObserver?.signIn(error instanceof Failure ? error.code : 'internal');
    throw error;
  }
}
