import type { CellState } from './matrix.ts';

/** One side of a difference, as stored. */
interface PromotedSide {
  readonly states: readonly CellState[];
  /** The stored text; null for an explicit null, for a secret and if there is no value. */
  readonly text: string | null;
}

/** The side to change. */
interface PromotionTarget extends PromotedSide {
  /** Whether the parameter is secret on this side; null if the name does not exist there. */
  readonly isSecretParameter: boolean | null;
  /** The kind of the value that would be effective on this side if none were set there. */
  readonly withoutOwn: 'nothing' | 'something' | 'closed';
}

export const PROMOTION_ACTIONS = ['set', 'copy_secret', 'unset', 'nothing', 'impossible'] as const;
export type PromotionAction = (typeof PROMOTION_ACTIONS)[number];

export interface PromotionStep {
  readonly action: PromotionAction;
  /** The reason for `nothing` and `impossible`, as a sentence. */
  readonly reason?: string;
}

/**
 * Returns the action that gives a name in one environment the value that it has in another one. Dynamic texts are
 * copied as written, and secrets as encrypted. `isSecretSource` is whether the source's parameter is secret.
 */
export function promotionStep(
  source: PromotedSide & { readonly isSecretSource: boolean },
  target: PromotionTarget,
): PromotionStep {
  if (source.states.includes('missing')) return toUnset(target);
  const isSecret = source.isSecretSource && !source.states.includes('null');
  if (target.isSecretParameter !== null && target.isSecretParameter !== source.isSecretSource) {
    return { action: 'impossible', reason: 'One of the two parameters is secret and the other is not.' };
  }
  if (isSecret) return { action: 'copy_secret' };
  const isSame = source.states.includes('dynamic') && target.states.includes('dynamic') && source.text === target.text;
  if (isSame)
    return { action: 'nothing', reason: 'Both sides have this text, but its references resolve to different values.' };
  return { action: 'set' };
}

function toUnset({ states, withoutOwn }: PromotionTarget): PromotionStep {
  if (!states.includes('own')) {
    return { action: 'impossible', reason: 'The value is inherited. It can only be removed where it is set.' };
  }
  if (withoutOwn === 'nothing') return { action: 'unset' };
  const reason =
    withoutOwn === 'closed'
      ? 'The value that would then apply is in a project or environment that you cannot access.'
      : 'If the value is removed, another one is inherited.';
  return { action: 'impossible', reason };
}
