import { OwnParameters } from '../../features/parameters/own-parameters.tsx';
import { CreateParameter } from '../../features/parameters/parameter-forms.tsx';
import { ProjectSettingsPage } from '../../features/projects/project-settings-page.tsx';

/** Shows the settings of a project and the parameters that it owns. */
export function ProjectSettings() {
  return (
    <ProjectSettingsPage
      newParameter={(project) => <CreateParameter project={project} />}
      ownParameters={(project, after) => <OwnParameters project={project} after={after} />}
    />
  );
}
