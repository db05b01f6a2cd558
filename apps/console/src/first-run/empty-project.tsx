import { FolderPlus } from 'lucide-react';
import { CreateProject } from '../projects/project-forms.tsx';
import styles from './first-run-page.module.css';

/** A project to be filled by hand. */
export function EmptyProject() {
  return (
    <section className={styles.way} aria-labelledby="empty-project">
      <h2 id="empty-project">
        <FolderPlus size={16} aria-hidden /> Begin with an empty project
      </h2>
      <CreateProject />
    </section>
  );
}
