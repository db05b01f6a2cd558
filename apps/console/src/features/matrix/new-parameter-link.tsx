import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { viewerQuery } from '../../data/session.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { mayWrite } from '../../data/write-access.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import button from '../../ui/button.module.css';
import styles from './toolbar.module.css';

/** Links to the form for a new parameter if the user may create one. */
export function NewParameterLink({ project }: { readonly project: Pick<ListedProject, 'id' | 'name'> }) {
  const { isNow } = usePointInTime();
  const { data: viewer } = useQuery(viewerQuery);
  if (!isNow || !mayWrite(viewer, { projectId: project.id })) return null;
  return (
    <Link
      to="/projects/$name/settings"
      params={{ name: project.name }}
      search={{ do: 'parameter' }}
      className={button.quiet}
      aria-label="Add parameter"
      title="Add parameter"
    >
      <Plus size={15} aria-hidden /> <span className={styles.word}>Add parameter</span>
    </Link>
  );
}
