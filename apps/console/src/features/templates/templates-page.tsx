import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { projectsQuery } from '../../data/projects.ts';
import { viewerQuery } from '../../data/session.ts';
import { type ListedTemplate, templatesQuery } from '../../data/templates.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { mayWrite } from '../../data/write-access.ts';
import { NoProject } from '../../kit/no-project.tsx';
import { useProjectByName } from '../../kit/status/use-project-by-name.ts';
import { formatCount } from '../../lib/format-count.ts';
import button from '../../ui/button.module.css';
import { Empty } from '../../ui/empty.tsx';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { nextCursor, Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { TemplateForm } from './template-form.tsx';
import styles from './templates-page.module.css';

const route = getRouteApi('/inside/projects/$name/templates');

/** Lists the templates of a project, from which files are rendered. */
export function TemplatesPage() {
  const { name } = route.useParams();
  const { args } = usePointInTime();
  const { data: projects } = useQuery(projectsQuery(args));
  const project = useProjectByName(name, projects);
  if (!projects) return null;
  if (project) return <Templates projectId={project.id} />;
  return <NoProject name={name} />;
}

function Templates({ projectId }: { readonly projectId: string }) {
  const { name } = route.useParams();
  const { after } = route.useSearch();
  const { args, isNow } = usePointInTime();
  const { data: viewer } = useQuery(viewerQuery);
  const query = useQuery(templatesQuery(projectId, after ?? null, args));
  const [isCreating, setCreating] = useState(false);
  const navigate = useNavigate();
  if (query.error) return <ErrorMessage error={query.error} reset={() => void query.refetch()} />;
  if (query.data === undefined) return <p className={page.page}>Loading …</p>;
  const { totalCount = 0, edges = [], pageInfo = null } = query.data ?? {};
  const may = mayWrite(viewer, { projectId });
  const create = may && isNow && !isCreating && (
    <button type="button" className={button.main} onClick={() => setCreating(true)}>
      <Plus size={15} aria-hidden /> Create template
    </button>
  );
  return (
    <div className={page.page}>
      <section className={page.part}>
        {totalCount > 0 && (
          <div className={page.head}>
            <p className={page.note}>
              {totalCount === 1 ? '1 template' : `${totalCount.toLocaleString()} templates`}: files rendered from
              parameters, with the values of each environment.
            </p>
            {create}
          </div>
        )}
        {isCreating && (
          <TemplateForm
            projectId={projectId}
            template={null}
            onApplied={(revision, template) =>
              navigate({
                to: '/projects/$name/templates/$template',
                params: { name, template },
                state: { applied: revision },
              })
            }
            onClose={() => setCreating(false)}
          />
        )}
        {totalCount === 0 && !isCreating && (
          <Empty title="No templates yet">
            <p>
              A template is a file, such as <code>nginx.conf</code>, with references to parameters:{' '}
              <code>listen {'{{ PORT }}'};</code> has another value in each environment, and programs get the rendered
              file.
            </p>
            {create}
          </Empty>
        )}
        {edges.length > 0 && (
          <div className={page.scroll} aria-busy={query.isPlaceholderData}>
            <TemplateTable project={name} templates={edges.map(({ node }) => node)} />
          </div>
        )}
        <Pages here={after} next={pageInfo && nextCursor(pageInfo)} />
      </section>
    </div>
  );
}

interface TemplateTableProps {
  /** The name of the project. */
  readonly project: string;
  readonly templates: readonly ListedTemplate[];
}

function TemplateTable({ project, templates }: TemplateTableProps) {
  return (
    <table className={page.table}>
      <thead>
        <tr>
          <th scope="col">Template</th>
          <th scope="col">Description</th>
          <th scope="col">Used by</th>
          <th scope="col" className={page.wide}>
            Changed
          </th>
        </tr>
      </thead>
      <tbody>
        {templates.map((template) => (
          <tr key={template.id}>
            <th scope="row">
              <Link
                to="/projects/$name/templates/$template"
                params={{ name: project, template: template.name }}
                className={page.link}
              >
                <UserText>{template.name}</UserText>
              </Link>
            </th>
            <td className={styles.soft}>{template.description}</td>
            <td className={styles.soft}>{describeUsers(template)}</td>
            <td className={page.wide}>
              <When at={template.modifiedAt ?? template.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function describeUsers({ referencingTemplateIds: templates, referencingValueIds: values }: ListedTemplate): string {
  const describeCount = (count: number, noun: string) => (count === 0 ? '' : formatCount(count, noun));
  return [describeCount(templates.length, 'template'), describeCount(values.length, 'value')]
    .filter(Boolean)
    .join(', ');
}
