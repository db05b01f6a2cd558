import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { effectiveChangesQuery, type ListedEffectiveChange } from '../../data/history.ts';
import { BeforeAfter } from '../../kit/history/before-after.tsx';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { nextCursor, Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './changeset-page.module.css';

interface EffectiveChangesProps {
  readonly revision: string;
  readonly after: string | null;
}

/** Lists the effective values that a changeset changed, by project and parameter, with masked secrets. */
export function EffectiveChanges({ revision, after }: EffectiveChangesProps) {
  const query = useQuery(effectiveChangesQuery(revision, after));
  if (query.error) return <ErrorMessage error={query.error} reset={() => void query.refetch()} />;
  const rows = query.data?.edges.map(({ node }) => node) ?? [];
  const total = query.data?.totalCount;
  return (
    <section className={styles.part} aria-labelledby="effective" aria-busy={query.isPlaceholderData}>
      <h2 id="effective">
        Effective changes <span className={styles.count}>{total?.toLocaleString()}</span>
      </h2>
      {total === undefined && <p className={styles.note}>Loading …</p>}
      {total === 0 && <p className={styles.note}>No effective values changed.</p>}
      {rows.length > 0 && <Rows rows={rows} />}
      {query.data && <Pages here={after ?? undefined} next={nextCursor(query.data.pageInfo)} />}
    </section>
  );
}

function Rows({ rows }: { readonly rows: readonly ListedEffectiveChange[] }) {
  const projects = Map.groupBy(rows, ({ projectName }) => projectName);
  return [...projects].map(([project, projectRows]) => (
    <section key={project} className={styles.project} aria-label={withVisibleCharacters(project)}>
      <h3>
        <UserText>{project}</UserText>
      </h3>
      <ul>
        {[...Map.groupBy(projectRows, ({ parameterName }) => parameterName)].map(([parameter, cells]) => (
          <Parameter key={parameter} project={project} parameter={parameter} cells={cells} />
        ))}
      </ul>
    </section>
  ));
}

interface ParameterProps {
  readonly project: string;
  readonly parameter: string;
  readonly cells: readonly ListedEffectiveChange[];
}

function Parameter({ project, parameter, cells }: ParameterProps) {
  return (
    <li className={styles.group}>
      <Link to="/projects/$name/history/$parameter" params={{ name: project, parameter }} className={styles.name}>
        <UserText>{parameter}</UserText>
      </Link>
      <ul>
        {cells.map(({ environmentName, kind, before, after, masked, problem }) => (
          <li key={environmentName} className={styles.cell}>
            <span className={styles.environment}>
              <UserText>{environmentName}</UserText>
            </span>
            <div>
              <BeforeAfter
                {...{ kind, before, after, problem }}
                isMasked={masked}
                of={`${parameter} in ${environmentName}`}
              />
              {problem !== null && (
                <p className={styles.problem}>
                  <UserText>{problem}</UserText>
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </li>
  );
}
