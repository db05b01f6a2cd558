import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListX, Plus, SearchX } from 'lucide-react';
import { Suspense } from 'react';
import { viewerQuery } from '../../data/session.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { mayWrite } from '../../data/write-access.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import button from '../../ui/button.module.css';
import { lazyPart } from '../../ui/lazy-part.tsx';
import styles from './matrix-page.module.css';
import type { MatrixSearch } from './matrix-search.ts';

const EnvFile = lazyPart(async () => (await import('../../kit/env-file/env-file.tsx')).EnvFileInput);

interface EmptyMatrixProps {
  readonly project: ListedProject;
  readonly search: MatrixSearch;
  onSearch(next: Partial<MatrixSearch>): void;
}

/** Explains why the matrix has no rows, and offers actions. */
export function EmptyMatrix({ project, search, onSearch }: EmptyMatrixProps) {
  const { isNow } = usePointInTime();
  const { data: viewer } = useQuery(viewerQuery);
  if (search.q !== undefined || search.state !== undefined) {
    return (
      <div className={styles.empty}>
        <SearchX size={24} aria-hidden />
        <h2>No matching parameters</h2>
        <p>The filter searches names and visible values. Secret values are never searched.</p>
        <button type="button" className={button.plain} onClick={() => onSearch({ q: undefined, state: undefined })}>
          Show all parameters
        </button>
      </div>
    );
  }
  const mayFill = isNow && mayWrite(viewer, { projectId: project.id });
  return (
    <div className={styles.empty}>
      <ListX size={24} aria-hidden />
      <h2>No parameters {isNow ? 'yet' : 'then'}</h2>
      <p>
        A parameter has a name and a value for each environment. Environments inherit values from their parents, so you
        set most values once.
      </p>
      {mayFill && (
        <Link
          to="/projects/$name/settings"
          params={{ name: project.name }}
          search={{ do: 'parameter' }}
          className={button.plain}
        >
          <Plus size={14} aria-hidden /> Add parameter
        </Link>
      )}
      {mayFill && (
        <Suspense fallback={null}>
          <EnvFile project={project.name} />
        </Suspense>
      )}
    </div>
  );
}
