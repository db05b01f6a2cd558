import { FolderPlus } from 'lucide-react';
import styles from '../../kit/env-file/first-run-page.module.css';
import { CreateProject } from '../projects/project-forms.tsx';

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
