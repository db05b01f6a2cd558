import { isRevertible } from '@strata/domain';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useCanWriteAnyScope } from '../../data/abilities.ts';
import { changesetQuery, changesetsQuery, effectiveChangesQuery, type ShownChangeset } from '../../data/history.ts';
import {
  describeAction,
  describeChanges,
  describeInterface,
  describeObjectType,
  FIRST_REVISION,
  listProjects,
} from '../../kit/history/changeset-descriptions.ts';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { When } from '../../ui/when.tsx';
import styles from './changeset-page.module.css';
import { EffectiveChanges } from './effective-changes.tsx';
import { restorableProjects } from './restorable.ts';

const route = getRouteApi('/inside/history/$revision');

/** Shows one changeset: its message and author, the changed effective values, and each changed object. */
export function ChangesetPage() {
  const { revision } = route.useParams();
  const { after } = route.useSearch();
  const query = useQuery(changesetQuery(revision));
  const effectiveChanges = useQuery(effectiveChangesQuery(revision, after ?? null));
  if (query.error) return <ErrorMessage error={query.error} reset={() => void query.refetch()} />;
  if (query.data === undefined) return <p className={styles.note}>Loading …</p>;
  if (query.data === null) {
    return (
      <p className={styles.note}>
        There is no revision {revision}. Each change creates a revision. The{' '}
        <Link to="/history" className={page.link}>
          history
        </Link>{' '}
        lists them.
      </p>
    );
  }
  const changeset = query.data;
  return (
    <article className={styles.page}>
      <Head changeset={changeset} />
      <EffectiveChanges key={revision} revision={revision} after={after ?? null} />
      {/* Rendered only after the effective changes are loaded, so that they do not move it. */}
      {!effectiveChanges.isPending && <Changes key={`${revision} changes`} changeset={changeset} />}
    </article>
  );
}

function Head({ changeset }: { readonly changeset: ShownChangeset }) {
  const { revision, at, actorName, actorType, actorId, surface, message, externalRef, changes, changeCount } =
    changeset;
  // Memberships, grants, webhooks and the like are not restored. The preview of the revert reports changes that the user may not revert.
  const mayRevert = useCanWriteAnyScope() && changes.some(({ objectType }) => isRevertible(objectType));
  return (
    <header className={styles.head}>
      <h2>
        <UserText>{message ?? describeChanges(changes, changeCount, revision)}</UserText>
      </h2>
      <p className={styles.facts}>
        {actorName !== null && (
          <>
            <Link to="/history" search={{ actor: actorId ?? undefined }} className={styles.link}>
              <UserText>{actorName}</UserText>
            </Link>
            {actorType === 'service' && ' (service account)'}
            {surface !== null && ` via ${describeInterface(surface)}, `}
          </>
        )}
        <When at={at} />
        {externalRef !== null && (
          <span className={styles.reference}>
            <UserText>{externalRef}</UserText>
          </span>
        )}
      </p>
      {mayRevert && (
        <Link to="/history/$revision/revert" params={{ revision: String(revision) }} className={button.plain}>
          <Undo2 size={14} aria-hidden /> Revert
        </Link>
      )}
      <OtherRevisions {...{ changeset, mayRevert }} />
    </header>
  );
}

interface OtherRevisionsProps {
  readonly changeset: ShownChangeset;
  readonly mayRevert: boolean;
}

/** Links to the revisions before and after, to comparisons, and to what can be restored. */
function OtherRevisions({ changeset: { revision, changes }, mayRevert }: OtherRevisionsProps) {
  const { data: changesetList } = useQuery(changesetsQuery({}));
  const newest = changesetList?.edges.map(({ node }) => node) ?? [];
  const projects = listProjects(changes);
  return (
    <nav aria-label="Other revisions" className={styles.buttons}>
      {revision > 1 && (
        <Link to="/history/$revision" params={{ revision: String(revision - 1) }} className={button.quiet}>
          Before
        </Link>
      )}
      {newest[0]?.revision !== revision && (
        <Link to="/history/$revision" params={{ revision: String(revision + 1) }} className={button.quiet}>
          After
        </Link>
      )}
      {projects.map((project) => (
        <Link
          key={project}
          to="/compare"
          search={{ project, from: `r${Math.max(1, revision - 1)}`, to: `r${revision}` }}
          className={button.quiet}
        >
          Compare <UserText>{project}</UserText>
        </Link>
      ))}
      {mayRevert &&
        newest.length > 0 &&
        restorableProjects(projects, revision, newest).map((project) => (
          <Link
            key={project}
            to="/history/return"
            search={{ project, to: revision }}
            className={button.quiet}
            title={withVisibleCharacters(`Restore ${project} to this revision`)}
          >
            Restore <UserText>{project}</UserText> to this revision
          </Link>
        ))}
    </nav>
  );
}

/** The number of rows that are shown before the user loads more. */
const SHOWN = 50;

function Changes({ changeset: { changes, changeCount, revision } }: { readonly changeset: ShownChangeset }) {
  const [isAll, setIsAll] = useState(false);
  const shownChanges = isAll ? changes : changes.slice(0, SHOWN);
  return (
    <section className={styles.part} aria-labelledby="changes">
      <h2 id="changes">
        Changed objects <span className={styles.count}>{changeCount.toLocaleString()}</span>
      </h2>
      {changes.length === 0 && (
        <p className={styles.note}>
          {revision === FIRST_REVISION ? 'The organization and its first objects.' : 'Hidden (no access).'}
        </p>
      )}
      {shownChanges.length > 0 && (
        <table className={styles.table}>
          <thead className="heard">
            <tr>
              <th scope="col">Change</th>
              <th scope="col">Name</th>
              <th scope="col">Environment and project</th>
            </tr>
          </thead>
          <tbody>
            {shownChanges.map((change) => (
              <tr key={`${change.action} ${change.objectType} ${change.objectId}`}>
                <td className={styles.verb}>
                  {describeAction(change.action)} {describeObjectType(change.objectType)}
                </td>
                <td>
                  <ChangedName change={change} />
                </td>
                <td className={styles.where}>
                  {change.environmentName !== null && change.objectType !== 'Environment' && (
                    <>
                      in <UserText>{change.environmentName}</UserText>{' '}
                    </>
                  )}
                  {change.projectName !== null && change.objectType !== 'Project' && (
                    <>
                      of <UserText>{change.projectName}</UserText>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {shownChanges.length < changes.length && (
        <button type="button" className={button.plain} onClick={() => setIsAll(true)}>
          Show {changes.length.toLocaleString()}
        </button>
      )}
      {changes.length < changeCount && (
        <p className={styles.note}>
          Showing the first {changes.length.toLocaleString()} of {changeCount.toLocaleString()}.
        </p>
      )}
    </section>
  );
}

/** Links to the history of an object if it has a history page. */
function ChangedName({ change }: { readonly change: ShownChangeset['changes'][number] }) {
  const { objectType, objectName, projectName, parameterName } = change;
  if (parameterName !== null && projectName !== null) {
    return (
      <Link
        to="/projects/$name/history/$parameter"
        params={{ name: projectName, parameter: parameterName }}
        className={styles.name}
      >
        <UserText>{objectName}</UserText>
      </Link>
    );
  }
  if (objectType === 'Environment') {
    return (
      <Link to="/history/environments/$environment" params={{ environment: objectName }} className={styles.name}>
        <UserText>{objectName}</UserText>
      </Link>
    );
  }
  return (
    <span className={styles.name}>
      <UserText>{objectName}</UserText>
    </span>
  );
}
