import { Suspense } from 'react';
import { useSampleLoading } from '../../features/first-run/sample-loading.ts';
import { ProjectsPage } from '../../features/projects/projects-page.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';

const FirstRun = lazyPart(async () => (await import('./first-run-page.tsx')).FirstRun);

/** Lists the projects, or offers the ways to create the first one. */
export function Projects() {
  // The progress and the error of loading the sample platform must stay visible after its first project was created.
  const isSampleOnItsWay = useSampleLoading().state !== 'idle';
  const firstRun = (
    <Suspense>
      <FirstRun />
    </Suspense>
  );
  return <ProjectsPage firstRun={firstRun} isSampleOnItsWay={isSampleOnItsWay} />;
}
