import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Trouble } from '../app/trouble.tsx';
import { Refused } from '../graphql/ask.ts';
import { projectsQuery } from '../projects/projects.ts';
import button from '../ui/button.module.css';
import { BeforeAfter } from './before-after.tsx';
import styles from './compare-page.module.css';
import type { DifferencesOfQuery } from './history.graphql.ts';
import { differencesQuery } from './history.ts';

const route = getRouteApi('/inside/history/compare');

/** One project at two revisions: only what differs, with what it was and what it is in each environment. */
export function ComparePage() {
  const { project: name, from, to } = route.useSearch();
  const { data: projects = [] } = useQuery(projectsQuery());
  const project = projects.find((one) => one.name === name);
  return (
    <div className={styles.page}>
      <Choice key={`${name} ${from} ${to}`} projects={projects.map((one) => one.name)} />
      {name !== undefined && !project && (
        <p className={styles.note}>
          There is no project called <strong>{name}</strong>, or you have no access to it.
        </p>
      )}
      {project && from !== undefined && to !== undefined && <Found projectId={project.id} from={from} to={to} />}
      {(from === undefined || to === undefined || name === undefined) && (
        <p className={styles.note}>
          Say which project, and between which revisions. Each change makes one; their numbers stand in the{' '}
          <Link to="/history" className={styles.link}>
            history
          </Link>
          .
        </p>
      )}
    </div>
  );
}

function Choice({ projects }: { readonly projects: readonly string[] }) {
  const { project = projects[0] ?? '', from, to } = route.useSearch();
  const navigate = route.useNavigate();
  const submit = (form: FormData) =>
    void navigate({
      search: {
        project: String(form.get('project')),
        from: Number(form.get('from')) || undefined,
        to: Number(form.get('to')) || undefined,
        after: undefined,
      },
    });
  return (
    <form className={styles.choice} action={submit}>
      <select name="project" aria-label="Project" defaultValue={project}>
        {projects.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <label>
        from revision
        <input name="from" type="number" min={1} required defaultValue={from} />
      </label>
      <label>
        to
        <input name="to" type="number" min={1} required defaultValue={to} />
      </label>
      <button type="submit" className={button.plain}>
        Compare
      </button>
    </form>
  );
}

interface FoundProps {
  readonly projectId: string;
  readonly from: number;
  readonly to: number;
}

type DifferenceRow = NonNullable<DifferencesOfQuery['project']>['differences']['edges'][number]['node'];

function Found({ projectId, from, to }: FoundProps) {
  const search = route.useSearch();
  const found = useQuery(differencesQuery({ projectId, from, to, after: search.after ?? null }));
  if (found.error instanceof Refused && ['not_found', 'NOT_FOUND'].includes(found.error.code)) {
    return (
      <p className={styles.note} role="alert">
        {search.project} was not there at one of these revisions. Give two at which it was.
      </p>
    );
  }
  if (found.error) return <Trouble error={found.error} reset={() => void found.refetch()} />;
  if (found.data === undefined) return <p className={styles.note}>Reading …</p>;
  if (found.data === null) return null;
  const { edges, columns, totalCount, pageInfo } = found.data;
  const names = columns.map(({ right, left }) => right?.name ?? left?.name ?? '');
  return (
    <div aria-busy={found.isPlaceholderData}>
      <p role="status" className={styles.count}>
        {totalCount === 0
          ? `${search.project} is the same at both revisions.`
          : `${totalCount.toLocaleString()} ${totalCount === 1 ? 'parameter differs' : 'parameters differ'}`}
      </p>
      <ul>
        {edges.map(({ node }) => (
          <DifferenceLine key={node.name} row={node} environments={names} />
        ))}
      </ul>
      <nav aria-label="Pages" className={styles.buttons}>
        {search.after !== undefined && (
          <Link to="/history/compare" search={{ ...search, after: undefined }} className={button.plain}>
            First
          </Link>
        )}
        {pageInfo.hasNextPage && (
          <Link
            to="/history/compare"
            search={{ ...search, after: pageInfo.endCursor ?? undefined }}
            className={button.plain}
          >
            More
          </Link>
        )}
      </nav>
    </div>
  );
}

function DifferenceLine({
  row,
  environments,
}: {
  readonly row: DifferenceRow;
  readonly environments: readonly string[];
}) {
  const isSecret = (row.right ?? row.left)?.secret ?? false;
  return (
    <li className={styles.difference}>
      <span className={styles.name}>{row.name}</span>
      <ul>
        {row.cells.map(({ column, left, right }) => (
          <li key={column} className={styles.cell}>
            <span className={styles.environment}>{environments[column]}</span>
            <BeforeAfter
              kind={isMissing(left) ? 'added' : isMissing(right) ? 'removed' : 'changed'}
              before={left.text}
              after={right.text}
              isMasked={isSecret}
            />
          </li>
        ))}
      </ul>
    </li>
  );
}

const isMissing = ({ states }: DifferenceRow['cells'][number]['left']): boolean => states.includes('missing');
