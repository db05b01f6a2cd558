import { useQuery } from '@tanstack/react-query';
import { ArrowDownRight } from 'lucide-react';
import { Fragment, useMemo } from 'react';
import { environmentsQuery } from '../../data/environments.ts';
import {
  compareByCell,
  effectKey,
  type PlannedEffect,
  type ReviewDifference,
  writtenCellKeys,
} from '../../data/plan.ts';
import type { Drafts } from '../../lib/draft.ts';
import { UserText } from '../../ui/user-text.tsx';
import { effectLocation, effectText } from './draft-descriptions.ts';
import { TextChange } from './draft-list.tsx';
import styles from './effects.module.css';

interface EffectsProps {
  readonly effects: readonly PlannedEffect[];
  /** The number of all effects, including those that are not listed. */
  readonly total: number;
  /** The drafts that cause the effects; null if the plan has other operations. */
  readonly drafts: Drafts | null;
  readonly difference?: ReviewDifference | null;
  /** Whether all effects are first values of new objects. */
  readonly isBeginning?: boolean;
}

/** Lists the changed effective values, grouped by project and environment. */
export function Effects(props: EffectsProps) {
  const { effects, total, drafts, difference = null, isBeginning = false } = props;
  const { data: environments = [] } = useQuery(environmentsQuery());
  const draftKeys = useMemo(() => drafts && writtenCellKeys(drafts), [drafts]);
  return (
    <>
      {total > effects.length && (
        <p className={styles.more}>
          The first {effects.length.toLocaleString()} of {total.toLocaleString()}.
        </p>
      )}
      {compareByCell(effects, environments).map(({ projectName, environmentName, effects: cellEffects }) => (
        <section key={`${projectName} ${environmentName}`} className={styles.place}>
          <h3>
            <UserText>{environmentName}</UserText>{' '}
            <span>
              <UserText>{projectName}</UserText>
            </span>
            <span className={styles.count}>{cellEffects.length}</span>
          </h3>
          <ul>
            {cellEffects.map((effect) => (
              <Effect
                key={effect.parameterName}
                effect={effect}
                follows={draftKeys !== null && !draftKeys.has(effectKey(effect))}
                isBeginning={isBeginning}
                isNew={difference?.changed.has(effectKey(effect)) ?? false}
              />
            ))}
          </ul>
        </section>
      ))}
      <GoneEffects difference={difference} />
    </>
  );
}

/** Lists the effects that the newer plan no longer contains. */
export function GoneEffects({ difference }: { readonly difference: ReviewDifference | null }) {
  if (!difference || difference.vanished.length === 0) return null;
  return (
    <p className={styles.more}>
      No longer included:{' '}
      {difference.vanished.map((effect, at) => (
        <Fragment key={effectKey(effect)}>
          {at > 0 && ', '}
          <UserText>{effect.parameterName}</UserText> in <UserText>{effect.environmentName}</UserText>
        </Fragment>
      ))}
      .
    </p>
  );
}

interface EffectProps {
  readonly effect: PlannedEffect;
  readonly follows: boolean;
  readonly isBeginning: boolean;
  readonly isNew: boolean;
}

function Effect({ effect, follows, isBeginning, isNew }: EffectProps) {
  return (
    <li className={styles.effect} data-follows={follows || undefined} data-new={isNew || undefined}>
      <span className={styles.name}>
        {follows && <ArrowDownRight size={12} role="img" aria-label="follows:" />}
        <code>
          <UserText>{effect.parameterName}</UserText>
        </code>
        {isNew && <b>new</b>}
      </span>
      <TextChange
        of={effectLocation(effect)}
        before={isBeginning ? null : effectText(effect, 'before')}
        after={effectText(effect, 'after')}
      />
      {effect.problem !== null && (
        <p className={styles.problem}>
          <UserText>{effect.problem}</UserText>
        </p>
      )}
    </li>
  );
}
