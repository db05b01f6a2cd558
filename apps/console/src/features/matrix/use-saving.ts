import { useState } from 'react';
import { isSameText, keepLineBreaks } from '../../lib/line-breaks.ts';
import type { EditorProps, FocusAfterEdit } from './editor-box.tsx';
import type { TextCheck } from './use-text-check.ts';

interface SavingProps extends Pick<EditorProps, 'initial' | 'typed' | 'onDone'> {
  readonly check: TextCheck;
}

/** The rule that saves a text: the first attempt to save an invalid one shows the reason, the second one saves it. */
export function useSaving({ initial, typed, check, onDone }: SavingProps) {
  const [rejectedText, setRejectedText] = useState<string | null>(null);
  // An unchanged field must not replace a stored secret with an empty text.
  const isUntouched = (now: string) =>
    typed === null && isSameText(now, initial.text) && check.isDynamic === initial.dynamic;
  const save = (now: string, then: FocusAfterEdit) => {
    if (isUntouched(now)) onDone(null, then);
    else if (then !== 'leave' && rejectedText !== now && check.findProblems(now).length > 0) setRejectedText(now);
    else onDone({ kind: 'set', text: keepLineBreaks(initial.text, now), dynamic: check.isDynamic }, then);
  };
  return { rejectedText, isUntouched, save };
}
