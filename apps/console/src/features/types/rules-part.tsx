import { type BaseType, isLegal, RULE_KINDS, type RuleKind } from '@strata/domain';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ValidationResult } from '../../data/validation.ts';
import type { StoredRule } from '../../lib/type-tree.ts';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import { ActionPanel, type PageAction, PageActions } from '../../ui/page-actions.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { describeRule, RULE_TITLES } from './rule-descriptions.ts';
import { ChosenRule, isRuleAction, type ObjectWithRules, type RuleAction, RuleForm } from './rule-forms.tsx';
import styles from './rules-part.module.css';
import { ValueTest } from './value-test.tsx';

export interface RulesPartProps {
  readonly owner: ObjectWithRules;
  readonly canWrite: boolean;
  /** The name of the open action in the URL. */
  readonly does: string | undefined;
  /** The id of the rule that the open action changes. */
  readonly what: string | undefined;
}

const ADDING: PageAction = { does: 'add-rule', title: 'Add a rule', Sign: Plus };

/** Lists the own and inherited rules of a type or a parameter, and tests values against them. */
export function RulesPart({ owner, canWrite, does, what }: RulesPartProps) {
  const { title, base, ownRules, inherited, target, isSecret } = owner;
  const navigate = useNavigate();
  const [result, setResult] = useState<ValidationResult | null>(null);
  const possible = RULE_KINDS.filter((kind) => isLegal(kind, base));
  const free = possible.filter((kind) => ownRules.every((rule) => rule.kind !== kind));
  const isAdding = canWrite && does === ADDING.does && free.length > 0;
  const close = () =>
    navigate({ to: '.', search: (previousSearch: object) => ({ ...previousSearch, do: undefined, what: undefined }) });
  return (
    <section className={page.part} aria-labelledby="rules">
      <div className={page.head}>
        <h2 id="rules">Rules</h2>
        {canWrite && free.length > 0 && (
          <PageActions label={`Actions for rules of ${title}`} verbs={[ADDING]} chosen={isAdding ? does : undefined} />
        )}
      </div>
      {possible.length === 0 ? (
        <p className={page.note}>A boolean is true or false, yes or no, on or off. It takes no rules.</p>
      ) : (
        ownRules.length + inherited.length === 0 && <p className={page.note}>No rules: {ANYTHING[base]}</p>
      )}
      {ownRules.length + inherited.length > 0 && <RuleTable owner={owner} canWrite={canWrite} result={result} />}
      {isAdding && (
        <ActionPanel title={ADDING.title}>
          <RuleForm owner={owner} kinds={free} rule={null} onApplied={close} />
        </ActionPanel>
      )}
      {canWrite && isRuleAction(does) && (
        <ChosenRule key={`${does} ${what}`} owner={owner} does={does} id={what} onApplied={close} />
      )}
      <ValueTest
        target={target}
        isSecret={isSecret}
        rulesVersion={[...ownRules.map(({ ledgerId }) => ledgerId), ...inherited.map(describeRule)].join(' ')}
        onResult={setResult}
      />
    </section>
  );
}

interface RuleTableProps {
  readonly owner: ObjectWithRules;
  readonly canWrite: boolean;
  /** The result of the tested value. The violated rules are highlighted. */
  readonly result: ValidationResult | null;
}

function RuleTable({ owner: { title, ownRules, inherited }, canWrite, result }: RuleTableProps) {
  const rejects = (kind: RuleKind, owner: string) =>
    result?.violations.some((violation) => violation.rule === kind && violation.owner === owner) ?? false;
  return (
    <div className={page.scroll}>
      <table className={page.table}>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Limit</th>
            <th scope="col">From</th>
            {canWrite && (
              <th scope="col">
                <span className="heard">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {ownRules.map((rule) => (
            <RuleRow key={rule.id} rule={rule} owner={null} isViolated={rejects(rule.kind, title)}>
              {canWrite && (
                <td className={styles.verbs}>
                  <RuleActionLink does="change-rule" rule={rule}>
                    Change
                  </RuleActionLink>
                  <RuleActionLink does="delete-rule" rule={rule}>
                    Delete
                  </RuleActionLink>
                </td>
              )}
            </RuleRow>
          ))}
          {inherited.map((rule) => (
            <RuleRow
              key={`${rule.owner} ${rule.kind}`}
              rule={rule}
              owner={rule.owner}
              isViolated={rejects(rule.kind, rule.owner)}
            >
              {canWrite && <td />}
            </RuleRow>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RuleRowProps {
  readonly rule: Pick<StoredRule, 'kind' | 'constraint'>;
  /** The type from which the rule is inherited; null for an own rule. */
  readonly owner: string | null;
  readonly isViolated: boolean;
  /** The table cell with the actions. */
  readonly children: ReactNode;
}

function RuleRow({ rule, owner, isViolated, children }: RuleRowProps) {
  return (
    <tr data-violated={isViolated || undefined} className={styles.rule} data-inherited={owner !== null || undefined}>
      <th scope="row">{RULE_TITLES[rule.kind]}</th>
      <td>
        <code>
          <UserText>{rule.constraint}</UserText>
        </code>
      </td>
      <td>{owner === null ? 'here' : <UserText>{owner}</UserText>}</td>
      {children}
    </tr>
  );
}

interface RuleActionLinkProps {
  readonly does: RuleAction;
  readonly rule: StoredRule;
  readonly children: ReactNode;
}

function RuleActionLink({ does, rule, children }: RuleActionLinkProps) {
  return (
    <Link
      to="."
      search={(search: object) => ({ ...search, do: does, what: rule.id })}
      className={button.quiet}
      data-destructive={does === 'delete-rule' || undefined}
      activeProps={{}}
    >
      {children}
      <span className="heard"> {RULE_TITLES[rule.kind]}</span>
    </Link>
  );
}

const ANYTHING: Readonly<Record<BaseType, string>> = {
  string: 'any value.',
  integer: 'any whole number, with an optional sign.',
  boolean: 'true, false and their synonyms.',
};
