import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { environmentsQuery } from '../../data/environments.ts';
import { projectsQuery } from '../../data/projects.ts';
import { pointInTimeQuery, usePointInTime } from '../../data/use-point-in-time.ts';
import { NoProject } from '../../kit/no-project.tsx';
import { areSidesSame, type ComparedSides, comparisonArgs, toComparedSides } from '../../lib/compare-sides.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { AllProjects } from './all-projects.tsx';
import { Choice } from './choice.tsx';
import { DifferenceList } from './difference-list.tsx';
import { NothingCompared } from './nothing-compared.tsx';

const route = getRouteApi('/inside/compare');

/** Compares two environments, or one environment at two points in time, and promotes the selected differences. */
export function ComparePage() {
  const search = route.useSearch();
  const { at } = getRouteApi('/inside').useSearch();
  const sides = toComparedSides(search, at);
  return (
    <div className={page.page}>
      <Choice sides={sides} />
      {areSidesSame(sides) ? <NothingCompared sides={sides} /> : <Compared sides={sides} />}
    </div>
  );
}

function Compared({ sides }: { readonly sides: ComparedSides }) {
  const { project: name, q, ...search } = route.useSearch();
  const { args: pointInTime } = usePointInTime();
  const left = useQuery(pointInTimeQuery(sides.left.pointInTime));
  const right = useQuery(pointInTimeQuery(sides.right.pointInTime));
  const { data: projects = [] } = useQuery(projectsQuery(pointInTime));
  const { data: environments = [] } = useQuery(environmentsQuery());
  for (const { error, refetch } of [left, right]) {
    if (error) return <ErrorMessage error={error} reset={() => void refetch()} />;
  }
  if (!left.data || !right.data) return <p className={page.note}>Loading …</p>;
  const args = comparisonArgs(sides, left.data, right.data);
  if (name === undefined) return <AllProjects projects={projects} args={args} />;
  const project = projects.find((listedProject) => listedProject.name === name);
  if (!project) return <NoProject name={name} />;
  return (
    <DifferenceList
      key={JSON.stringify([project.id, args, q])}
      project={project}
      sides={sides}
      question={{ projectId: project.id, q: q ?? null, ...args }}
      after={search.after ?? null}
      environments={environments}
    />
  );
}
