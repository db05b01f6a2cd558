import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { projectsQuery } from '../../data/projects.ts';
import { referableNamesQuery } from '../../data/templates.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import {
  type Completions,
  completionsFor,
  type EditedText,
  findUnknownNames,
  type MarkedProblem,
} from '../../lib/mentions.ts';

const NO_PROBLEMS: readonly MarkedProblem[] = [];

interface ReferencesProps {
  readonly projectId: string;
  readonly edited: EditedText;
  readonly text: string;
  /** Whether the names are loaded, which takes several requests in a large project. */
  readonly isEnabled: boolean;
}

/** Returns the unknown references of a text and the completions of references. */
export function useReferences({ projectId, edited, text, isEnabled }: ReferencesProps) {
  const { args } = usePointInTime();
  const client = useQueryClient();
  const { data: projects = [] } = useQuery(projectsQuery(args));
  const projectName = projects.find(({ id }) => id === projectId)?.name ?? '';
  const projectNames = useMemo(() => projects.map(({ name }) => name), [projects]);
  const query = referableNamesQuery(projectId, projectNames);
  const { data: referableNames } = useQuery({ ...query, enabled: isEnabled });
  const problems = useMemo(
    () => (referableNames ? findUnknownNames(text, referableNames, projectName) : NO_PROBLEMS),
    [text, referableNames, projectName],
  );
  const completions = useMemo(
    () => (referableNames ? completionsFor(referableNames, projectName, edited) : null),
    [referableNames, projectName, edited],
  );
  // If the names are not loaded yet, the completion waits for them.
  const loadCompletions = async (): Promise<readonly Completions[]> =>
    completions ?? completionsFor(await client.fetchQuery(query), projectName, edited);
  return { problems, completions, offered: loadCompletions };
}
