import { ListX, SearchX } from 'lucide-react';
import type { ListedProject } from '../projects/project-forest.ts';
import button from '../ui/button.module.css';
import styles from './matrix-page.module.css';
import type { MatrixSearch } from './matrix-search.ts';

interface EmptyMatrixProps {
  readonly project: ListedProject;
  readonly search: MatrixSearch;
  onSearch(next: Partial<MatrixSearch>): void;
}

/** In place of rows, where there are none. */
export function EmptyMatrix({ project, search, onSearch }: EmptyMatrixProps) {
  if (search.q !== undefined || search.state !== undefined) {
    return (
      <div className={styles.empty}>
        <SearchX size={24} aria-hidden />
        <h2>No parameter fits</h2>
        <p>Names and values that are shown are searched; texts of secrets never are.</p>
        <button type="button" className={button.plain} onClick={() => onSearch({ q: undefined, state: undefined })}>
          Show all parameters
        </button>
      </div>
    );
  }
  return (
    <div className={styles.empty}>
      <ListX size={24} aria-hidden />
      <h2>No parameters yet</h2>
      <p>
        A parameter is a name with a value for each environment. Values inherit from an environment to those below it,
        so that most of them are set once. Make the first ones by the API:
      </p>
      <pre>
        <code>{`curl ${location.origin}/graphql \\
  -H 'authorization: Api-Key <prefix>.<secret>' \\
  -H 'content-type: application/json' \\
  -d '{"query": "mutation { setValues(projectId: \\"${project.id}\\", environment: \\"default\\", input: { values: { PORT: \\"443\\" }, createMissing: true }) { __typename } }"}'`}</code>
      </pre>
    </div>
  );
}
