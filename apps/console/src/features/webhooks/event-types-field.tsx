import { type ReactNode, useId, useState } from 'react';
import button from '../../ui/button.module.css';
import { useFieldErrors } from '../../ui/form.tsx';
import objects from '../../ui/objects.module.css';
import { EVENT_ACTIONS, eventName, OBJECTS, type WebhookEvent } from './event-types.ts';
import styles from './webhooks.module.css';

const NAME = 'event_types';
const EVERYWHERE = 'In every project and environment of the organization. Each changeset is one message.';
const ALL: readonly WebhookEvent[] = OBJECTS.flatMap((object) =>
  EVENT_ACTIONS.map((action) => eventName(object, action)),
);

export const eventsIn = (form: FormData): WebhookEvent[] => ALL.filter((event) => form.getAll(NAME).includes(event));

/** The objects of the webhooks of the contract, with their labels. */
const LABELS: Readonly<Record<(typeof OBJECTS)[number], string>> = {
  value: 'Values',
  parameter: 'Parameters',
  project: 'Projects',
  environment: 'Environments',
};

interface EventTypesFieldProps {
  /** The selected event types; null for a new object, which starts with the most common ones. */
  readonly selected: readonly string[] | null;
  /** The labels of the objects, by the noun of their events. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly hint?: string;
  /** Further choices below the table. */
  readonly children?: ReactNode;
}

/** A field to choose event types, as a table of objects and actions. */
export function EventTypesField({ selected, labels = LABELS, hint = EVERYWHERE, children }: EventTypesFieldProps) {
  const all = Object.keys(labels).flatMap((noun) => EVENT_ACTIONS.map((action) => `${noun}_${action}`));
  const [chosenTypes, setChosenTypes] = useState<ReadonlySet<string>>(
    new Set(selected ?? all.filter((event) => event.startsWith('value_'))),
  );
  const fieldError = useFieldErrors(NAME);
  const id = useId();
  const toggle = (event: string) => {
    const next = new Set(chosenTypes);
    if (!next.delete(event)) next.add(event);
    setChosenTypes(next);
  };
  const isAll = all.every((event) => chosenTypes.has(event));
  return (
    <fieldset
      className={styles.events}
      aria-describedby={`${id}-hint${fieldError === undefined ? '' : ` ${id}-wrong`}`}
    >
      <legend>Events</legend>
      {/* A hidden field, so that the form contains this name and shows its error here even if nothing is checked. */}
      <input type="hidden" name={NAME} value="" />
      <table>
        <thead>
          <tr>
            <td />
            {EVENT_ACTIONS.map((action) => (
              <th key={action} scope="col">
                {action}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(labels).map(([noun, label]) => (
            <tr key={noun}>
              <th scope="row">{label}</th>
              {EVENT_ACTIONS.map((action) => {
                const event = `${noun}_${action}`;
                return (
                  <td key={event}>
                    <input
                      type="checkbox"
                      name={NAME}
                      value={event}
                      aria-label={`${label} ${action}`}
                      checked={chosenTypes.has(event)}
                      onChange={() => toggle(event)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" className={button.plain} onClick={() => setChosenTypes(new Set(isAll ? [] : all))}>
        {isAll ? 'None' : 'All events'}
      </button>
      {children}
      <p id={`${id}-hint`} className={objects.faint}>
        {hint}
      </p>
      {fieldError !== undefined && (
        <p id={`${id}-wrong`} className={objects.bad} role="alert">
          {fieldError}
        </p>
      )}
    </fieldset>
  );
}
