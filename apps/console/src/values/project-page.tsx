import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { Trouble } from '../app/trouble.tsx';
import { environmentsQuery } from '../environments/environments.ts';
import { projectsQuery } from '../projects/projects.ts';
import button from '../ui/button.module.css';
import { isSought } from './cell-of.ts';
import styles from './project-page.module.css';
import { linesQuery } from './values.ts';
import { ValuesTable } from './values-table.tsx';

const route = getRouteApi('/inside/projects/$name');

/** The parameters of a project, and the value that applies to each in every environment. */
export function ProjectPage() {
  const { name } = route.useParams();
  const { data: projects } = useQuery(projectsQuery);
  if (!projects) return null;
  const project = projects.find((one) => one.name === name);
  if (project) return <ProjectValues key={project.id} projectId={project.id} />;
  return (
    <p className={styles.note}>
      There is no project called <strong>{name}</strong>, or you have no access to it.
    </p>
  );
}

function ProjectValues({ projectId }: { readonly projectId: string }) {
  const { q = '', env } = route.useSearch();
  const { data: environments = [] } = useQuery(environmentsQuery);
  const shown = environments.find(({ name }) => name === env) ?? environments[0];
  const lines = useInfiniteQuery({
    ...linesQuery(
      projectId,
      environments.map(({ id }) => id),
    ),
    enabled: environments.length > 0,
  });
  const sought = useDeferredValue(q);
  if (lines.error) return <Trouble error={lines.error} reset={() => void lines.refetch()} />;
  if (!lines.data) return <p className={styles.note}>Reading …</p>;
  const all = lines.data.pages.flatMap((page) => page.lines);
  const found = all.filter(({ parameter, cells }) => isSought(parameter, cells, sought));
  const total = lines.data.pages[0]?.totalCount ?? 0;
  if (total === 0) return <p className={styles.note}>This project has no parameters yet.</p>;
  return (
    <div className={styles.page}>
      <Toolbar
        environments={environments.map(({ name }) => name)}
        shown={shown?.name}
        count={found.length}
        total={total}
      />
      <ValuesTable lines={found} environments={environments} projectId={projectId} shownId={shown?.id} />
      {lines.hasNextPage && (
        <button
          type="button"
          className={button.plain}
          disabled={lines.isFetchingNextPage}
          onClick={() => void lines.fetchNextPage()}
        >
          {lines.isFetchingNextPage ? 'Reading …' : `Show more (${all.length} of ${total})`}
        </button>
      )}
    </div>
  );
}

interface ToolbarProps {
  readonly environments: readonly string[];
  readonly shown: string | undefined;
  readonly count: number;
  readonly total: number;
}

/** What stands here is in the address too, so that it can be sent to somebody. */
function Toolbar({ environments, shown, count, total }: ToolbarProps) {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const seek = (words: string) =>
    navigate({ search: (search) => ({ ...search, q: words || undefined }), replace: true });
  const choose = (env: string) => navigate({ search: (search) => ({ ...search, env }), replace: true });
  return (
    <div className={styles.toolbar}>
      <input
        type="search"
        aria-label="Filter by name or value"
        placeholder="Filter by name or value"
        value={q}
        onChange={(event) => void seek(event.target.value)}
      />
      <select
        className={styles.narrow}
        aria-label="Environment"
        value={shown}
        onChange={(event) => void choose(event.target.value)}
      >
        {environments.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <p role="status" className={styles.count}>
        {count === total ? `${total} ${total === 1 ? 'parameter' : 'parameters'}` : `${count} of ${total}`}
      </p>
    </div>
  );
}
