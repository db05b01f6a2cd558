import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { environmentsQuery } from '../../data/environments.ts';
import { projectsQuery } from '../../data/projects.ts';
import { newestTagsQuery } from '../../data/tags.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import type { ComparedSides, CompareSearch, CompareSide } from '../../lib/compare-sides.ts';
import { parsePointInTime } from '../../lib/point-in-time.ts';
import button from '../../ui/button.module.css';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './choice.module.css';

const route = getRouteApi('/inside/compare');

/** Shows the choice of the project and both sides. Each choice changes the URL at once. */
export function Choice({ sides }: { readonly sides: ComparedSides }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { args } = usePointInTime();
  const { data: projects = [] } = useQuery(projectsQuery(args));
  const go = (next: Partial<CompareSearch>) =>
    void navigate({ search: (previousSearch) => ({ ...previousSearch, ...next, after: undefined, step: undefined }) });
  const { left, right, from, to } = search;
  return (
    <section className={styles.choice} aria-label="Comparison">
      <label className={styles.field}>
        Project
        <select value={search.project ?? ''} onChange={({ target }) => go({ project: target.value || undefined })}>
          <option value="">All projects</option>
          {projects.map(({ id, name }) => (
            <option key={id} value={name}>
              {withVisibleCharacters(name)}
            </option>
          ))}
        </select>
      </label>
      <Side
        title="Left"
        side={{ ...sides.left, pointInTime: from }}
        whenNone="Every environment"
        onEnvironment={(name) => go({ left: name, ...(name === undefined && { right: undefined }) })}
        onPointInTime={(pointInTime) => go({ from: pointInTime })}
      />
      <button
        type="button"
        className={button.icon}
        aria-label="Swap left and right"
        onClick={() => go({ left: right ?? (from === to ? undefined : left), right: left, from: to, to: from })}
      >
        <ArrowLeftRight size={15} aria-hidden />
      </button>
      <Side
        title="Right"
        side={{ ...sides.right, pointInTime: to }}
        whenNone={left === undefined ? 'Every environment' : `The same (${left})`}
        onEnvironment={(name) => go({ right: name })}
        onPointInTime={(pointInTime) => go({ to: pointInTime })}
      />
      {search.project !== undefined && (
        <search className={styles.filter}>
          <Typed
            label="Filter by name"
            type="search"
            placeholder="Filter by name"
            current={search.q ?? ''}
            isOptional
            onTyped={(text) => go({ q: text.trim() || undefined })}
          />
        </search>
      )}
    </section>
  );
}

interface SideProps {
  readonly title: string;
  readonly side: CompareSide;
  /** The label of the option for no environment. */
  readonly whenNone: string;
  onEnvironment(name: string | undefined): void;
  onPointInTime(pointInTime: string | undefined): void;
}

function Side({ title, side, whenNone, onEnvironment, onPointInTime }: SideProps) {
  const { data: environments = [] } = useQuery(environmentsQuery());
  return (
    <fieldset className={styles.side}>
      <legend className="heard">{title}</legend>
      <label className={styles.field}>
        {title}
        <select
          aria-label={`${title}: environment`}
          value={side.environment ?? ''}
          onChange={({ target }) => onEnvironment(target.value || undefined)}
        >
          <option value="">{whenNone}</option>
          {environments.map(({ id, name }) => (
            <option key={id} value={name}>
              {withVisibleCharacters(name)}
            </option>
          ))}
        </select>
      </label>
      <When title={title} pointInTime={side.pointInTime} onPointInTime={onPointInTime} />
    </fieldset>
  );
}

type Kind = 'now' | 'revision' | 'instant' | 'tag';

/** Renders the choice of a point in time: now, a tag, or a typed date or revision. */
function When({
  title,
  pointInTime,
  onPointInTime,
}: Pick<SideProps, 'title' | 'onPointInTime'> & Pick<CompareSide, 'pointInTime'>) {
  const { data: tags = [] } = useQuery(newestTagsQuery);
  const { isNow } = usePointInTime();
  const chosenPointInTime = parsePointInTime(pointInTime);
  // The state of the field is discarded when the URL changes.
  const [editedSide, setEditedSide] = useState<{ readonly kind: Kind; readonly at: string | undefined } | null>(null);
  const typing = editedSide?.at === pointInTime && editedSide ? editedSide.kind : chosenPointInTime.kind;
  const isListed = tags.some(({ environment, name }) => pointInTime === `tag:${environment}/${name}`);
  const choose = (value: string) => {
    setEditedSide({ kind: value === 'revision' || value === 'instant' ? value : 'now', at: pointInTime });
    if (value === '') onPointInTime(undefined);
    else if (value.startsWith('tag:')) onPointInTime(value);
  };
  return (
    <div className={styles.when}>
      <select
        aria-label={`${title}: when`}
        value={typing === 'revision' || typing === 'instant' ? typing : (pointInTime ?? '')}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">{isNow ? 'now' : 'as shown above'}</option>
        <option value="revision">at a revision</option>
        <option value="instant">at a date and time</option>
        {pointInTime !== undefined && chosenPointInTime.kind === 'tag' && !isListed && (
          <option value={pointInTime}>
            tag {chosenPointInTime.tag} of {chosenPointInTime.environment}
          </option>
        )}
        {tags.map(({ environment, name }) => (
          <option key={`${environment} ${name}`} value={`tag:${environment}/${name}`}>
            tag {withVisibleCharacters(name)} of {withVisibleCharacters(environment)}
          </option>
        ))}
      </select>
      {typing === 'revision' && (
        <Typed
          label={`${title}: revision`}
          inputMode="numeric"
          pattern="[0-9]{1,15}"
          current={chosenPointInTime.kind === 'revision' ? String(chosenPointInTime.revision) : ''}
          onTyped={(text) => onPointInTime(`r${text}`)}
        />
      )}
      {typing === 'instant' && (
        <Typed
          label={`${title}: date and time`}
          type="datetime-local"
          step={1}
          current={chosenPointInTime.kind === 'instant' ? localTime(chosenPointInTime.instant) : ''}
          onTyped={(text) => onPointInTime(new Date(text).toISOString())}
        />
      )}
    </div>
  );
}

interface TypedProps
  extends Pick<React.ComponentProps<'input'>, 'inputMode' | 'pattern' | 'type' | 'step' | 'placeholder'> {
  readonly label: string;
  readonly current: string;
  /** Whether the field may be empty. */
  readonly isOptional?: boolean;
  onTyped(text: string): void;
}

/** A text field that applies its text on Enter, or when it loses the focus. */
function Typed({ label, current, isOptional = false, onTyped, ...input }: TypedProps) {
  const [text, setText] = useState(current);
  useEffect(() => setText(current), [current]);
  const take = (field: HTMLInputElement) => {
    if (field.value !== current && (isOptional || field.value !== '') && field.reportValidity()) onTyped(field.value);
  };
  return (
    <input
      aria-label={label}
      autoComplete="off"
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={({ currentTarget }) => take(currentTarget)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') take(currentTarget);
      }}
      {...input}
    />
  );
}

/** Formats a time for a date field, in the time zone of the user. */
function localTime(instant: string): string {
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
