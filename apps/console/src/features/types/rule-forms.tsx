import type { BaseType, OwnedRule, RuleKind } from '@strata/domain';
import { useState } from 'react';
import type { ValidationTarget } from '../../data/validation.ts';
import { type ChangesetOperations, PlannedChange } from '../../kit/planned/planned-change.tsx';
import { PlannedForm } from '../../kit/planned/planned-form.tsx';
import type { StoredRule } from '../../lib/type-tree.ts';
import { Field } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { ActionPanel, CancelLink } from '../../ui/page-actions.tsx';
import { describeRule, RULE_TITLES } from './rule-descriptions.ts';

/** A type or a parameter with its rules. */
export interface ObjectWithRules {
  /** The title, as in `type port` or `parameter PORT`. */
  readonly title: string;
  readonly base: BaseType;
  readonly ownRules: readonly StoredRule[];
  /** The rules of the base types, nearest first. They apply in addition to the own rules. */
  readonly inherited: readonly OwnedRule[];
  readonly target: ValidationTarget;
  /** The prefix of the names of operations on its rules. */
  readonly operations: 'types_rules' | 'projects_parameters_rules';
  /** The path parameters of these operations. */
  readonly path: Readonly<Record<string, string>>;
  /** Whether a tested value is hidden, because the parameter is secret. */
  readonly isSecret: boolean;
}

const ACTION_TITLES = { 'change-rule': 'Change', 'delete-rule': 'Delete' } as const;

/** An action on an existing rule, as in the URL. */
export type RuleAction = keyof typeof ACTION_TITLES;
export const isRuleAction = (requestedAction: string | undefined): requestedAction is RuleAction =>
  requestedAction !== undefined && Object.hasOwn(ACTION_TITLES, requestedAction);

interface ChosenRuleProps extends Pick<RuleFormProps, 'owner' | 'onApplied'> {
  readonly does: RuleAction;
  readonly id: string | undefined;
}

/** Shows the form of an action on a rule. If another user deletes the rule meanwhile, the form stays open. */
export function ChosenRule({ owner, does, id, onApplied }: ChosenRuleProps) {
  const currentRule = owner.ownRules.find((rule) => rule.id === id);
  const [lastKnown, setKnown] = useState(currentRule);
  if (currentRule && !lastKnown) setKnown(currentRule);
  const rule = currentRule ?? lastKnown;
  const verb = ACTION_TITLES[does];
  if (!rule) {
    return (
      <ActionPanel title={`${verb} a rule`}>
        <p className={page.note}>There is no such rule. It may have been deleted.</p>
        <div className={page.buttons}>
          <CancelLink>Cancel</CancelLink>
        </div>
      </ActionPanel>
    );
  }
  return (
    <ActionPanel title={`${verb} “${describeRule(rule)}”`}>
      {does === 'delete-rule' ? (
        <DeleteRule owner={owner} rule={rule} onApplied={onApplied} />
      ) : (
        <>
          {!currentRule && (
            <p className={page.note} role="alert">
              This rule was deleted. You can still copy your input from here.
            </p>
          )}
          <RuleForm owner={owner} kinds={[rule.kind]} rule={rule} isPossible={!!currentRule} onApplied={onApplied} />
        </>
      )}
    </ActionPanel>
  );
}

const HINTS: Readonly<Record<RuleKind, string>> = {
  min: 'A whole number.',
  max: 'A whole number.',
  min_len: 'A whole number. Counts visible characters.',
  max_len: 'A whole number. Counts visible characters.',
  regex: 'RE2 syntax, matched from the start of the value. Add $ to match the whole value.',
};

interface RuleFormProps {
  readonly owner: ObjectWithRules;
  readonly kinds: readonly RuleKind[];
  /** The rule to change; null to create one. */
  readonly rule: StoredRule | null;
  readonly isPossible?: boolean;
  onApplied(): Promise<void>;
}

export function RuleForm({ owner, kinds, rule: currentRule, isPossible = true, onApplied }: RuleFormProps) {
  const { operations, path, title } = owner;
  // The state keeps the version that the user started to edit.
  const [rule] = useState(currentRule);
  const [kind, setKind] = useState<RuleKind>(kinds[0] ?? 'regex');
  const read = (form: FormData) => ({ kind, constraint: String(form.get('constraint') ?? '') });
  const listOperations = (form: FormData): ChangesetOperations => {
    const { constraint } = read(form);
    return rule === null
      ? [{ operation: `${operations}_create`, path, body: { type: kind, constraint } }]
      : [
          {
            operation: `${operations}_partial_update`,
            path: { ...path, id: rule.id },
            body: { constraint },
            ifMatch: rule.ledgerId,
          },
        ];
  };
  return (
    <PlannedForm
      verb={rule === null ? 'Add rule' : 'Save rule'}
      busyVerb="Applying …"
      isPossible={isPossible}
      operationsOf={listOperations}
      message={(form) => `${title}: ${describeRule(read(form))}`}
      onApplied={onApplied}
      aside={<CancelLink />}
    >
      {rule === null && (
        <Field name="type" label="Rule">
          {(field) => (
            <select {...field} value={kind} onChange={({ target }) => setKind(target.value as RuleKind)}>
              {kinds.map((ruleKind) => (
                <option key={ruleKind} value={ruleKind}>
                  {RULE_TITLES[ruleKind]}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field name="constraint" label={RULE_TITLES[kind]} hint={HINTS[kind]}>
        {(field) => (
          <input
            {...field}
            defaultValue={rule?.constraint}
            inputMode={kind === 'regex' ? 'text' : 'numeric'}
            autoComplete="off"
            spellCheck={false}
            required
          />
        )}
      </Field>
    </PlannedForm>
  );
}

function DeleteRule({
  owner,
  rule,
  onApplied,
}: Pick<RuleFormProps, 'owner' | 'onApplied'> & { readonly rule: StoredRule }) {
  // Expects the version that the user has seen, so that a newer version is never deleted by accident.
  const [operations] = useState(() => removal(owner, rule));
  return (
    <PlannedChange
      operations={operations}
      verb="Delete rule"
      busyVerb="Deleting …"
      deletes={{ kind: 'rule', name: owner.title }}
      message={`${owner.title}: remove ${describeRule(rule)}`}
      onApplied={onApplied}
      aside={<CancelLink />}
    />
  );
}

const removal = ({ operations, path }: ObjectWithRules, { id, ledgerId }: StoredRule): ChangesetOperations => [
  { operation: `${operations}_destroy`, path: { ...path, id }, ifMatch: ledgerId },
];
