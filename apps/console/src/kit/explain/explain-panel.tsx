import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { CellLocation } from '../../data/explanation.ts';
import { type CellExplanation, explanationQuery } from '../../data/explanation.ts';
import { RequestError } from '../../lib/request-error.ts';
import button from '../../ui/button.module.css';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { When } from '../../ui/when.tsx';
import { CopyAs } from '../copy-as/copy-as.tsx';
import { Reveal } from '../reveal/reveal.tsx';
import styles from './explain-panel.module.css';
import { Candidates, History, ReferenceList, UsedBy } from './explain-parts.tsx';
import { ExternalSource, PushedTo } from './explain-stores.tsx';
import { type ExplainActions, Verbs } from './explain-verbs.tsx';

interface ExplainPanelProps {
  readonly place: CellLocation;
  readonly environmentName: string;
  readonly verbs: ExplainActions;
  /** Describes the draft that affects the cell; null if there is none. */
  readonly draft: string | null;
  onClose(): void;
}

/** Shows the explanation of the effective value of a cell. */
export function ExplainPanel({ place, environmentName, verbs, draft, onClose }: ExplainPanelProps) {
  const { data: explanation, error, refetch } = useQuery(explanationQuery(place));
  const { name: projectName } = useParams({ strict: false });
  return (
    <aside
      className={styles.panel}
      data-region
      aria-label={withVisibleCharacters(`How ${place.name} resolves in ${environmentName}`)}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <header className={styles.head}>
        <h2 className={styles.name}>
          <UserText>{place.name}</UserText>
        </h2>
        <button type="button" className={button.icon} aria-label="Close the explanation" onClick={onClose}>
          <X size={15} aria-hidden />
        </button>
        <p className={styles.about}>
          in{' '}
          <b>
            <UserText>{environmentName}</UserText>
          </b>
          {explanation?.type && (
            <>
              {' · '}
              <RulesLink parameter={place.name} type={explanation.type} />
            </>
          )}
          {explanation?.secret && <> · secret</>}
          {explanation?.parameterId != null && projectName !== undefined && (
            <>
              {' · '}
              <Link
                to="/projects/$name/parameters/$parameter"
                params={{ name: projectName, parameter: place.name }}
                className={styles.settings}
              >
                Settings
              </Link>
            </>
          )}
        </p>
      </header>
      {draft !== null && (
        <p className={styles.draft}>
          <UserText>{draft}</UserText>
        </p>
      )}
      {error && isClosed(error) && <p className={styles.about}>You don’t have access to {environmentName}.</p>}
      {error && !isClosed(error) && <ErrorMessage error={error} reset={() => void refetch()} />}
      {explanation === null && <p className={styles.about}>It was deleted, or you don’t have access to it.</p>}
      {explanation && <Explanation {...{ place, verbs, explained: explanation }} />}
      {explanation && (
        <div>
          <CopyAs
            of={{
              kind: 'value',
              projectId: place.projectId,
              environment: environmentName,
              name: place.name,
              pointInTime: place.pointInTime,
            }}
            hasSecret={explanation.winner?.secret}
          />
        </div>
      )}
    </aside>
  );
}

/** Links to the rules of the parameter. */
function RulesLink({ parameter, type }: { readonly parameter: string; readonly type: string }) {
  const { name } = useParams({ strict: false });
  if (name === undefined) return <UserText>{type}</UserText>;
  return (
    <Link
      to="/projects/$name/parameters/$parameter/rules"
      params={{ name, parameter }}
      className={styles.type}
      title="Type and rules"
    >
      <UserText>{type}</UserText>
    </Link>
  );
}

const isClosed = (error: unknown) =>
  error instanceof RequestError && ['forbidden', 'FORBIDDEN', 'permission_denied'].includes(error.code);

interface ExplanationProps extends Pick<ExplainPanelProps, 'place' | 'verbs'> {
  readonly explained: CellExplanation;
}

