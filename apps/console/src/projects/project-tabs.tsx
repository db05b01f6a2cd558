import { Link } from '@tanstack/react-router';
import styles from './project-tabs.module.css';

interface ProjectTab {
  readonly to: '/projects/$name' | '/projects/$name/lint' | '/projects/$name/import' | '/projects/$name/export';
  readonly title: string;
}

/** What a project has beside its matrix. */
const TABS: readonly ProjectTab[] = [
  { to: '/projects/$name', title: 'Matrix' },
  { to: '/projects/$name/lint', title: 'Lint' },
  { to: '/projects/$name/import', title: 'Import' },
  { to: '/projects/$name/export', title: 'Export' },
];

export function ProjectTabs({ name }: { readonly name: string }) {
  return (
    <nav aria-label="Project" className={styles.tabs}>
      {TABS.map(({ to, title }) => (
        <Link key={title} to={to} params={{ name }} activeOptions={{ exact: true, includeSearch: false }}>
          {title}
        </Link>
      ))}
      <Link to="/history" search={{ project: name }}>
        History
      </Link>
    </nav>
  );
}
