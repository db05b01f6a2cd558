import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMoment } from '../moment/use-moment.ts';
import type { ListedProject } from '../projects/project-forest.ts';
import { viewerQuery } from '../session/session.ts';
import button from '../ui/button.module.css';
import { mayWrite } from './access.ts';
import styles from './toolbar.module.css';

/** For who may make one. */
export function NewParameterLink({ project }: { readonly project: Pick<ListedProject, 'id' | 'name'> }) {
  const { isNow } = useMoment();
  const { data: viewer } = useQuery(viewerQuery);
  if (!isNow || !mayWrite(viewer, { projectId: project.id })) return null;
  return (
    <Link
      to="/projects/$name/settings"
      params={{ name: project.name }}
      search={{ do: 'parameter' }}
      className={button.quiet}
      aria-label="New parameter"
      title="New parameter"
    >
      <Plus size={15} aria-hidden /> <span className={styles.word}>New parameter</span>
    </Link>
  );
}
