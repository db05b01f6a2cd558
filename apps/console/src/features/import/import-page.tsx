import { createSource, type ImportSource } from '@strata/import';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useBlocker } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { environmentsQuery } from '../../data/environments.ts';
import { projectsQuery } from '../../data/projects.ts';
import { viewerQuery } from '../../data/session.ts';
import { mayWrite } from '../../data/write-access.ts';
import { type ChosenFile, FileInput } from '../../kit/env-file/file-input.tsx';
import { NoProject } from '../../kit/no-project.tsx';
import type { ListedProject } from '../../lib/project-forest.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { LeaveDialog } from '../../ui/leave-dialog.tsx';
import page from '../../ui/page.module.css';
import { PageNote } from '../../ui/page-note.tsx';
import { UserText } from '../../ui/user-text.tsx';

const ImportPreview = lazyPart(async () => (await import('./import-preview.tsx')).ImportPreview);

const route = getRouteApi('/inside/projects/$name/import');

const EXAMPLE = `PORT=8080
LOG_LEVEL=info

or  { "staging": { "PORT": 8080 }, "production": { "PORT": 443 } }`;

/** Imports values from files into a project as one changeset, after a preview. */
export function ImportPage() {
  const { name } = route.useParams();
  const { data: projects } = useQuery(projectsQuery());
  const { data: viewer } = useQuery(viewerQuery);
  if (!projects || !viewer) return null;
  const project = projects.find((listedProject) => listedProject.name === name);
  if (!project) return <NoProject name={name} />;
  if (!mayWrite(viewer, { projectId: project.id })) {
    return (
      <PageNote>
        This page imports files into <UserText>{name}</UserText>. You can still view the matrix and export.
      </PageNote>
    );
  }
  return <ProjectImport key={project.id} project={project} />;
}

function ProjectImport({ project }: { readonly project: ListedProject }) {
  const { data: environments = [] } = useQuery(environmentsQuery());
  const [importSources, setImportSources] = useState<readonly ImportSource[]>([]);
  const leaveBlocker = useBlocker({
    shouldBlockFn: ({ current, next }) => importSources.length > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => importSources.length > 0,
    withResolver: true,
  });
  const names = environments.map(({ name }) => name);
  const take = (files: readonly ChosenFile[]) =>
    setImportSources([
      ...importSources,
      ...files.filter(({ text }) => text.trim() !== '').map((file) => createSource(file, names)),
    ]);
  return (
    <div className={page.page}>
      <section className={page.part} aria-labelledby="files">
        <h2 id="files">{importSources.length === 0 ? 'Paste or drop files' : 'Add a file'}</h2>
        <FileInput
          label="dotenv, JSON or YAML, or an export of Vault, Doppler or Infisical: one file per environment, or one file with environments as top-level keys. You review each line before anything is saved."
          placeholder={EXAMPLE}
          isMany
          onTaken={take}
        />
        <p className={page.note}>
          To import a whole organization,{' '}
          <Link to="/import" className={page.link}>
            import from a snapshot
          </Link>
          .
        </p>
      </section>
      {importSources.length > 0 && (
        <Suspense>
          <ImportPreview
            project={project}
            environments={names}
            sources={importSources}
            onSource={(source) =>
              setImportSources(importSources.map((current) => (current.id === source.id ? source : current)))
            }
            onRemove={(id) => setImportSources(importSources.filter((source) => source.id !== id))}
          />
        </Suspense>
      )}
      {leaveBlocker.status === 'blocked' && (
        <LeaveDialog title="Leave without importing?" onLeave={leaveBlocker.proceed} onStay={leaveBlocker.reset}>
          Nothing was imported yet. If you leave this page, your files and choices are discarded.
        </LeaveDialog>
      )}
    </div>
  );
}
