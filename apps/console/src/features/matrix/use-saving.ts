import { useState } from 'react';
import { isSameText, withBreaksOf } from '../../lib/line-breaks.ts';
import type { EditorProps, FocusAfterEdit } from './editor-box.tsx';
import type { TextCheck } from './use-text-check.ts';

interface SavingProps extends Pick<EditorProps, 'present' | 'typed' | 'onDone'> {
  readonly check: TextCheck;
}

/** The rule that saves a text: the first attempt to save an invalid one shows the reason, the second one saves it. */
export function useSaving({ present, typed, check, onDone }: SavingProps) {
  const [refused, setRefused] = useState<string | null>(null);
  // An unchanged field must not replace a stored secret with an empty text.
  const isUntouched = (now: string) =>
    typed === null && isSameText(now, present.text) && check.isDynamic === present.dynamic;
  const save = (now: string, then: FocusAfterEdit) => {
    if (isUntouched(now)) onDone(null, then);
    else if (then !== 'leave' && refused !== now && check.problemsOf(now).length > 0) setRefused(now);
    else onDone({ kind: 'set', text: withBreaksOf(present.text, now), dynamic: check.isDynamic }, then);
  };
  return { refused, isUntouched, save };
}
