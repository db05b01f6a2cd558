import { Failure } from '@strata/domain';
import { observer } from '../../platform/observer.ts';

/** Reports the result of a sign-in to the metrics. */
export async function observedSignIn<Result>(signIn: () => Promise<Result>): Promise<Result> {
  try {
    const result = await signIn();
    observer?.signIn('succeeded');
    return result;
  } catch (error) {
    observer?.signIn(error instanceof Failure ? error.code : 'internal');
    throw error;
  }
}
