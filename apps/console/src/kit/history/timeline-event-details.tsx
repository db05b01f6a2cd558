import { UserText } from '../../ui/user-text.tsx';
import { BeforeAfter } from './before-after.tsx';
import styles from './timeline-event-details.module.css';
import type { TimelineEvent, ValueEvent } from './timeline-events.ts';

interface TimelineEventDetailsProps {
  /** The name of the parameter. */
  readonly parameter: string;
  readonly event: TimelineEvent;
}

/** Describes the changes of a parameter by one changeset, with the values before and after. */
export function TimelineEventDetails({ parameter, event: { toParameter, toValues } }: TimelineEventDetailsProps) {
  return (
    <ul className={styles.done}>
      {toParameter.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      {toValues.map((value) => (
        <ValueLine key={value.environment} {...{ parameter, value }} />
      ))}
    </ul>
  );
}

function ValueLine({ parameter, value }: { readonly parameter: string; readonly value: ValueEvent }) {
  const { environment, isGone, before, after, isKnown, followers } = value;
  const kind = isGone ? 'removed' : before === null ? 'added' : 'changed';
  const isMasked = [before, after].some((state) => state?.secret);
  return (
    <li className={styles.value}>
      <span className={styles.environment}>
        <UserText>{environment}</UserText>
      </span>
      <div>
        {isKnown && (
          <BeforeAfter
            kind={kind}
            before={before?.text ?? null}
            after={after?.text ?? null}
            isMasked={isMasked}
            of={`${parameter} in ${environment}`}
          />
        )}
        {followers.length > 0 && (
          <span className={styles.followers}>
            also <UserText>{followers.join(', ')}</UserText>
          </span>
        )}
      </div>
    </li>
  );
}
