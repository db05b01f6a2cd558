import { useMemo, useState } from 'react';
import { useReferences } from '../../kit/editing/use-references.ts';
import { isSameText } from '../../lib/line-breaks.ts';
import { hasOutput } from '../../lib/mentions.ts';
import type { ValueRules } from '../../lib/value-rules.ts';
import type { EditorProps } from './editor-box.tsx';

interface TextCheckProps extends Pick<EditorProps, 'value' | 'initial' | 'soFar'> {
  readonly rules: ValueRules | null;
  readonly text: string;
}

/**
 * Checks a text while it is typed, and decides whether it is dynamic. A text with references that exist is proposed as dynamic, until the
 * user chooses.
 */
export function useTextCheck({ value, initial, soFar, rules, text }: TextCheckProps) {
  const [chosen, setChosen] = useState(soFar.dynamic);
  const target = useMemo(() => ({ kind: 'parameter', name: value.name }) as const, [value.name]);
  const mayBeDynamic = initial.dynamic || /\{[{%]/.test(text);
  const {
    problems: unknown,
    completions,
    offered,
  } = useReferences({
    projectId: value.projectId,
    edited: target,
    text,
    isEnabled: mayBeDynamic,
  });
  const isProposed = hasOutput(text) && !hasOutput(initial.text) && unknown.length === 0;
  const isDynamic = text.includes('{') && (chosen ?? (initial.dynamic || isProposed));
  const findProblems = (fresh: string): readonly string[] => {
    if (isDynamic) return [...new Set(unknown.map(({ message }) => message))];
    // An untouched value may have been stored before its rules.
    return isSameText(fresh, initial.text) && !initial.dynamic ? [] : (rules?.listProblems(fresh) ?? []);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: long texts are checked again only after a change
  const problems = useMemo(() => findProblems(text), [text, isDynamic, rules, unknown]);
  const choose = (dynamic: boolean) => {
    soFar.dynamic = dynamic;
    setChosen(dynamic);
  };
  return { problems, findProblems, unknown, isDynamic, mayBeDynamic, choose, completions, offered };
}

export type TextCheck = ReturnType<typeof useTextCheck>;
