import { Suspense } from 'react';
import { useSampleLoading } from '../../features/first-run/sample-loading.ts';
import { ChangesetList } from '../../features/history/changeset-list.tsx';
import { HomePage } from '../../features/home/home-page.tsx';
import { FailingWebhooks } from '../../features/webhooks/failing-webhooks.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';

const FirstRun = lazyPart(async () => (await import('./first-run-page.tsx')).FirstRun);

/** The first page: the projects, what needs attention, and the user's own changes. */
export function Home() {
  // The progress and the error of loading the sample platform must stay visible after its first project was created.
  const isSampleLoading = useSampleLoading().state !== 'idle';
  const firstRun = (
    <Suspense>
      <FirstRun />
    </Suspense>
  );
  return (
    <HomePage
      firstRun={firstRun}
      isSampleLoading={isSampleLoading}
      failingWebhooks={(webhooks) => <FailingWebhooks webhooks={webhooks} />}
      changesetList={(changesets) => <ChangesetList changesets={changesets} />}
    />
  );
}
