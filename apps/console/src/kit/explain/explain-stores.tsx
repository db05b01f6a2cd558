import { Link } from '@tanstack/react-router';
import type { CellExplanation } from '../../data/explanation.ts';
import { KEY_REASONS, KEY_STATES } from '../../lib/push-keys.ts';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import styles from './explain-panel.module.css';

type External = NonNullable<NonNullable<CellExplanation['winner']>['external']>;

/** Shows where the text of an external value comes from, and why it may be outdated. */
export function ExternalSource({ external: { fqn, filter, error } }: { readonly external: External }) {
  return (
    <>
      <p className={styles.about}>
        Read from{' '}
        <code>
          <UserText>{fqn}</UserText>
        </code>
        {filter !== '' && (
          <>
            , filter{' '}
            <code>
              <UserText>{filter}</UserText>
            </code>
          </>
        )}
      </p>
      {error !== null && (
        <p className={styles.problem}>
          Outdated: <UserText>{error}</UserText>
        </p>
      )}
    </>
  );
}

/** Lists the keys of stores that pushes write from the value, with their states. */
export function PushedTo({ explained: { pushedTo, pushedToCount } }: { readonly explained: CellExplanation }) {
  if (!pushedTo || pushedTo.length === 0) return null;
  const hiddenCount = (pushedToCount ?? 0) - pushedTo.length;
  return (
    <section>
      <h3>Pushed to</h3>
      <ul className={styles.rows}>
        {pushedTo.map(({ pushId, pushName, integrationId, integrationName, provider, tagName, key, ...status }) => {
          const { label, isBad } = KEY_STATES[status.state];
          return (
            <li key={`${pushId} ${key}`}>
              <Link
                to="/integrations/$provider/$integration/pushes/$push"
                params={{ provider, integration: integrationId, push: pushId }}
                title={`${pushName}, ${integrationName}`}
              >
                <code>
                  <UserText>{key}</UserText>
                </code>
              </Link>
              <span className={styles.from}>
                <b className={isBad && styles.bad}>{label}</b> {isBad && `${KEY_REASONS[status.reason]}. `}
                {status.detail !== null && (
                  <>
                    <UserText>{status.detail}</UserText>{' '}
                  </>
                )}
                {tagName !== null && (
                  <>
                    at <UserText>{tagName}</UserText>,{' '}
                  </>
                )}
                {status.nextAttemptAt !== null ? (
                  <>
                    next attempt <When at={status.nextAttemptAt} as="upcoming" />
                  </>
                ) : (
                  <>
                    since <When at={status.changedAt} />
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ul>
      {hiddenCount > 0 && <p className={styles.from}>And {hiddenCount.toLocaleString()} more.</p>}
    </section>
  );
}
