import { type ApiKeyScope, KEY_SCOPES, PROPOSED_KEY_DAYS } from '@strata/domain';
import { useQuery } from '@tanstack/react-query';
import { environmentsQuery } from '../../data/environments.ts';
import { projectsQuery } from '../../data/projects.ts';
import { Field, trimmedField } from '../../ui/form.tsx';
import { readScopeLimit, ScopeLimitField } from './scope-limit-field.tsx';

const DAY_MS = 86_400_000;

/** Returns the day that is proposed for the expiry, as a date input contains it. */
function proposedDay(): string {
  const day = new Date(Date.now() + PROPOSED_KEY_DAYS * DAY_MS);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

const SCOPE_CHOICES: readonly (readonly [value: string, title: string])[] = [
  ['read write reveal', 'Everything that its account may do'],
  ['read write', 'Everything except revealing secrets'],
  ['read reveal', 'Read, and reveal secrets'],
  ['read', 'Read only'],
];

/** Renders the limits of a new key, and when it expires. */
export function KeyFields() {
  const { data: projects = [] } = useQuery(projectsQuery());
  const { data: environments = [] } = useQuery(environmentsQuery());
  return (
    <>
      <Field name="key_scopes" label="Scopes of the key" hint="A key never permits more than its account may do.">
        {(attributes) => (
          <select {...attributes} defaultValue={SCOPE_CHOICES[0]?.[0]}>
            {SCOPE_CHOICES.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <ScopeLimitField
        name="key_projects"
        label="Where the key is valid: projects"
        noun="project"
        scopes={projects}
        current={null}
        hints={{
          limited: 'The key changes only their contents, and reads the projects that they depend on.',
          unlimited: 'The key is valid in all projects of its account.',
        }}
      />
      <ScopeLimitField
        name="key_environments"
        label="Where the key is valid: environments"
        noun="environment"
        scopes={environments}
        current={null}
        hints={{
          limited: 'The key reads and changes values only there.',
          unlimited: 'The key is valid in all environments of its account.',
        }}
      />
      <Field
        name="expire_at"
        label="Expires"
        hint={`Proposed: in ${PROPOSED_KEY_DAYS} days. Leave it empty for a key that does not expire.`}
      >
        {(attributes) => <input {...attributes} type="date" defaultValue={proposedDay()} />}
      </Field>
    </>
  );
}

/** Returns the limits and the expiry of a new key from a submitted form. */
export function keyFromForm(form: FormData) {
  const chosen = trimmedField(form, 'key_scopes').split(' ');
  const scopes = KEY_SCOPES.filter((scope): scope is ApiKeyScope => chosen.includes(scope));
  return {
    keyScopes: scopes.length === KEY_SCOPES.length ? null : scopes,
    keyProjectIds: readScopeLimit(form, 'key_projects'),
    keyEnvironmentIds: readScopeLimit(form, 'key_environments'),
    expireAt: endOfDay(trimmedField(form, 'expire_at')),
  };
}

/** Returns the end of a day in the time zone of the user; null without a day. */
const endOfDay = (day: string): string | null => (day === '' ? null : new Date(`${day}T23:59:59`).toISOString());

const OVERLAPS: readonly (readonly [seconds: number, title: string])[] = [
  [0, 'Stops working immediately'],
  [3_600, 'Works for one more hour'],
  [86_400, 'Works for one more day'],
  [604_800, 'Works for one more week'],
];

/** Renders the choice of how long the previous key remains valid. */
export function OverlapField() {
  return (
    <Field name="overlap_seconds" label="Previous key" hint="Programs need time to receive the new key.">
      {(attributes) => (
        <select {...attributes} defaultValue={0}>
          {OVERLAPS.map(([seconds, title]) => (
            <option key={seconds} value={seconds}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export const readOverlap = (form: FormData): number => Number(trimmedField(form, 'overlap_seconds'));
