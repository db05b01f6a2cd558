import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CellLocation } from '../../data/explanation.ts';
import { type CellExplanation, historyQuery } from '../../data/explanation.ts';
import { UserText } from '../../ui/user-text.tsx';
import { CopyValue } from '../copy-value/copy-value.tsx';
import { TimelineEventDetails } from '../history/timeline-event-details.tsx';
import { groupTimeline } from '../history/timeline-events.ts';
import { TimeByActor } from '../time-by-actor.tsx';
import styles from './explain-panel.module.css';

interface CandidatesProps {
  readonly explained: CellExplanation;
  readonly place: CellLocation;
}

/** Lists the cells from which the value may be inherited, nearest first. The first one with a value applies. */
export function Candidates({ explained, place }: CandidatesProps) {
  const { candidates, candidatesCount, winner, next } = explained;
  const listedCandidates = candidates ?? [];
  const isNext = (candidate: (typeof listedCandidates)[number]) =>
    candidate.environmentName === next?.value?.environmentName && candidate.projectName === next.value.projectName;
  return (
    <>
      <ol className={styles.candidates}>
        {listedCandidates.map((candidate) => {
          const { projectId, projectName, environmentId, environmentName, state, wins, hiddenBy } = candidate;
          const shownWinner = wins ? winner : isNext(candidate) ? (next?.value ?? null) : null;
          return (
            <li
              key={`${environmentId} ${projectId}`}
              className={styles.candidate}
              data-wins={wins || undefined}
              data-hidden={hiddenBy !== null || undefined}
            >
              <span className={styles.where}>
                <UserText>{environmentName}</UserText>
                {projectId !== place.projectId && (
                  <span className={styles.project}>
                    <UserText>{projectName}</UserText>
                  </span>
                )}
              </span>
              <span className={styles.state}>
                {shownWinner ? (
                  <code>
                    <UserText>{shownWinner.secret ? '•••••' : shortened(shownWinner.value)}</UserText>
                  </code>
                ) : (
                  STATES[state]
                )}
                {wins && <b> applies</b>}
                {hiddenBy !== null && <span className={styles.hidden}> overridden by a closer {hiddenBy}</span>}
              </span>
            </li>
          );
        })}
      </ol>
      {candidatesCount !== null && candidatesCount > listedCandidates.length && (
        <p className={styles.about}>and {candidatesCount - listedCandidates.length} more</p>
      )}
    </>
  );
}

/** The maximum length of a text in the list. The panel shows the complete text above. */
const SHORT_MAX = 18;

function shortened(text: string | null): string {
  if (text === null) return 'null';
  if (text === '') return 'empty';
  return text.length > SHORT_MAX ? `${text.slice(0, SHORT_MAX)}…` : text;
}

const STATES = { set: 'set', NULL: 'set to null', unset: '–', closed: 'no access' } as const;

/** Lists the references of the text. */
export function ReferenceList({ explained: { madeOf, madeOfHidden } }: { readonly explained: CellExplanation }) {
  if (!madeOf || madeOf.length === 0) return null;
  return (
    <section>
      <h3>References</h3>
      <ul className={styles.rows}>
        {madeOf.map(({ kind, name, projectName, winner }) => (
          <li key={`${kind} ${projectName} ${name}`}>
            <code>
              <UserText>{name || 'all parameters'}</UserText>
            </code>
            <span className={styles.from}>
              {winner ? (
                <>
                  <CopyValue text={winner.secret ? null : winner.value} of={name}>
                    <code>
                      <UserText>{winner.secret ? '•••••' : (winner.value ?? 'null')}</UserText>
                    </code>
                  </CopyValue>{' '}
                  from <UserText>{winner.environmentName}</UserText>
                </>
              ) : (
                <UserText>{projectName}</UserText>
              )}
            </span>
          </li>
        ))}
      </ul>
      {madeOfHidden !== null && madeOfHidden > 0 && (
        <p className={styles.about}>and {madeOfHidden} that you don’t have access to</p>
      )}
    </section>
  );
}

/** Lists the texts that reference the parameter. */
export function UsedBy({ explained: { neededBy, neededByHidden } }: { readonly explained: CellExplanation }) {
  const hiddenCount = neededByHidden ?? 0;
  if ((!neededBy || neededBy.length === 0) && hiddenCount === 0) return null;
  return (
    <section>
      <h3>Used by</h3>
      <ul className={styles.rows}>
        {neededBy?.map(({ id, kind, name, projectName, environmentName }) => (
          <li key={id}>
            {environmentName === null ? (
              <code>
                <UserText>{name}</UserText>
              </code>
            ) : (
              <Link to="/projects/$name" params={{ name: projectName }} search={{ cell: name, in: environmentName }}>
                <code>
                  <UserText>{name}</UserText>
                </code>
              </Link>
            )}
            <span className={styles.from}>
              <UserText>
                {kind === 'template' ? `template of ${projectName}` : `${projectName}, ${environmentName}`}
              </UserText>
            </span>
          </li>
        ))}
      </ul>
      {hiddenCount > 0 && <p className={styles.about}>and {hiddenCount} that you don’t have access to</p>}
    </section>
  );
}

interface HistoryProps {
  readonly place: CellLocation;
  readonly parameterId: string;
  /** The name of the project that owns the parameter. */
  readonly project: string;
}

/** The maximum number of changes in the panel. */
const SHOWN_MAX = 6;

/** Lists the recent changes of the parameter, with the values before and after. */
export function History({ place, parameterId, project }: HistoryProps) {
  const { data: entries } = useQuery(historyQuery(place, parameterId));
  if (!entries || entries.length === 0) return null;
  const events = groupTimeline(entries);
  return (
    <section>
      <h3>History</h3>
      <ol className={styles.events}>
        {events.slice(0, SHOWN_MAX).map((event) => (
          <li key={event.at}>
            <p className={styles.about}>
              <TimeByActor at={event.at} revision={event.revision} actorName={event.by} />
            </p>
            <TimelineEventDetails parameter={place.name} event={event} />
          </li>
        ))}
      </ol>
      <p className={styles.about}>
        <Link
          to="/projects/$name/history/$parameter"
          params={{ name: project, parameter: place.name }}
          className={styles.link}
        >
          {events.length > SHOWN_MAX ? `All ${events.length} changes and earlier` : 'Full history'}
        </Link>
      </p>
    </section>
  );
}
