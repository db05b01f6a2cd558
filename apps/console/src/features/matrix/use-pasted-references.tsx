import { filterResolvable, type TextReferences } from '@strata/import';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { projectsQuery } from '../../data/projects.ts';
import { referableNamesQuery } from '../../data/templates.ts';
import type { TextWithReferences } from '../../kit/env-file/reference-list.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';

const ReferencesDialog = lazyPart(async () => (await import('./references-dialog.tsx')).ReferencesDialog);

interface PastedReferences {
  readonly texts: readonly TextWithReferences[];
  onAnswer(resolves: boolean | null): void;
}

type ParameterNames = ReadonlyMap<string, { readonly secret: boolean }>;

/** Lets the user choose whether the references in pasted texts are resolved. The dialog is open until then. */
export function usePastedReferences(projectId: string) {
  const client = useQueryClient();
  const [question, setQuestion] = useState<PastedReferences | null>(null);
  /** Returns the parameters that a text can refer to. They are only loaded if it can contain references. */
  const parameterNames = async (text: string): Promise<ParameterNames> => {
    if (!text.includes('{{') && !text.includes('${')) return new Map();
    const projects = await client.fetchQuery(projectsQuery());
    const names = projects.map(({ name }) => name);
    return (await client.fetchQuery(referableNamesQuery(projectId, names))).parameters;
  };
  /** Returns the texts whose references the user resolves; null if the user cancels. */
  const chooseResolved = async <Key,>(
    references: ReadonlyMap<Key, TextReferences>,
    describe: (key: Key) => Omit<TextWithReferences, 'references'>,
  ): Promise<ReadonlyMap<Key, TextReferences> | null> => {
    const resolvableReferences = filterResolvable(references);
    if (resolvableReferences.size === 0) return resolvableReferences;
    const texts = [...new Map([...resolvableReferences, ...references])].map(([key, cellReferences]) => ({
      ...describe(key),
      references: cellReferences,
    }));
    const resolves = await new Promise<boolean | null>((onAnswer) => setQuestion({ texts, onAnswer }));
    setQuestion(null);
    return resolves === null ? null : resolves ? resolvableReferences : new Map();
  };
  const dialog = question && (
    <Suspense>
      <ReferencesDialog {...question} />
    </Suspense>
  );
  return { parameterNames, chooseResolved, dialog };
}
