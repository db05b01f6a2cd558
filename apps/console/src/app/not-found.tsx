import { Link } from '@tanstack/react-router';
import button from '../ui/button.module.css';
import { Empty } from '../ui/empty.tsx';

/** The content of the page for unknown URLs. */
export function NotFound() {
  return (
    <Empty title="This address has no page">
      <p>
        It may be mistyped, or belong to another version of the console. Choose a page in the navigation, or search.
      </p>
      <Link to="/projects" className={button.plain}>
        Go to projects
      </Link>
    </Empty>
  );
}
