import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { DestinationDetails, DestinationEvent, DestinationInput } from '../../data/destinations.ts';
import { environmentsQuery } from '../../data/environments.ts';
import { projectsQuery } from '../../data/projects.ts';
import { formatCount } from '../../lib/format-count.ts';
import { CheckList, type CheckListItem, readChecked, toggleId } from '../../ui/check-list.tsx';
import { Check, Field, Form, trimmedField } from '../../ui/form.tsx';
import {
  type DestinationType,
  EXPIRY,
  isDestinationType,
  NOUNS,
  splitEntries,
  TYPES,
} from './destination-descriptions.ts';
import { EventTypesField } from './event-types-field.tsx';

interface DestinationFormProps {
  readonly verb: string;
  readonly busyVerb: string;
  /** The destination to change; null to create one. */
  readonly destination: DestinationDetails | null;
  readonly aside: ReactNode;
  submit(input: DestinationInput): Promise<void>;
}

const TEXT = { autoComplete: 'off', spellCheck: false } as const;

/** Creates or changes a destination. The fields depend on its type, which cannot be changed. */
export function DestinationForm({ verb, busyVerb, destination, aside, submit }: DestinationFormProps) {
  const [type, setType] = useState<DestinationType>(destination?.type ?? 'http');
  return (
    <Form verb={verb} busyVerb={busyVerb} aside={aside} submit={(form) => submit(inputIn(form, type))}>
      <Field name="type" label="Type" {...(destination && { hint: 'The type cannot be changed.' })}>
        {(attributes) => (
          <select
            {...attributes}
            value={type}
            disabled={destination !== null}
            onChange={({ target }) => isDestinationType(target.value) && setType(target.value)}
          >
            {Object.entries(TYPES).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="name" label="Name">
        {(attributes) => <input {...attributes} {...TEXT} required defaultValue={destination?.name} maxLength={256} />}
      </Field>
      <ReceiverField key={type} type={type} destination={destination} />
      {type === 'http' && <HttpFields destination={destination} />}
      <EventTypesField
        selected={destination?.eventTypes ?? null}
        labels={NOUNS}
        hint="A message contains all events since the message before it."
      >
        <Check name="event_types" value={EXPIRY} defaultChecked={destination?.eventTypes.includes(EXPIRY) ?? false}>
          Values that expire soon
        </Check>
      </EventTypesField>
      <Field name="expiry_days" label="Remind before a value expires" hint="Days, separated by commas.">
        {(attributes) => (
          <input {...attributes} {...TEXT} defaultValue={destination?.expiryDays.join(', ') ?? '14, 7, 1'} />
        )}
      </Field>
      <ScopeFields destination={destination} />
    </Form>
  );
}

interface ReceiverFieldProps extends Pick<DestinationFormProps, 'destination'> {
  readonly type: DestinationType;
}

/** The address, or the recipients of an e-mail. */
function ReceiverField({ type, destination }: ReceiverFieldProps) {
  const { address } = TYPES[type];
  if (address === null) {
    return (
      <Field name="recipients" label="Recipients" hint="E-mail addresses, one per line, at most 20.">
        {(attributes) => (
          <textarea
            {...attributes}
            {...TEXT}
            required
            rows={3}
            placeholder="ops@example.com"
            defaultValue={destination?.recipients.join('\n')}
          />
        )}
      </Field>
    );
  }
  const storedAddress = destination?.address ?? null;
  return (
    <Field
      name="address"
      label={address.label}
      hint={
        storedAddress === null ? (
          address.hint
        ) : (
          <>
            Stored: <code>{storedAddress}</code>. Leave this empty to keep it.
          </>
        )
      }
    >
      {(attributes) => (
        <input {...attributes} {...TEXT} type="url" required={storedAddress === null} placeholder={address.example} />
      )}
    </Field>
  );
}

function HttpFields({ destination }: Pick<DestinationFormProps, 'destination'>) {
  return (
    <>
      <Field name="envelope" label="Body">
        {(attributes) => (
          <select {...attributes} defaultValue={destination?.envelope ?? 'standard'}>
            <option value="standard">Standard Webhooks</option>
            <option value="cloudevents">CloudEvents</option>
          </select>
        )}
      </Field>
      <Field
        name="signing"
        label="Signature"
        hint={destination ? 'The signature cannot be changed.' : 'With Ed25519, the receiver needs no secret.'}
      >
        {(attributes) => (
          <select {...attributes} disabled={destination !== null} defaultValue={destination?.signing ?? 'hmac'}>
            <option value="hmac">HMAC with a shared secret</option>
            <option value="ed25519">Ed25519 with a public key</option>
          </select>
        )}
      </Field>
    </>
  );
}

/** The fields that limit the messages to some projects, environments and names. */
function ScopeFields({ destination }: Pick<DestinationFormProps, 'destination'>) {
  const { data: projects = [] } = useQuery(projectsQuery());
  const { data: environments = [] } = useQuery(environmentsQuery());
  return (
    <>
      <ScopeChoice name="projects" noun="project" all={projects} chosen={destination?.projectIds ?? []} />
      <ScopeChoice
        name="environments"
        noun="environment"
        all={environments}
        chosen={destination?.environmentIds ?? []}
      />
      <Field
        name="parameter_names"
        label="Parameter names"
        hint="One per line; * matches any characters. Leave this empty for all names."
      >
        {(attributes) => (
          <textarea
            {...attributes}
            {...TEXT}
            rows={2}
            placeholder="DATABASE_*"
            defaultValue={destination?.parameterNames.join('\n')}
          />
        )}
      </Field>
    </>
  );
}

interface ScopeChoiceProps {
  /** The name of the field in the API. */
  readonly name: 'projects' | 'environments';
  readonly noun: string;
  readonly all: readonly CheckListItem[];
  readonly chosen: readonly string[];
}

/** A choice between all scopes and some of them. Ids of scopes that the user cannot see stay chosen. */
function ScopeChoice({ name, noun, all, chosen }: ScopeChoiceProps) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set(chosen));
  const [isLimited, setLimited] = useState(chosen.length > 0);
  const listId = useId();
  const label = name === 'projects' ? 'Projects' : 'Environments';
  return (
    <>
      <Field name={`${name}_limit`} label={label}>
        {(attributes) => (
          <select
            {...attributes}
            aria-controls={isLimited ? listId : undefined}
            value={isLimited ? 'only' : 'all'}
            onChange={({ target }) => setLimited(target.value === 'only')}
          >
            <option value="all">All {name}</option>
            <option value="only">
              {ids.size === 0 ? 'Only the following' : `Only ${formatCount(ids.size, noun)}`}
            </option>
          </select>
        )}
      </Field>
      {isLimited && (
        <CheckList
          id={listId}
          name={name}
          legend={`Only these ${name}`}
          isLegendHidden
          items={all}
          checked={ids}
          toggle={(id) => setIds(toggleId(ids, id))}
        />
      )}
    </>
  );
}

/** Returns the input of the form. A limit without a selected scope selects all, as the API does. */
function inputIn(form: FormData, type: DestinationType): DestinationInput {
  const scopesIn = (name: ScopeChoiceProps['name']) =>
    form.get(`${name}_limit`) === 'only' ? readChecked(form, name) : [];
  const address = trimmedField(form, 'address');
  return {
    type,
    name: trimmedField(form, 'name'),
    eventTypes: form.getAll('event_types').filter((event): event is DestinationEvent => event !== ''),
    projectIds: scopesIn('projects'),
    environmentIds: scopesIn('environments'),
    parameterNames: splitEntries(trimmedField(form, 'parameter_names')),
    expiryDays: splitEntries(trimmedField(form, 'expiry_days')).map(Number),
    ...(address !== '' && { address }),
    ...(type === 'email' && { recipients: splitEntries(trimmedField(form, 'recipients')) }),
    ...(type === 'http' && {
      envelope: form.get('envelope') === 'cloudevents' ? 'cloudevents' : 'standard',
      signing: form.get('signing') === 'ed25519' ? 'ed25519' : 'hmac',
    }),
  };
}
