import type { QueryClient } from '@tanstack/react-query';
import { refreshCurrentCells } from '../data/current-cells.ts';
import { type FeedMessage, followFeed, type ReportedChange } from '../data/feed.ts';
import { matrixKeys } from '../data/matrix.ts';
import {
  isKeyOf,
  refreshAfterAnyChange,
  refreshAll,
  refreshDependencies,
  refreshDependents,
} from '../data/query-keys.ts';
import { refreshMatrix, refreshPartsBefore } from '../data/refresh-matrix.ts';
import {
  isSameViewer,
  onSessionChangeInOtherTab,
  readSignedInViewer,
  sessionKeys,
  sessionQuery,
  viewerKeys,
  viewerQuery,
} from '../data/session.ts';
import { clearDrafts } from '../kit/drafts/drafts.ts';
import { clearLastGrids } from '../kit/drafts/last-grids.ts';
import { type AffectedData, findAffectedData } from '../lib/affected-data.ts';
import { isSignedOut } from '../lib/request-error.ts';
import { setLiveState } from './live-state.ts';

/** The time during which events are collected, so that the events of one changeset, or of a reconnect, cause only one refresh. */
const TOGETHER_MS = 40;
/** The maximum pause after a slow refresh, during which events are collected. */
const PAUSE_MAX_MS = 2_000;
/** The delay before a failed refresh is retried. */
const AGAIN_MS = 3_000;

/**
 * Refreshes the loaded queries after each change, and returns a function that stops this. The query keys in `data/` declare which changes
 * make a query stale.
 */
export function followChanges(client: QueryClient, onSignedOut: () => void): () => void {
  const follower = new Follower(client);
  const stop = followFeed({
    onMessage: (message) => follower.receive(message),
    onGap: () => follower.discardPending(),
    onCut: () => follower.cut(),
    onSignedOut,
  });
  const unsubscribe = onSessionChangeInOtherTab((news) => {
    if (news === 'signed in') void adoptSession(client, onSignedOut);
    else endSession(onSignedOut);
  });
  return () => {
    stop();
    follower.end();
    unsubscribe();
    setLiveState({ kind: 'connecting' });
  };
}

/** Removes the drafts that exist only in this tab as well, because the user has signed out in another tab. */
function endSession(onSignedOut: () => void): void {
  clearDrafts();
  onSignedOut();
}

/** Adopts the session of a user who has signed in in another tab, and clears all data of the previous user. */
async function adoptSession(client: QueryClient, onSignedOut: () => void): Promise<void> {
  const previousViewer = client.getQueryData(viewerQuery.queryKey);
  try {
    const viewer = await readSignedInViewer();
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
    if (previousViewer && isSameViewer(previousViewer, viewer)) return;
    clearLastGrids();
    client.setQueryData(viewerQuery.queryKey, viewer);
    await client.resetQueries({ predicate: ({ queryKey }) => !isKeyOf(queryKey, viewerKeys, sessionKeys) });
  } catch (error) {
    if (isSignedOut(error)) onSignedOut();
  }
}

/** Processes events in batches, one after the other. */
class Follower {
  private pending: ReportedChange[] = [];
  private revision: number | null = null;
  /** Whether all past events have been delivered, so that each new one is processed at once. */
  private isLive = false;
  /** Whether events may have been missed, so that all data older than the next bookmark must be refreshed. */
  private hasMissed = true;
  private turn: Promise<void> | null = null;
  private isOver = false;

  constructor(private readonly client: QueryClient) {}

  receive({ change, revision }: FeedMessage): void {
    this.revision = revision;
    if (change) this.pending.push(change);
    else this.isLive = true;
    this.turn ??= this.catchUp();
  }

  discardPending(): void {
    this.pending = [];
    this.hasMissed = true;
  }

  end(): void {
    this.isOver = true;
  }

  cut(): void {
    this.isLive = false;
    // Requests fail without a connection, so everything is refreshed after the reconnect.
    this.hasMissed = true;
    setLiveState({ kind: 'cut', revision: this.revision });
  }

  private async catchUp(): Promise<void> {
    try {
      await this.readChanges();
    } finally {
      this.turn = null;
    }
    if (!this.isLive) return;
    if (!this.hasStaleRows()) return setLiveState({ kind: 'live', revision: this.revision ?? 0 });
    // Some rows are still stale, so the page must not show that it is live.
    this.hasMissed = true;
    setLiveState({ kind: 'cut', revision: this.revision });
    setTimeout(() => {
      if (!this.isOver) this.turn ??= this.catchUp();
    }, AGAIN_MS);
  }

  private hasStaleRows(): boolean {
    const shownQueries = this.client.getQueryCache().findAll({ queryKey: matrixKeys.all, type: 'active' });
    return shownQueries.some(({ state }) => state.isInvalidated || state.status === 'error');
  }

  private async readChanges(): Promise<void> {
    let refreshedRevision: number | null = null;
    let tookMs = 0;
    while (this.pending.length > 0 || refreshedRevision !== this.revision) {
      // Under constant changes, the page refreshes for at most half of the time.
      const pauseMs = Math.min(Math.max(TOGETHER_MS, tookMs), PAUSE_MAX_MS);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const startedAt = performance.now();
      const [changes, revision] = [this.pending.splice(0), this.revision ?? 0];
      if (changes.length > 0) await this.refresh(findAffectedData(changes), revision);
      if (this.isLive && this.hasMissed) {
        this.hasMissed = false;
        await this.readOlder(revision);
      }
      refreshedRevision = revision;
      tookMs = performance.now() - startedAt;
    }
  }

  private async refresh(affectedData: AffectedData, revision: number): Promise<void> {
    const { client } = this;
    await refreshDependencies(client, affectedData.kinds);
    void refreshDependents(client, affectedData.kinds);
    await Promise.all([refreshMatrix(client, affectedData, revision), refreshCurrentCells(client, affectedData)]);
    void refreshAfterAnyChange(client);
  }

  private async readOlder(revision: number): Promise<void> {
    await refreshAll(this.client);
    await refreshPartsBefore(this.client, revision);
  }
}
