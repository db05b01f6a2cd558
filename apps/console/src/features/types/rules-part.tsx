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
import { ChosenRule, isDoneWithRule, type ObjectWithRules, type RuleDoing, RuleForm } from './rule-forms.tsx';
import { RULE_TITLES, ruleWords } from './rule-words.ts';
import styles from './rules-part.module.css';
import { TryIt } from './try-it.tsx';

export interface RulesPartProps {
  readonly owner: ObjectWithRules;
  readonly canWrite: boolean;
  /** What is being done, as the address says it. */
  readonly does: string | undefined;
  /** The rule, by its id, that it is done with. */
  readonly what: string | undefined;
}

const ADDING: PageAction = { does: 'add-rule', title: 'Add a rule', Sign: Plus };

/** What texts must keep to, own rules and those from above, with a field to try one. */
export function RulesPart({ owner, canWrite, does, what }: RulesPartProps) {
  const { title, base, own, inherited, judge, isSecret } = owner;
  const navigate = useNavigate();
  const [verdict, setVerdict] = useState<ValidationResult | null>(null);
  const refuses = (kind: RuleKind, of: string) =>
    verdict?.violations.some((one) => one.rule === kind && one.owner === of) ?? false;
  const possible = RULE_KINDS.filter((kind) => isLegal(kind, base));
  const free = possible.filter((kind) => own.every((rule) => rule.kind !== kind));
  const isAdding = canWrite && does === ADDING.does && free.length > 0;
  const close = () => navigate({ to: '.', search: (old: object) => ({ ...old, do: undefined, what: undefined }) });
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
        own.length + inherited.length === 0 && <p className={page.note}>No rules: {ANYTHING[base]}</p>
      )}
      {own.length + inherited.length > 0 && (
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
              {own.map((rule) => (
                <tr key={rule.id} data-refuses={refuses(rule.kind, title) || undefined} className={styles.rule}>
                  <th scope="row">{RULE_TITLES[rule.kind]}</th>
                  <td>
                    <code>
                      <UserText>{rule.constraint}</UserText>
                    </code>
                  </td>
                  <td>here</td>
                  {canWrite && (
                    <td className={styles.verbs}>
                      <Doing does="change-rule" rule={rule}>
                        Change
                      </Doing>
                      <Doing does="delete-rule" rule={rule}>
                        Delete
                      </Doing>
                    </td>
                  )}
                </tr>
              ))}
              {inherited.map((rule) => (
                <tr
                  key={`${rule.owner} ${rule.kind}`}
                  data-refuses={refuses(rule.kind, rule.owner) || undefined}
                  className={styles.rule}
                  data-inherited
                >
                  <th scope="row">{RULE_TITLES[rule.kind]}</th>
                  <td>
                    <code>
                      <UserText>{rule.constraint}</UserText>
                    </code>
                  </td>
                  <td>
                    <UserText>{rule.owner}</UserText>
                  </td>
                  {canWrite && <td />}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isAdding && (
        <ActionPanel title={ADDING.title}>
          <RuleForm owner={owner} kinds={free} rule={null} onApplied={close} />
        </ActionPanel>
      )}
      {canWrite && isDoneWithRule(does) && (
        <ChosenRule key={`${does} ${what}`} owner={owner} does={does} id={what} onApplied={close} />
      )}
      <TryIt
        judge={judge}
        isSecret={isSecret}
        rulesVersion={[...own.map(({ ledgerId }) => ledgerId), ...inherited.map(ruleWords)].join(' ')}
        onVerdict={setVerdict}
      />
    </section>
  );
}

interface DoingLinkProps {
  readonly does: RuleDoing;
  readonly rule: StoredRule;
  readonly children: ReactNode;
}

function Doing({ does, rule, children }: DoingLinkProps) {
  return (
    <Link
      to="."
      search={(search: object) => ({ ...search, do: does, what: rule.id })}
      className={button.quiet}
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
