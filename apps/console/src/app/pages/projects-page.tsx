import { Suspense } from 'react';
import { useSampleLoading } from '../../features/first-run/sample-loading.ts';
import { ProjectsPage } from '../../features/projects/projects-page.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';

const FirstRun = lazyPart(async () => (await import('./first-run-page.tsx')).FirstRun);

/** The projects, and how to create the first one where there is none. */
export function Projects() {
  // The progress of the sample platform, and why it failed, stay visible once its first project exists.
  const isSampleOnItsWay = useSampleLoading().state !== 'idle';
  const firstRun = (
    <Suspense>
      <FirstRun />
    </Suspense>
  );
  return <ProjectsPage firstRun={firstRun} isSampleOnItsWay={isSampleOnItsWay} />;
}