function Explanation({ place, verbs, explained }: ExplanationProps) {
  const { description, winner, reason, next, since, parameterId } = explained;
  const owner = explained.candidates?.find(({ projectId }) => projectId === explained.ownerId)?.projectName;
  const isHere = winner?.environmentId === place.environmentId && winner.projectId === place.projectId;
  return (
    <>
      {description && (
        <p>
          <UserText>{description}</UserText>
        </p>
      )}
      <div className={styles.value}>
        {winner === null ? (
          <p className={styles.none}>
            <UserText>{reason?.detail ?? 'Not set.'}</UserText>
          </p>
        ) : winner.secret && parameterId !== null ? (
          <Reveal
            place={{
              projectId: place.projectId,
              parameterId,
              environment: place.environmentId,
              pointInTime: place.pointInTime,
            }}
          />
        ) : (
          <Text text={winner.value} problem={winner.problem} />
        )}
        {winner?.interpolated && winner.internalValue !== null && (
          <div className={styles.copied}>
            <p className={styles.stored}>
              template{' '}
              <code>
                <UserText>{winner.internalValue}</UserText>
              </code>
            </p>
            <CopyButton text={winner.internalValue} label="Copy template" isIcon />
          </div>
        )}
      </div>
      {winner?.external && <ExternalSource external={winner.external} />}
      {since && <LastChange change={since} />}
      <Verbs {...{ place, verbs, isHere, winner }} />
      <section>
        <h3>Resolution order</h3>
        <Candidates explained={explained} place={place} />
        <p className={styles.about}>
          {winner ? (isHere ? 'If removed: ' : 'Without it: ') : 'In the parent: '}
          <NextValue next={next} />.
        </p>
      </section>
      <Relations explained={explained} />
      {parameterId !== null && owner !== undefined && (
        <History place={place} parameterId={parameterId} project={owner} />
      )}
    </>
  );
}

/** Lists what the value is made of, what uses it, and where it is pushed to. */
function Relations({ explained }: { readonly explained: CellExplanation }) {
  return (
    <>
      <ReferenceList explained={explained} />
      <UsedBy explained={explained} />
      <PushedTo explained={explained} />
    </>
  );
}

function LastChange({ change }: { readonly change: NonNullable<CellExplanation['since']> }) {
  return (
    <p className={styles.about}>
      {change.exact ? 'Since ' : 'Since at least '}
      {change.at === null ? `revision ${change.revision}` : <When at={change.at} as="date" />}
      {change.actorName !== null && (
        <>
          {' '}
          by <UserText>{change.actorName}</UserText>
        </>
      )}
      {change.objectType !== null && (
        <>
          {' '}
          · <UserText>{describeChange(change)}</UserText>
        </>
      )}
    </p>
  );
}

function NextValue({ next }: Pick<CellExplanation, 'next'>) {
  if (next?.state === 'closed') return 'a value you don’t have access to';
  if (!next?.value) return 'not set';
  return (
    <>
      <code>
        <UserText>{next.value.secret ? '•••••' : (next.value.value ?? 'null')}</UserText>
      </code>{' '}
      from <UserText>{next.value.environmentName}</UserText>
    </>
  );
}

function Text({ text, problem }: { readonly text: string | null; readonly problem: string | null }) {
  if (problem !== null)
    return (
      <p className={styles.problem}>
        <UserText>{problem}</UserText>
      </p>
    );
  if (text === null) return <p className={styles.none}>null</p>;
  if (text === '') return <p className={styles.none}>empty</p>;
  return (
    <div className={styles.copied}>
      <pre className={styles.text}>
        <UserText>{text}</UserText>
      </pre>
      <CopyButton text={text} label="Copy value" isIcon />
    </div>
  );
}

const VERBS: Readonly<Record<string, string>> = { create: 'was created', update: 'was changed', delete: 'was deleted' };

/** Describes the change that led to the current value. It is often a change of another object. */
function describeChange({
  action,
  objectType,
  objectName,
  environmentName,
}: NonNullable<CellExplanation['since']>): string {
  const verb = VERBS[action ?? ''] ?? 'was changed';
  if (objectType === 'Value') return `the value in ${environmentName ?? 'an environment'} ${verb}`;
  return `${(objectType ?? '').toLowerCase()} ${objectName ?? ''} ${verb}`;
}
