import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { comparisonCountQuery, isMissingObjectError } from '../../data/compare.ts';
import type { ComparedArgs } from '../../lib/compare-sides.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import { describeError } from '../../lib/request-error.ts';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';

const route = getRouteApi('/inside/compare');

/** The number of projects that are compared first. A button shows more. */
const SHOWN = 25;

interface AllProjectsProps {
  readonly projects: readonly ListedProject[];
  readonly args: ComparedArgs;
}

/** Lists the number of differences of each project, with links to the comparisons. */
export function AllProjects({ projects, args }: AllProjectsProps) {
  const [shownCount, setShown] = useState(SHOWN);
  if (projects.length === 0) return <p className={page.note}>No projects yet.</p>;
  return (
    <>
      <div className={page.scroll}>
        <table className={page.table}>
          <thead>
            <tr>
              <th scope="col">Project</th>
              <th scope="col">Parameters that differ</th>
            </tr>
          </thead>
          <tbody>
            {projects.slice(0, shownCount).map((project) => (
              <Counted key={project.id} project={project} args={args} />
            ))}
          </tbody>
        </table>
      </div>
      {projects.length > shownCount && (
        <div className={page.buttons}>
          <button type="button" className={button.plain} onClick={() => setShown(shownCount + SHOWN)}>
            More projects
          </button>
        </div>
      )}
    </>
  );
}

function Counted({ project: { id, name }, args }: { readonly project: ListedProject; readonly args: ComparedArgs }) {
  const search = route.useSearch();
  const { data: count, error } = useQuery(comparisonCountQuery(id, args));
  return (
    <tr>
      <th scope="row">
        <Link to="/compare" search={{ ...search, project: name }} className={page.link}>
          <UserText>{name}</UserText>
        </Link>
      </th>
      <td>
        {error ? describeFailure(error) : count === undefined ? '…' : count === null ? 'no access' : formatCount(count)}
      </td>
    </tr>
  );
}

const formatCount = (count: number): string => (count === 0 ? 'none' : count.toLocaleString());

function describeFailure(error: Error): string {
  if (isMissingObjectError(error)) return 'did not exist at one of these times';
  return describeError(error);
}
