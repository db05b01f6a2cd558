import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { projectsQuery } from '../../data/projects.ts';
import { viewerQuery } from '../../data/session.ts';
import { templateQuery } from '../../data/templates.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { mayWrite } from '../../data/write-access.ts';
import { NoProject } from '../../kit/no-project.tsx';
import { useProjectByName } from '../../kit/status/use-project-by-name.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { TemplateEditing } from './template-editing.tsx';

const route = getRouteApi('/inside/projects/$name/templates/$template');

/** Shows one template: its text, and previews in environments. */
export function TemplatePage() {
  const { name } = route.useParams();
  const { args } = usePointInTime();
  const { data: projects } = useQuery(projectsQuery(args));
  const project = useProjectByName(name, projects);
  if (!projects) return null;
  if (project) return <Found projectId={project.id} />;
  return <NoProject name={name} />;
}

function Found({ projectId }: { readonly projectId: string }) {
  const { name, template } = route.useParams();
  const { args, isNow } = usePointInTime();
  const { data: viewer } = useQuery(viewerQuery);
  const query = useQuery(templateQuery(projectId, template, args));
  const currentTemplate = query.data ?? null;
  // The typed text must not be lost when another user deletes or renames the template.
  const seenTemplate = useRef(currentTemplate);
  if (currentTemplate) seenTemplate.current = currentTemplate;
  if (query.error && !seenTemplate.current)
    return <ErrorMessage error={query.error} reset={() => void query.refetch()} />;
  if (query.data === undefined && !seenTemplate.current) return <p className={page.page}>Loading …</p>;
  if (seenTemplate.current) {
    return (
      <TemplateEditing
        key={`${seenTemplate.current.id} ${isNow}`}
        projectId={projectId}
        seen={seenTemplate.current}
        current={query.data === undefined ? seenTemplate.current : currentTemplate}
        canWrite={isNow && mayWrite(viewer, { projectId })}
      />
    );
  }
  return (
    <p className={page.page}>
      <span>
        <UserText>{name}</UserText> has no template named{' '}
        <strong>
          <UserText>{template}</UserText>
        </strong>
        .{' '}
        <Link to="/projects/$name/templates" params={{ name }} className={page.link}>
          All templates
        </Link>
      </span>
    </p>
  );
}
