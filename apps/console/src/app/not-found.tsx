import { Link } from '@tanstack/react-router';
import button from '../ui/button.module.css';
import styles from '../ui/trouble.module.css';

/** In place of a page that no address leads to. */
export function NotFound() {
  return (
    <main className={styles.trouble}>
      <h1>There is no such page</h1>
      <p>The address may be mistyped, or from another version of the console.</p>
      <Link to="/projects" className={button.plain}>
        To the projects
      </Link>
    </main>
  );
}
