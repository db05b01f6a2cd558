import { Link } from '@tanstack/react-router';
import button from '../ui/button.module.css';
import styles from '../ui/error-message.module.css';

/** The page for unknown URLs. */
export function NotFound() {
  return (
    <main className={styles.trouble}>
      <h1>Page not found</h1>
      <p>Check the address. It may be mistyped, or belong to another version of the console.</p>
      <Link to="/projects" className={button.plain}>
        Go to projects
      </Link>
    </main>
  );
}
