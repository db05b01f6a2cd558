import type { InputHTMLAttributes, ReactNode } from 'react';
import type { NewRotation } from '../../data/rotations.ts';
import { Check, Field, TextField } from '../../ui/form.tsx';

export function CredentialField({ hint, ...input }: InputHTMLAttributes<HTMLInputElement> & { readonly hint: string }) {
  return (
    <TextField
      name="credential"
      label="Password of the administrator"
      hint={hint}
      type="password"
      {...input}
      autoComplete="new-password"
    />
  );
}

function PostgresqlFields() {
  return (
    <>
      <TextField name="postgresql.host" label="Host" required placeholder="db.example.com" />
      <TextField name="postgresql.port" label="Port" required inputMode="numeric" defaultValue="5432" />
      <TextField name="postgresql.database" label="Database" required defaultValue="postgres" />
      <TextField
        name="postgresql.roles"
        label="Roles"
        hint="The two roles that alternate, separated by a comma."
        required
        placeholder="shop_a, shop_b"
      />
      <TextField
        name="postgresql.user"
        label="Administrator"
        hint="The role that Strata connects with. It can alter the two roles."
        required
        placeholder="strata"
      />
      <CredentialField hint="It is stored encrypted, and never shown." required />
      <Check name="postgresql.tls" defaultChecked>
        Encrypt the connection, and check the certificate
      </Check>
      <Field
        name="postgresql.ca"
        label="Certificate of the authority"
        hint="As PEM. Leave this empty for public authorities."
      >
        {(attributes) => <textarea {...attributes} autoComplete="off" spellCheck={false} rows={3} />}
      </Field>
    </>
  );
}

function AwsIamFields() {
  return (
    <>
      <TextField name="aws_iam.account" label="Account id" required inputMode="numeric" placeholder="123456789012" />
      <TextField name="aws_iam.role_name" label="Role" hint="Strata assumes this role." required placeholder="strata" />
      <TextField
        name="aws_iam.user_name"
        label="User"
        hint="The user whose access keys are replaced."
        required
        placeholder="shop"
      />
      <TextField name="aws_iam.region" label="Region" required defaultValue="us-east-1" />
    </>
  );
}

function CommandFields() {
  return (
    <>
      <TextField
        name="command.program"
        label="Command"
        hint="Its name in the settings of the installation."
        required
        maxLength={64}
      />
      <TextField name="command.input" label="Input" hint="A text for the command. It is not secret." />
    </>
  );
}

/** The fields of each system whose credentials Strata can replace. */
export const ROTATOR_FIELDS: Readonly<Record<NewRotation['rotator'], () => ReactNode>> = {
  postgresql: PostgresqlFields,
  aws_iam: AwsIamFields,
  command: CommandFields,
};
