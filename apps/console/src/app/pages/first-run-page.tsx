import { FirstRunPage } from '../../features/first-run/first-run-page.tsx';
import { CreateProject } from '../../features/projects/project-forms.tsx';

/** Offers the ways to create the first project: from a file, empty, or from the sample platform. */
export function FirstRun() {
  return <FirstRunPage createProject={<CreateProject />} />;
}
