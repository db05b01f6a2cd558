import { ArrowRight, Lock } from 'lucide-react';
import { isByLines } from '../../lib/text-difference.ts';
import { UserText } from '../../ui/user-text.tsx';
import { CopyValue } from '../copy-value/copy-value.tsx';
import { DifferenceLines } from '../difference/difference-lines.tsx';
import styles from './before-after.module.css';

interface BeforeAfterProps {
  /** The kind of change: `added`, `changed` or `removed`. */
  readonly kind: string;
  /** The texts before and after the change. Null means an explicit null, or no value if the kind implies it. */
  readonly before: string | null;
  readonly after: string | null;
  readonly isMasked: boolean;
  /** The location of the values, as in `PORT in production`. */
  readonly of: string;
  /** The error, if one of the texts is null because it cannot be evaluated. */
  readonly problem?: string | null;
}

/** Shows a text before and after a change: the old one struck through, and the new one after an arrow. */
export function BeforeAfter({ kind, before, after, isMasked, of, problem = null }: BeforeAfterProps) {
  const isFailing = problem !== null;
  if (kind === 'changed' && before !== null && after !== null && !isMasked && isByLines(before, after)) {
    return <DifferenceLines before={before} after={after} of={of} />;
  }
  return (
    <span className={styles.change}>
      {kind === 'added' ? (
        <span className={styles.none}>not set</span>
      ) : (
        <CopyValue text={isMasked ? null : before} of={of} which="old">
          <del className={styles.before}>
            <TimelineText text={before} isMasked={isMasked} isFailing={isFailing} />
          </del>
        </CopyValue>
      )}
      <ArrowRight size={12} aria-hidden className={styles.arrow} />
      <span className="heard"> becomes </span>
      {kind === 'removed' ? (
        <span className={styles.none}>not set</span>
      ) : (
        <CopyValue text={isMasked ? null : after} of={of} which="new">
          <ins className={styles.after}>
            <TimelineText text={after} isMasked={isMasked} isFailing={isFailing} />
          </ins>
        </CopyValue>
      )}
    </span>
  );
}

interface ShownProps {
  readonly text: string | null;
  readonly isMasked: boolean;
  /** Whether the text is null because it cannot be evaluated. */
  readonly isFailing?: boolean;
}

/** Shows a text, or a word for a missing one. */
export function TimelineText({ text, isMasked, isFailing = false }: ShownProps) {
  if (text === null && isFailing) return <em className={styles.none}>can’t be resolved</em>;
  if (text === null) return <span className={styles.null}>null</span>;
  if (isMasked) {
    return (
      <span className={styles.hidden}>
        <Lock size={11} aria-hidden />
        <span aria-hidden>••••••</span>
        <span className="heard">secret</span>
      </span>
    );
  }
  return text === '' ? (
    <em className={styles.none}>empty</em>
  ) : (
    <code>
      <UserText>{text}</UserText>
    </code>
  );
}
