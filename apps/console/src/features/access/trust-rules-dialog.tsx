import { trustRuleAdvice } from '@strata/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { displayName } from '../../data/people.ts';
import type { ListedAccount } from '../../data/service-accounts.ts';
import {
  createTrustRule,
  deleteTrustRule,
  type ListedTrustRule,
  parseClaims,
  trustRuleKeys,
  trustRulesQuery,
} from '../../data/trust-rules.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, trimmedField } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { When } from '../../ui/when.tsx';
import styles from './members-dialog.module.css';

interface TrustRulesDialogProps {
  readonly account: ListedAccount;
  onClose(): void;
}

/** Lists the trust rules of a service account. Each addition and deletion is stored separately. */
export function TrustRulesDialog({ account, onClose }: TrustRulesDialogProps) {
  const { data: rules, error } = useQuery(trustRulesQuery(account.id));
  return (
    <Dialog title={`Trust rules of ${displayName(account.user)}`} onClose={onClose}>
      {error !== null && <ActionError error={error} />}
      {rules === null && <p>This service account was deleted.</p>}
      {rules?.length === 0 && (
        <p className={page.note}>
          No trust rules yet. A trust rule lets CI jobs and pods act as this service account without an API key. They
          exchange the token that GitHub, GitLab or their cluster gives them for a Strata token that is valid for at
          most 15 minutes.
        </p>
      )}
      {rules && rules.length > 0 && <RuleList account={account} rules={rules} />}
      {rules && <AddRule key={rules.length} account={account} />}
    </Dialog>
  );
}

interface RuleListProps {
  readonly account: ListedAccount;
  readonly rules: readonly ListedTrustRule[];
}

function RuleList({ account, rules }: RuleListProps) {
  const client = useQueryClient();
  const {
    mutate: remove,
    error,
    isPending,
  } = useMutation({
    mutationFn: (rule: ListedTrustRule) => deleteTrustRule(account.id, rule),
    onSuccess: () => client.invalidateQueries({ queryKey: trustRuleKeys.all }),
  });
  return (
    <>
      {error !== null && <ActionError error={error} />}
      <ul className={styles.members} aria-label="Trust rules">
        {rules.map((rule) => (
          <li key={rule.id}>
            <RuleText rule={rule} />
            <button
              type="button"
              className={button.icon}
              disabled={isPending}
              data-destructive
              aria-label={withVisibleCharacters(`Delete the rule for ${rule.subject}`)}
              onClick={() => remove(rule)}
            >
              <X size={14} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function RuleText({ rule }: { readonly rule: ListedTrustRule }) {
  const { issuer, audience, subject, lastUsedAt } = rule;
  const claims = claimsOf(rule);
  const advice = trustRuleAdvice({ subject, claims });
  const requiredClaims = Object.entries(claims).map(([name, text]) => `${name}=${text}`);
  return (
    <span>
      <code>
        <UserText>{subject}</UserText>
      </code>
      <p className={page.under}>
        <UserText>{[issuer, audience, ...requiredClaims].join(' · ')}</UserText>
      </p>
      <p className={page.under}>
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <When at={lastUsedAt} />
          </>
        )}
      </p>
      {advice !== null && <p className={page.note}>{advice}</p>}
    </span>
  );
}

const claimsOf = ({ claims }: ListedTrustRule) => claims as Readonly<Record<string, string>>;

function AddRule({ account }: { readonly account: ListedAccount }) {
  const client = useQueryClient();
  const submit = async (form: FormData) => {
    await createTrustRule({
      serviceAccountId: account.id,
      issuer: trimmedField(form, 'issuer'),
      audience: trimmedField(form, 'audience'),
      subject: trimmedField(form, 'subject'),
      claims: parseClaims(trimmedField(form, 'claims')),
    });
    await client.invalidateQueries({ queryKey: trustRuleKeys.all });
  };
  return (
    <Form verb="Add trust rule" busyVerb="Adding …" submit={submit}>
      <Field
        name="issuer"
        label="Issuer"
        hint="The exact issuer URL. It must be one of those that the operator of Strata allows."
      >
        {(attributes) => (
          <input
            {...attributes}
            required
            placeholder="https://token.actions.githubusercontent.com"
            spellCheck={false}
          />
        )}
      </Field>
      <Field name="subject" label="Subject" hint="`*` matches any characters except `/` and `:`.">
        {(attributes) => (
          <input {...attributes} required placeholder="repo:octo/app:ref:refs/heads/main" spellCheck={false} />
        )}
      </Field>
      <Field name="audience" label="Audience" hint="Jobs request their token for this audience.">
        {(attributes) => <input {...attributes} required defaultValue={window.location.origin} spellCheck={false} />}
      </Field>
      <Field
        name="claims"
        label="Required claims"
        hint="One per line. GitHub needs repository_id or repository_owner_id."
      >
        {(attributes) => <textarea {...attributes} rows={2} placeholder="repository_id=123456" spellCheck={false} />}
      </Field>
    </Form>
  );
}
