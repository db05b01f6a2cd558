import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type RulesTarget, valueRulesQuery } from '../../data/value-rules.ts';
import { type Draft, type Drafts, draftKey } from '../../lib/draft.ts';
import type { DraftError } from '../../lib/draft-errors.ts';
import { addDraftErrors } from './draft-errors.ts';

const checked = new WeakSet<Draft>();

/** Marks new drafts with literal texts that the rules of their types reject, however they were made. The plan checks everything else. */
export function useDraftChecks(drafts: Drafts): void {
  const client = useQueryClient();
  useEffect(() => {
    const uncheckedDrafts = [...drafts.values()].filter((draft) => !checked.has(draft));
    for (const draft of uncheckedDrafts) {
      checked.add(draft);
      // The same types are loaded once. If that fails, the plan checks the draft.
      void checkDraft(client, draft).then(
        (draftError) => draftError && addDraftErrors(new Map([[draftKey(draft), draftError]])),
        () => {},
      );
    }
  }, [drafts, client]);
}

async function checkDraft(client: QueryClient, draft: Draft): Promise<DraftError | null> {
  const { edit, type, projectId, name, isForeign } = draft;
  if (edit.kind !== 'set' || edit.dynamic || type === undefined) return null;
  const target: RulesTarget = { type, parameter: isForeign ? null : { projectId, name } };
  // The rules of a parameter are known if it was edited. They are not loaded for each of many pasted drafts.
  const loadedRules = client.getQueryData(valueRulesQuery(client, target).queryKey);
  const rules = loadedRules ?? (await client.fetchQuery(valueRulesQuery(client, { type, parameter: null })));
  const problems = rules?.listProblems(edit.text) ?? [];
  return problems.length === 0 ? null : { draft, message: problems.join(' ') };
}
