import { useQuery } from '@tanstack/react-query';
import { ArrowDownRight } from 'lucide-react';
import { Fragment, useMemo } from 'react';
import { environmentsQuery } from '../../data/environments.ts';
import { byCell, effectKey, type PlannedEffect, type ReviewDifference, writtenKeys } from '../../data/plan.ts';
import type { Drafts } from '../../lib/draft.ts';
import { UserText } from '../../ui/user-text.tsx';
import { TextChange } from './draft-list.tsx';
import { type DraftText, draftText } from './draft-words.ts';
import styles from './effects.module.css';

interface EffectsProps {
  readonly effects: readonly PlannedEffect[];
  /** The number of all effects, including those that are not listed. */
  readonly total: number;
  /** The drafts that cause the effects; null if the plan has other operations. */
  readonly drafts: Drafts | null;
  readonly difference?: ReviewDifference | null;
  /** Whether the effects have been applied. */
  readonly isDone?: boolean;
  /** Whether all effects are first values of new objects. */
  readonly isBeginning?: boolean;
}

/** Lists the changed effective values, grouped by project and environment. */
export function Effects(props: EffectsProps) {
  const { effects, total, drafts, difference = null, isDone = false, isBeginning = false } = props;
  const { data: environments = [] } = useQuery(environmentsQuery());
  const written = useMemo(() => drafts && writtenKeys(drafts), [drafts]);
  return (
    <>
      {total > effects.length && (
        <p className={styles.more}>
          The first {effects.length.toLocaleString()} of {total.toLocaleString()}.
        </p>
      )}
      {byCell(effects, environments).map(({ projectName, environmentName, effects: found }) => (
        <section key={`${projectName} ${environmentName}`} className={styles.place} data-done={isDone || undefined}>
          <h3>
            <UserText>{environmentName}</UserText>{' '}
            <span>
              <UserText>{projectName}</UserText>
            </span>
            <span className={styles.count}>{found.length}</span>
          </h3>
          <ul>
            {found.map((effect) => (
              <Effect
                key={effect.parameterName}
                effect={effect}
                follows={written !== null && !written.has(effectKey(effect))}
                isBeginning={isBeginning}
                isNew={difference?.changed.has(effectKey(effect)) ?? false}
              />
            ))}
          </ul>
        </section>
      ))}
      {difference && difference.gone.length > 0 && (
        <p className={styles.more}>
          No longer included:{' '}
          {difference.gone.map((gone, at) => (
            <Fragment key={effectKey(gone)}>
              {at > 0 && ', '}
              <UserText>{gone.parameterName}</UserText> in <UserText>{gone.environmentName}</UserText>
            </Fragment>
          ))}
          .
        </p>
      )}
    </>
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
      <TextChange before={isBeginning ? null : side(effect, 'before')} after={side(effect, 'after')} />
      {effect.problem !== null && (
        <p className={styles.problem}>
          <UserText>{effect.problem}</UserText>
        </p>
      )}
    </li>
  );
}

function side({ kind, before, after, masked, problem }: PlannedEffect, which: 'before' | 'after'): DraftText {
  if (kind === (which === 'before' ? 'added' : 'removed')) return draftText(undefined);
  if (masked) return { words: which === 'after' && kind !== 'added' ? 'another secret' : '•••••' };
  const text = which === 'before' ? before : after;
  if (text === null && problem !== null) return { words: 'can’t be resolved' };
  return draftText(text);
}
