import type { ReactNode } from 'react';
import type { WebhookDetails, WebhookInput } from '../../data/webhooks.ts';
import { Field, Form, trimmedField } from '../../ui/form.tsx';
import { EventTypesField, eventsIn } from './event-types-field.tsx';

interface WebhookFormProps {
  readonly verb: string;
  readonly busyVerb: string;
  /** The webhook to change; null to create one. */
  readonly webhook: WebhookDetails | null;
  readonly aside: ReactNode;
  submit(input: WebhookInput): Promise<void>;
}

export function WebhookForm({ verb, busyVerb, webhook, aside, submit }: WebhookFormProps) {
  const send = (form: FormData) =>
    submit({
      name: trimmedField(form, 'name'),
      type: 'slack',
      eventTypes: eventsIn(form),
      configuration: {
        token: trimmedField(form, 'token'),
        channel: trimmedField(form, 'channel'),
        username: trimmedField(form, 'username'),
      },
    });
  const text = { autoComplete: 'off', spellCheck: false, required: true } as const;
  return (
    <Form verb={verb} busyVerb={busyVerb} aside={aside} submit={send}>
      <Field name="name" label="Name" hint="Display name.">
        {(attributes) => <input {...attributes} {...text} defaultValue={webhook?.name} maxLength={256} />}
      </Field>
      <Field name="token" label="Bot token" hint={<TokenHint webhook={webhook} />}>
        {(attributes) => (
          <input
            {...attributes}
            {...text}
            type="password"
            // With any other value of `autoComplete`, browsers offer stored passwords.
            autoComplete="new-password"
            required={webhook === null}
            placeholder={webhook === null ? 'xoxb-…' : undefined}
          />
        )}
      </Field>
      <Field
        name="channel"
        label="Channel"
        hint="Use the channel id, such as C0123456789 (at the end of the channel’s details). #name works within one workspace."
      >
        {(attributes) => (
          <input {...attributes} {...text} defaultValue={webhook?.configuration.channel} maxLength={256} />
        )}
      </Field>
      <Field name="username" label="Posts as" hint="The sender’s name in the channel.">
        {(attributes) => (
          <input {...attributes} {...text} defaultValue={webhook?.configuration.username ?? 'Strata'} maxLength={256} />
        )}
      </Field>
      <EventTypesField selected={webhook?.eventTypes ?? null} />
    </Form>
  );
}

function TokenHint({ webhook }: Pick<WebhookFormProps, 'webhook'>) {
  if (webhook === null) return 'Starts with xoxb-. It is stored encrypted and never shown again.';
  const { token } = webhook.configuration;
  return (
    <>
      Stored: <code>{token}</code>. Leave this empty to keep it.
    </>
  );
}
