import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useMatches, useParams, useRouteContext, useRouter } from '@tanstack/react-router';
import { CircleHelp } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { viewerQuery } from '../data/session.ts';
import { usePointInTime } from '../data/use-point-in-time.ts';
import { SessionEnd } from '../features/session/session-end.tsx';
import { useLeaveConfirmation } from '../kit/drafts/use-leave-confirmation.ts';
import { helpFor } from '../lib/help.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { UserText } from '../ui/user-text.tsx';
import { withVisibleCharacters } from '../ui/visible-characters.ts';
import { LiveIndicator } from './live-indicator.tsx';
import { PointInTimeBar, PointInTimeButton } from './point-in-time-bar.tsx';
import { ProjectTabs } from './project-tabs.tsx';
import { Rail } from './rail.tsx';
import { ReadOnlyReason } from './read-only-reason.tsx';
import styles from './shell.module.css';

const KeysDialog = lazyPart(async () => (await import('../kit/keys-dialog.tsx')).KeysDialog);

const FavouriteStar = lazyPart(async () => (await import('./favourite-star.tsx')).FavouriteStar);

const DoneNote = lazyPart(async () => (await import('../kit/planned/done-note.tsx')).DoneNote);

/** Renders the frame of every page for signed-in users. A different user gets a new frame with a new connection. */
export function Shell() {
  const { data: viewer } = useQuery(viewerQuery);
  return <ShellOfPerson key={`${viewer?.user.id} ${viewer?.organization?.id}`} />;
}

function ShellOfPerson() {
  useFollowingChanges();
  const content = useFocusOnArrival();
  const { name } = useParams({ strict: false });
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <Rail />
      <div className={styles.main}>
        <div>
          <SessionEnd />
          <PointInTimeBar />
        </div>
        <div>
          <Trail />
          {name !== undefined && <ProjectTabs name={name} />}
          <ReadOnlyReason />
          <Applied />
        </div>
        <main id="content" aria-labelledby="page-title" data-region className={styles.page} ref={content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Keys />
      <LeaveConfirmation />
    </div>
  );
}

/** Confirms an action of the previous page, which is no longer shown. */
function Applied() {
  const { applied: revision, scopes, scopeCount } = useLocation({ select: ({ state }) => state });
  if (revision === undefined) return null;
  return (
    <div className={styles.applied}>
      <Suspense>
        <DoneNote key={revision} isNotRevertible={false} {...{ revision, scopes, scopeCount }} />
      </Suspense>
    </div>
  );
}

/** A separate component, so that a changed draft does not render the whole shell again. */
function LeaveConfirmation() {
  useLeaveConfirmation();
  return null;
}

/** Moves the focus to the new page if the focused element was removed with the previous one. */
function useFocusOnArrival() {
  const content = useRef<HTMLElement>(null);
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, hrefChanged }) => {
        const isLost = document.activeElement === document.body;
        if (fromLocation && hrefChanged && isLost) content.current?.focus({ preventScroll: true });
      }),
    [router],
  );
  return content;
}

/** Receives changes while the user is signed in. This code is loaded after the first page is shown. */
function useFollowingChanges(): void {
  const { client, onSignedOut } = useRouteContext({ from: '__root__' });
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isOver = false;
    void import('./follow-changes.ts').then(({ followChanges }) => {
      if (!isOver) stop = followChanges(client, onSignedOut);
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [client, onSignedOut]);
}

/** Shows the breadcrumbs. Their last part is the title of the page. */
function Trail() {
  const { name, template, parameter, environment } = useParams({ strict: false });
  const { isNow } = usePointInTime();
  const { staticData, params, fullPath } = useMatches().at(-1) ?? {};
  const title = staticData?.title?.(params ?? {}) ?? name ?? 'Projects';
  const parentPage =
    staticData?.above ?? (name === undefined ? null : ({ to: '/projects', title: 'Projects' } as const));
  // Pages of a project show its name.
  const isOfProject = name !== undefined && (template ?? parameter) !== undefined;
  useEffect(() => {
    document.title = `${withVisibleCharacters(title)} · Strata`;
  }, [title]);
  return (
    <header className={styles.trail} data-region>
      {parentPage && (
        <Above isFar={isOfProject}>
          <Link to={parentPage.to}>{parentPage.title}</Link>
        </Above>
      )}
      {isOfProject && (
        <Above>
          <Link to="/projects/$name" params={{ name }}>
            <UserText>{name}</UserText>
          </Link>
        </Above>
      )}
      <h1 id="page-title">
        <UserText>{title}</UserText>
      </h1>
      {isNow && (name ?? environment) !== undefined && (
        <Suspense>
          <FavouriteStar />
        </Suspense>
      )}
      <div className={styles.tools}>
        {isNow && <LiveIndicator />}
        {staticData?.hasPast && <PointInTimeButton />}
        <a
          className={styles.help}
          href={helpFor(fullPath ?? '')}
          target="_blank"
          rel="noopener"
          aria-label="Help about this page"
        >
          <CircleHelp size={15} aria-hidden />
        </a>
      </div>
    </header>
  );
}

interface AboveProps {
  /** Whether narrow screens hide it. */
  readonly isFar?: boolean;
  readonly children: React.ReactNode;
}

function Above({ isFar = false, children }: AboveProps) {
  return (
    <>
      <span className={styles.above} data-far={isFar || undefined}>
        {children}
      </span>
      <span aria-hidden className={styles.slash} data-far={isFar || undefined}>
        /
      </span>
    </>
  );
}

/** Opens the list of shortcuts with `?`, unless the user is typing, and moves between the regions of the page with F6. */
function Keys() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]')) return;
      // The target of an event inside a shadow root is its host.
      const [element] = event.composedPath();
      const isWriting = (element as Element).matches('input, textarea, select, [contenteditable]');
      if (event.key === '?' && !isWriting) setShown(true);
      if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      void import('./regions.ts').then(({ focusOtherRegion }) => focusOtherRegion(event.shiftKey));
    };
    // Captured, because editors handle their keys themselves.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
  if (!isShown) return null;
  return (
    <Suspense>
      <KeysDialog onClose={() => setShown(false)} />
    </Suspense>
  );
}
