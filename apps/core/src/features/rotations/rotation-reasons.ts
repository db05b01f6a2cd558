import { INSTANCE_LIMITS } from '@strata/contract';
import { formatCount } from '@strata/domain';
import type { BlockingInstances } from './rotation-instances.ts';
import type { BlockingPushes } from './rotation-pushes.ts';
import type { Reason } from './rotation-row.ts';
import { VALUE_CHANGED } from './rotation-values.ts';

/** The instances and pushes that prevent the revocation of the previous credential. */
export interface Blocking {
  readonly instances: BlockingInstances;
  readonly pushes: BlockingPushes;
}

/** Names no instance, because not everyone who reads the rotation may read the projects of the instances. */
export function describeBlocking({ instances, pushes }: Blocking, decidesAboutSilent: boolean): Reason {
  const needsDecision = decidesAboutSilent && instances.hasSilent;
  const sentences = [];
  if (instances.count > 0)
    sentences.push(`${formatCount(instances.count, 'instance')} must still acknowledge the new credential.`);
  if (needsDecision) sentences.push('Some do not report any more. Dismiss those that have ended.');
  if (pushes.count > 0) sentences.push(`${formatCount(pushes.count, 'push', 'pushes')} must still write the new text.`);
  if (pushes.needsPerson) sentences.push('Some do not write it by themselves. Correct them, or dismiss them.');
  const waiting = instances.count > 0 ? 'instances' : 'pushes';
  const code = needsDecision ? 'silent_instances' : pushes.needsPerson ? 'undecided_pushes' : waiting;
  return { code, detail: sentences.join(' ') };
}

export const CHANGED: Reason = { code: 'value_changed', detail: VALUE_CHANGED };

export const inUse = (name: string): Reason => ({
  code: 'in_use',
  detail: `The credential ${name} is still used by a program that reports no instance.`,
});

export const REPORTS_INCOMPLETE: Reason = {
  code: 'reports_incomplete',
  detail: `Instances could not report for some time. Nothing is revoked for ${INSTANCE_LIMITS.lifetimeMinutes} minutes, so that they can report again.`,
};

export const UNUSABLE_VALUE: Reason = {
  code: 'unusable_value',
  detail:
    'The environment has no own value of the secret parameter that a rotation can replace. Set one, and rotate again.',
};

export const UNKNOWN_TEXT: Reason = {
  code: 'unknown_text',
  detail: 'The secret does not contain a credential of this rotation. Set the text of a working one, and rotate again.',
};

export const PUBLISHED_FAILS: Reason = {
  code: 'published_fails',
  detail:
    'The system rejects the published credential, so the previous one is not revoked. Check the published one, and rotate again.',
};

export const NOT_ACCEPTED = {
  code: 'not_accepted_yet',
  detail: 'The system does not accept the new credential yet. It is published when it works.',
};

export const unknownCredential = (name: string): Reason => ({
  code: 'unknown_credential',
  detail: `The system has the credential ${name}, which this rotation did not create. Delete it if it is unused, and rotate again.`,
});
