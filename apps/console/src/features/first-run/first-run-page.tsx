import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FolderPlus, Import } from 'lucide-react';
import type { ReactNode } from 'react';
import { viewerQuery } from '../../data/session.ts';
import { isUnconfiguredQuery } from '../../data/unconfigured.ts';
import { EnvFileInput } from '../../kit/env-file/env-file.tsx';
import styles from '../../kit/env-file/first-run-page.module.css';
import button from '../../ui/button.module.css';
import { Sample } from './sample.tsx';

interface FirstRunPageProps {
  /** The form that creates an empty project. */
  readonly createProject: ReactNode;
}

/** Offers the ways to create the first project: from a file, empty, or with the sample platform. */
export function FirstRunPage({ createProject }: FirstRunPageProps) {
  const { data: viewer } = useQuery(viewerQuery);
  if (!viewer) return null;
  const may = new Set<string>(viewer.abilities.abilities);
  if (!may.has('write_content')) return <NothingToRead />;
  return (
    <div className={styles.page}>
      <p className={styles.lead}>
        A project holds the parameters of one program, with a value for each environment. An environment inherits the
        values that it does not set. Start with your own configuration, or look around first.
      </p>
      <div className={styles.ways}>
        <EnvFileInput />
        <div className={styles.others}>
          <EmptyProject>{createProject}</EmptyProject>
          <Sample mayManageWebhooks={may.has('manage_webhooks')} />
          <Snapshot />
        </div>
      </div>
    </div>
  );
}

/** Renders the form that creates an empty project. */
function EmptyProject({ children }: { readonly children: ReactNode }) {
  return (
    <section className={styles.way} aria-labelledby="empty-project">
      <h2 id="empty-project">
        <FolderPlus size={16} aria-hidden /> Start with an empty project
      </h2>
      {children}
    </section>
  );
}

/** Links to the import of a snapshot. */
function Snapshot() {
  return (
    <section className={styles.way} aria-labelledby="snapshot">
      <h2 id="snapshot">
        <Import size={16} aria-hidden /> Import a snapshot
      </h2>
      <p>
        The backup of another organization, or of a service with the same API: environments, types, projects,
        parameters, values and templates.
      </p>
      <Link to="/import" className={button.plain}>
        Import from a snapshot
      </Link>
    </section>
  );
}

function NothingToRead() {
  const { data: isFresh } = useQuery(isUnconfiguredQuery);
  if (isFresh === undefined) return null;
  if (!isFresh) {
    return (
      <div className={styles.page}>
        <p className={styles.lead}>
          A project holds the parameters of one program. All projects are listed under{' '}
          <Link to="/projects">Projects</Link>.
        </p>
      </div>
    );
  }
  return (
    <div className={styles.page}>
      <h2>No projects yet</h2>
      <p className={styles.lead}>
        A project holds the parameters of one program, with a value for each environment. When someone creates the first
        project, it appears here.
      </p>
    </div>
  );
}
