import { useMemo, useState } from 'react';
import { useReferences } from '../../kit/editing/use-references.ts';
import { hasOutput } from '../../lib/mentions.ts';
import type { ValueRules } from '../../lib/value-rules.ts';
import type { EditorProps } from './editor-box.tsx';

interface TextCheckProps extends Pick<EditorProps, 'value' | 'present'> {
  readonly rules: ValueRules | null;
  readonly text: string;
}

/**
 * Checks a text while it is typed, and decides whether it is dynamic. A text with references that exist is proposed as dynamic, until the
 * user chooses.
 */
export function useTextCheck({ value, present, rules, text }: TextCheckProps) {
  const [chosen, choose] = useState<boolean | null>(null);
  const own = useMemo(() => ({ kind: 'parameter', name: value.name }) as const, [value.name]);
  const mayBeDynamic = present.dynamic || /\{[{%]/.test(text);
  const { problems: unknown, completions } = useReferences({
    projectId: value.projectId,
    own,
    text,
    isEnabled: mayBeDynamic,
  });
  const isProposed = hasOutput(text) && !hasOutput(present.text) && unknown.length === 0;
  const isDynamic = text.includes('{') && (chosen ?? (present.dynamic || isProposed));
  const problemsOf = (fresh: string): readonly string[] => {
    if (isDynamic) return [...new Set(unknown.map(({ message }) => message))];
    // An untouched value may have been stored before its rules.
    return fresh === present.text && !present.dynamic ? [] : (rules?.problemsOf(fresh) ?? []);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: long texts are checked again only after a change
  const problems = useMemo(() => problemsOf(text), [text, isDynamic, rules, unknown]);
  return { problems, problemsOf, isDynamic, mayBeDynamic, choose, completions };
}
