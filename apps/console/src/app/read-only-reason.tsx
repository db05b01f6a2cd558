import { useQuery } from '@tanstack/react-query';
import { useMatches, useParams } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import { environmentsQuery } from '../data/environments.ts';
import { projectsQuery } from '../data/projects.ts';
import { readOnlyReason } from '../data/read-only.ts';
import { viewerQuery } from '../data/session.ts';
import { usePointInTime } from '../data/use-point-in-time.ts';
import styles from './shell.module.css';

/** Says why the user cannot change what the page shows. For the past, the bar above the page says it. */
export function ReadOnlyReason() {
  const changes = useMatches().at(-1)?.staticData.changes;
  const { name, environment } = useParams({ strict: false });
  const { isNow, args } = usePointInTime();
  const { data: viewer } = useQuery(viewerQuery);
  const { data: projects = [] } = useQuery(projectsQuery(args));
  const { data: environments = [] } = useQuery(environmentsQuery(args));
  if (!changes || !viewer || !isNow) return null;
  const isOfScope = changes.of === 'project' || changes.of === 'environment';
  const scope =
    changes.of === 'project'
      ? projects.find((project) => project.name === name)
      : environments.find((listedEnvironment) => listedEnvironment.name === environment);
  if (isOfScope && !scope) return null;
  const reason = readOnlyReason(viewer, changes, (isOfScope && scope?.id) || null);
  return (
    reason && (
      <section className={styles.readOnly} aria-label="Read-only">
        <Eye size={14} aria-hidden /> <p>{reason}</p>
      </section>
    )
  );
}
