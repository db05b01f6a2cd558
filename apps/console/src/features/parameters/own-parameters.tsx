import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type OwnParameter, ownParametersQuery } from '../../data/parameters.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { nextCursor, Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';

interface OwnParametersProps {
  readonly project: { readonly id: string; readonly name: string };
  readonly after: string | undefined;
}

/** Lists a page of the parameters of a project. */
export function OwnParameters({ project, after }: OwnParametersProps) {
  const { data: parameters, error, refetch } = useQuery(ownParametersQuery(project.id, after));
  if (error) return <ErrorMessage error={error} reset={() => void refetch()} />;
  if (!parameters) return null;
  return (
    <section className={page.part} aria-labelledby="parameters">
      <h2 id="parameters">Parameters</h2>
      {parameters.totalCount === 0 ? (
        <p className={page.note}>
          No parameters yet. Add one here and set its values in the matrix, or paste a .env file there.
        </p>
      ) : (
        <div className={page.scroll}>
          <table className={page.table}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Type</th>
                <th scope="col">Description</th>
              </tr>
            </thead>
            <tbody>
              {parameters.edges.map(({ node }) => (
                <Row key={node.id} project={project.name} parameter={node} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pages here={after} next={nextCursor(parameters.pageInfo)} />
    </section>
  );
}

function Row({ project, parameter }: { readonly project: string; readonly parameter: OwnParameter }) {
  const { name, type, secret, expires, description } = parameter;
  return (
    <tr>
      <th scope="row">
        <Link
          to="/projects/$name/parameters/$parameter"
          params={{ name: project, parameter: name }}
          className={page.link}
        >
          <UserText>{name}</UserText>
        </Link>
      </th>
      <td>
        <UserText>{type}</UserText> {secret && <span className={page.badge}>secret</span>}{' '}
        {expires !== null && <span className={page.badge}>expires after {expires}</span>}
      </td>
      <td>
        <UserText>{description}</UserText>
      </td>
    </tr>
  );
}
