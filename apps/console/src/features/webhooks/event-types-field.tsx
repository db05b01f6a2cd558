import { useId, useState } from 'react';
import button from '../../ui/button.module.css';
import { useFieldErrors } from '../../ui/form.tsx';
import { EVENT_ACTIONS, eventName, OBJECTS, type WebhookEvent } from './event-types.ts';
import styles from './webhooks.module.css';

const NAME = 'event_types';
const ALL: readonly WebhookEvent[] = OBJECTS.flatMap((object) =>
  EVENT_ACTIONS.map((happening) => eventName(object, happening)),
);

export const eventsIn = (form: FormData): WebhookEvent[] => ALL.filter((event) => form.getAll(NAME).includes(event));

const LABELS: Readonly<Record<(typeof OBJECTS)[number], string>> = {
  value: 'Values',
  parameter: 'Parameters',
  project: 'Projects',
  environment: 'Environments',
};

/** A field to choose event types, as a table of objects and actions. A new webhook starts with the most common ones. */
export function EventTypesField({ selected }: { readonly selected: readonly WebhookEvent[] | null }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    new Set(selected ?? ALL.filter((event) => event.startsWith('value_'))),
  );
  const wrong = useFieldErrors(NAME);
  const id = useId();
  const toggle = (event: string) => {
    const next = new Set(chosen);
    if (!next.delete(event)) next.add(event);
    setChosen(next);
  };
  const isAll = chosen.size === ALL.length;
  return (
    <fieldset className={styles.events} aria-describedby={`${id}-hint${wrong === undefined ? '' : ` ${id}-wrong`}`}>
      <legend>Events</legend>
      {/* A hidden field, so that the form contains this name and shows its error here even if nothing is checked. */}
      <input type="hidden" name={NAME} value="" />
      <table>
        <thead>
          <tr>
            <td />
            {EVENT_ACTIONS.map((happening) => (
              <th key={happening} scope="col">
                {happening}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {OBJECTS.map((object) => (
            <tr key={object}>
              <th scope="row">{LABELS[object]}</th>
              {EVENT_ACTIONS.map((happening) => {
                const event = eventName(object, happening);
                return (
                  <td key={event}>
                    <input
                      type="checkbox"
                      name={NAME}
                      value={event}
                      aria-label={`${LABELS[object]} ${happening}`}
                      checked={chosen.has(event)}
                      onChange={() => toggle(event)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" className={button.plain} onClick={() => setChosen(new Set(isAll ? [] : ALL))}>
        {isAll ? 'None' : 'All events'}
      </button>
      <p id={`${id}-hint`} className={styles.faint}>
        In every project and environment of the organization. Each changeset is one message.
      </p>
      {wrong !== undefined && (
        <p id={`${id}-wrong`} className={styles.bad} role="alert">
          {wrong}
        </p>
      )}
    </fieldset>
  );
}
