import { AWS_REGIONS } from '@strata/domain';
import { type ReactNode, useState } from 'react';
import type { IntegrationDetails, IntegrationProvider, NewIntegration } from '../../data/integrations.ts';
import { CheckList, readChecked, toggleId } from '../../ui/check-list.tsx';
import { Check, Field, Form, TextField, trimmedField } from '../../ui/form.tsx';
import { isProvider, isService, PROVIDERS, SERVICES } from './integration-words.ts';

interface IntegrationFormProps {
  readonly verb: string;
  readonly busyVerb: string;
  /** The integration to change; null to create one. */
  readonly integration: IntegrationDetails | null;
  readonly aside: ReactNode;
  submit(input: NewIntegration): Promise<void>;
}

/** Creates or changes an integration. The fields depend on its provider, which cannot be changed. */
export function IntegrationForm({ verb, busyVerb, integration, aside, submit }: IntegrationFormProps) {
  const [provider, setProvider] = useState<IntegrationProvider>(integration?.provider ?? 'aws');
  return (
    <Form verb={verb} busyVerb={busyVerb} aside={aside} submit={(form) => submit(inputIn(form, provider))}>
      <Field name="provider" label="Provider" {...(integration && { hint: 'The provider cannot be changed.' })}>
        {(attributes) => (
          <select
            {...attributes}
            value={provider}
            disabled={integration !== null}
            onChange={({ target }) => isProvider(target.value) && setProvider(target.value)}
          >
            {Object.entries(PROVIDERS).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {provider === 'aws' && <AwsFields integration={integration} />}
      {provider === 'azure_key_vault' && <AzureFields integration={integration} />}
      {provider === 'google_secret_manager' && (
        <TextField
          name="google_project_id"
          label="Project id"
          hint={
            integration
              ? 'The project cannot be changed.'
              : 'The project confirms this organization, as the guide describes.'
          }
          required
          disabled={integration !== null}
          placeholder="shop-production"
          defaultValue={integration?.googleProjectId ?? ''}
        />
      )}
      {provider === 'github' && <GithubFields integration={integration} />}
      <TextField name="description" label="Description" defaultValue={integration?.description} />
      <Check
        name="writable"
        defaultChecked={integration?.writable ?? true}
        hint="Without it, pushes can only plan. External values need no right to write."
      >
        Pushes may write
      </Check>
    </Form>
  );
}

type ProviderFieldsProps = Pick<IntegrationFormProps, 'integration'>;

function AwsFields({ integration }: ProviderFieldsProps) {
  const [regions, setRegions] = useState<ReadonlySet<string>>(new Set(integration?.awsEnabledRegions ?? []));
  const [services, setServices] = useState<ReadonlySet<string>>(
    new Set(integration?.awsEnabledServices ?? ['secretsmanager', 'ssm']),
  );
  return (
    <>
      <TextField
        name="aws_account_id"
        label="Account id"
        hint="12 digits."
        required
        inputMode="numeric"
        placeholder="123456789012"
        defaultValue={integration?.awsAccountId ?? ''}
      />
      <TextField
        name="aws_role_name"
        label="Role"
        hint="Strata assumes this role. Its trust policy must require the external id, which you see afterwards."
        required
        placeholder="strata"
        defaultValue={integration?.awsRoleName ?? ''}
      />
      <CheckList
        name="aws_enabled_services"
        legend="Services"
        items={Object.entries(SERVICES)
          .filter(([id]) => id !== 's3')
          .map(([id, name]) => ({ id, name }))}
        checked={services}
        toggle={(id) => setServices(toggleId(services, id))}
      />
      <CheckList
        name="aws_enabled_regions"
        legend="Regions"
        items={AWS_REGIONS.map((id) => ({ id, name: id }))}
        checked={regions}
        toggle={(id) => setRegions(toggleId(regions, id))}
      />
      <TextField
        name="aws_kms_key_id"
        label="Encryption key"
        hint="Leave this empty for the key of the account."
        placeholder="alias/strata"
        defaultValue={integration?.awsKmsKeyId ?? ''}
      />
    </>
  );
}

function AzureFields({ integration }: ProviderFieldsProps) {
  return (
    <>
      <TextField
        name="vault_name"
        label="Vault"
        hint="The vault names this organization in its secret strata-organization."
        required
        placeholder="shop-vault"
        defaultValue={integration?.vaultName ?? ''}
      />
      <TextField
        name="tenant_id"
        label="Tenant id"
        required
        placeholder="00000000-0000-0000-0000-000000000000"
        defaultValue={integration?.tenantId ?? ''}
      />
    </>
  );
}

function GithubFields({ integration }: ProviderFieldsProps) {
  return (
    <TextField
      name="gh_installation_id"
      label="Installation id"
      hint={
        integration
          ? 'The installation cannot be changed.'
          : 'The GitHub organization names this organization in its variable STRATA_ORGANIZATION.'
      }
      required
      disabled={integration !== null}
      inputMode="numeric"
      defaultValue={integration?.ghInstallationId ?? ''}
    />
  );
}

function inputIn(form: FormData, provider: IntegrationProvider): NewIntegration {
  const key = trimmedField(form, 'aws_kms_key_id');
  return {
    provider,
    description: trimmedField(form, 'description'),
    writable: form.get('writable') !== null,
    ...(provider === 'aws' && {
      awsAccountId: trimmedField(form, 'aws_account_id'),
      awsRoleName: trimmedField(form, 'aws_role_name'),
      awsEnabledServices: readChecked(form, 'aws_enabled_services').filter(isService),
      awsEnabledRegions: readChecked(form, 'aws_enabled_regions'),
      awsKmsKeyId: key === '' ? null : key,
    }),
    ...(provider === 'azure_key_vault' && {
      vaultName: trimmedField(form, 'vault_name'),
      tenantId: trimmedField(form, 'tenant_id'),
    }),
    ...(provider === 'google_secret_manager' &&
      form.has('google_project_id') && { googleProjectId: trimmedField(form, 'google_project_id') }),
    ...(provider === 'github' &&
      form.has('gh_installation_id') && { ghInstallationId: Number(trimmedField(form, 'gh_installation_id')) }),
  };
}
