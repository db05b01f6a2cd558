import { useEffect, useRef, useState } from 'react';
import { useMayReveal } from '../../data/abilities.ts';
import type { SecretLocation } from '../../data/explanation.ts';
import { keepLineBreaks } from '../../lib/line-breaks.ts';
import { describeFailure, loadSecret } from './reveal.tsx';
import { useAutoHide } from './use-auto-hide.ts';

interface SecretTextProps {
  readonly initial: string;
  readonly isSecret: boolean;
  /** The location of the stored secret; null if it cannot be revealed here. */
  readonly place: SecretLocation | null;
}

/**
 * The text of an editor, which is hidden if it is secret. The stored secret is loaded when the user reveals it. After half a minute without
 * input, and when the window loses the focus, an unchanged secret is removed, and an edited one is hidden but kept.
 */
export function useSecretText({ initial, isSecret, place }: SecretTextProps) {
  const [doc, setDoc] = useState({ version: 0, text: initial });
  const [text, setText] = useState(initial);
  const [revealedText, setRevealedText] = useState<string | null>(null);
  const [shownSecret, setShown] = useState<object | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const readAbort = useRef<AbortController | null>(null);
  const mayReveal = useMayReveal();
  const replace = (newText: string) => {
    readAbort.current?.abort();
    setDoc(({ version }) => ({ version: version + 1, text: newText }));
    setText(newText);
  };
  const hide = () => {
    readAbort.current?.abort();
    setShown(null);
    if (revealedText !== null && text === revealedText) replace('');
    setRevealedText(null);
  };
  useAutoHide(shownSecret, hide);
  useEffect(() => () => readAbort.current?.abort(), []);
  const reveal = async (from: SecretLocation) => {
    readAbort.current = new AbortController();
    const { signal } = readAbort.current;
    const result = await loadSecret(from, signal).catch(describeFailure);
    if (signal.aborted) return;
    if (result.kind === 'failed') {
      setShown(null);
      return setProblem(result.message);
    }
    setRevealedText(result.text ?? '');
    replace(result.text ?? '');
  };
  const isStored = isSecret && place !== null && text === '';
  const toggle = () => {
    setProblem(null);
    if (shownSecret !== null) return hide();
    setShown({});
    if (isStored && mayReveal) void reveal(place);
  };
  const write = (newText: string) => {
    // A secret that arrives later would replace the typed text.
    readAbort.current?.abort();
    setText((before) => keepLineBreaks(before, newText));
    // The half minute starts again.
    setShown((previousShown) => previousShown && {});
  };
  return {
    /** The text with which the editor starts; a new version replaces the editor and its steps of undo. */
    doc,
    text,
    revealed: revealedText,
    isHidden: isSecret && shownSecret === null,
    /** Whether showing the text loads the stored secret. */
    isStored,
    mayShow: !isStored || mayReveal,
    /** The reason why the secret was not revealed; null if there is none. */
    problem,
    write,
    replace,
    toggle,
  };
}

export type SecretText = ReturnType<typeof useSecretText>;
