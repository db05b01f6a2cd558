import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { NewPush, PushDetails } from '../../data/integrations.ts';
import { pushTargetsQuery } from '../../data/integrations.ts';
import { projectsQuery } from '../../data/projects.ts';
import { WriteError } from '../../lib/request-error.ts';
import { CheckList, readChecked, toggleId } from '../../ui/check-list.tsx';
import { Check, Field, Form, trimmedField } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { describeTag, isService, PROVIDERS, SERVICES } from './integration-words.ts';

/** The integration of a push, as far as its form needs it. */
export interface PushIntegration {
  readonly provider: NewPush['provider'];
  readonly id: string;
  readonly awsEnabledRegions: readonly string[] | null;
  readonly awsEnabledServices: readonly string[] | null;
}

interface PushFormProps {
  readonly verb: string;
  readonly busyVerb: string;
  readonly integration: PushIntegration;
  /** The push to change; null to create one. */
  readonly push: PushDetails | null;
  readonly aside: ReactNode;
  submit(input: NewPush): Promise<void>;
}

const TEXT = { autoComplete: 'off', spellCheck: false } as const;

/** Creates or changes a push. */
export function PushForm({ verb, busyVerb, integration, push, aside, submit }: PushFormProps) {
  const { provider } = integration;
  return (
    <Form
      verb={verb}
      busyVerb={busyVerb}
      aside={aside}
      submit={async (form) => submit(assertSelected(inputIn(form, integration, push)))}
    >
      <Field name="name" label="Name">
        {(attributes) => <input {...attributes} {...TEXT} required defaultValue={push?.name} maxLength={256} />}
      </Field>
      {provider === 'aws' && <LocationFields integration={integration} push={push} />}
      <Field
        name="resource"
        label="Keys"
        hint="The name of each key, with {{ project }}, {{ environment }}, {{ tag }}, {{ push }} and {{ parameter }}."
      >
        {(attributes) => (
          <input
            {...attributes}
            {...TEXT}
            required
            defaultValue={push?.resource ?? PROVIDERS[provider].resource}
            maxLength={1024}
          />
        )}
      </Field>
      <ContentFields push={push} />
      <Check
        name="include_secrets"
        defaultChecked={push?.includeSecrets ?? true}
        hint="Requires the right to reveal secrets."
      >
        Secrets
      </Check>
      <Check name="include_parameters" defaultChecked={push?.includeParameters ?? false}>
        Parameters that are not secret
      </Check>
      <Check name="local" defaultChecked={push?.local ?? false}>
        Only parameters of the projects themselves, without inherited ones
      </Check>
      <Check name="dry_run" defaultChecked={push?.dryRun ?? false}>
        Only plan, never write
      </Check>
      {push === null && (
        <p className={page.note}>
          The first run only plans. You approve its plan on the page of the push, and decide about keys that exist
          already.
        </p>
      )}
    </Form>
  );
}

type LocationFieldsProps = Pick<PushFormProps, 'integration' | 'push'>;

/** The service and the region of a push to AWS, which cannot be changed later. */
function LocationFields({ integration: { awsEnabledServices, awsEnabledRegions }, push }: LocationFieldsProps) {
  const isFixed = push !== null;
  const services = isFixed ? [push.service] : (awsEnabledServices ?? []).filter((service) => service !== 's3');
  const regions = isFixed ? [push.region] : (awsEnabledRegions ?? []);
  const hint = isFixed ? 'It cannot be changed.' : 'One of those that are enabled in the integration.';
  return (
    <>
      <Field name="service" label="Service" hint={hint}>
        {(attributes) => (
          <select {...attributes} required disabled={isFixed}>
            {services.filter(isService).map((service) => (
              <option key={service} value={service}>
                {SERVICES[service]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="region" label="Region" hint={hint}>
        {(attributes) => (
          <select {...attributes} required disabled={isFixed}>
            {regions.map((region) => (
              <option key={region}>{region}</option>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}

/** The projects and the tags whose values the push writes. */
function ContentFields({ push }: Pick<PushFormProps, 'push'>) {
  const { data: allProjects = [] } = useQuery(projectsQuery());
  const { data: allTags } = useQuery(pushTargetsQuery);
  const [projects, setProjects] = useState<ReadonlySet<string>>(new Set(push?.projectIds ?? []));
  const [tags, setTags] = useState<ReadonlySet<string>>(new Set(push?.tagIds ?? []));
  return (
    <>
      <CheckList
        name="projects"
        legend="Projects"
        items={allProjects}
        checked={projects}
        toggle={(id) => setProjects(toggleId(projects, id))}
      />
      <CheckList
        name="tags"
        legend="Tags"
        items={withOwnTags(allTags ?? [], push)}
        checked={tags}
        toggle={(id) => setTags(toggleId(tags, id))}
      />
      <p className={page.note}>
        {allTags?.length === 0 && 'No environment has a tag yet. '}A push writes the values at a tag, and runs when you
        move it. Create tags on the page of an{' '}
        <Link to="/environments" className={page.link}>
          environment
        </Link>
        .
      </p>
    </>
  );
}

type TagItem = { readonly id: string; readonly name: string };

/** Adds the tags of the push to the newest tags of each environment, so that the form keeps and removes old ones. */
function withOwnTags(newest: readonly TagItem[], push: PushDetails | null): readonly TagItem[] {
  const listed = new Set(newest.map(({ id }) => id));
  const ownTags = (push?.tags ?? []).filter(({ id }) => !listed.has(id));
  return [
    ...newest,
    ...ownTags.map(({ id, name, environment }) => ({ id, name: describeTag(name, environment?.name) })),
  ];
}

/** The API accepts a push without projects or tags, because existing clients create them. It writes nothing. */
function assertSelected(input: NewPush): NewPush {
  const missing = [
    ...(input.projectIds.length === 0 ? [{ field: 'projects', noun: 'project' }] : []),
    ...(input.tagIds.length === 0 ? [{ field: 'tags', noun: 'tag' }] : []),
  ];
  if (missing.length === 0) return input;
  const errors = missing.map(({ field, noun }) => {
    const message = `Select at least one ${noun}.`;
    return { field, message, detail: message, code: 'required', pointer: `/${field}` };
  });
  throw new WriteError('required', 'Select what the push writes.', errors, false);
}

function inputIn(form: FormData, { provider, id }: PushIntegration, push: PushDetails | null): NewPush {
  const service = trimmedField(form, 'service');
  return {
    provider,
    integrationId: id,
    name: trimmedField(form, 'name'),
    resource: trimmedField(form, 'resource'),
    projectIds: readChecked(form, 'projects'),
    tagIds: readChecked(form, 'tags'),
    includeSecrets: form.get('include_secrets') !== null,
    includeParameters: form.get('include_parameters') !== null,
    local: form.get('local') !== null,
    dryRun: form.get('dry_run') !== null,
    ...(provider === 'aws' &&
      push === null && { region: trimmedField(form, 'region'), ...(isService(service) && { service }) }),
  };
}
