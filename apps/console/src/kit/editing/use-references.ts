import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { projectsQuery } from '../../data/projects.ts';
import { referableNamesQuery } from '../../data/templates.ts';
import { usePointInTime } from '../../data/use-moment.ts';
import {
  type Completions,
  completionsFor,
  type EditedText,
  type MarkedProblem,
  unknownNames,
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
  const { data: referable } = useQuery({ ...query, enabled: isEnabled });
  const problems = useMemo(
    () => (referable ? unknownNames(text, referable, projectName) : NO_PROBLEMS),
    [text, referable, projectName],
  );
  const completions = useMemo(
    () => (referable ? completionsFor(referable, projectName, edited) : null),
    [referable, projectName, edited],
  );
  // If the names are not loaded yet, the completion waits for them.
  const offered = async (): Promise<readonly Completions[]> =>
    completions ?? completionsFor(await client.fetchQuery(query), projectName, edited);
  return { problems, completions, offered };
}
