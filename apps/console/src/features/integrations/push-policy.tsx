import { DRIFT_POLICIES } from '@strata/domain';
import { changePushPolicy, integrationKeys, type PushDetails, type SyncId } from '../../data/integrations.ts';
import { Check, Field } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface PolicyDialogProps {
  readonly sync: SyncId;
  readonly policy: PushDetails['policy'];
  onClose(): void;
}

/** Changes what a push may do without a person. */
export function PolicyDialog({ sync, policy, onClose }: PolicyDialogProps) {
  const submit = (form: FormData) =>
    changePushPolicy(sync, {
      planFirst: form.get('plan_first') !== null,
      drift: DRIFT_POLICIES.find((name) => name === form.get('drift')) ?? 'report',
    });
  return (
    <FormDialog
      title="Change policy"
      verb="Change policy"
      busyVerb="Saving …"
      kinds={[integrationKeys.all]}
      canCancel
      submit={submit}
      onClose={onClose}
    >
      <Check
        name="plan_first"
        defaultChecked={policy?.planFirst ?? false}
        hint="A run stops with a plan before the first write, before deletions, and at keys of others."
      >
        Wait for approval before unusual steps
      </Check>
      <Field
        name="drift"
        label="If another program changed a key"
        hint="A text is imported only while Strata has the one that the push wrote. No policy changes foreign keys."
      >
        {(attributes) => (
          <select {...attributes} defaultValue={policy?.drift ?? 'report'}>
            <option value="report">Report it and change nothing</option>
            <option value="overwrite">Write the value of Strata</option>
            <option value="import">Import its text into Strata</option>
          </select>
        )}
      </Field>
    </FormDialog>
  );
}
