import { type BaseType, isLegal, type OwnedRule, RULE_KINDS, type RuleKind } from '@strata/domain';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type ChangesetOperations, PlannedChange } from '../review/planned-change.tsx';
import { PlannedForm } from '../review/planned-form.tsx';
import button from '../ui/button.module.css';
import { Field } from '../ui/form.tsx';
import { Given } from '../ui/given.tsx';
import page from '../ui/page.module.css';
import { Leave, type Verb, VerbPanel, Verbs } from '../ui/verbs.tsx';
import { RULE_TITLES, ruleWords } from './rule-words.ts';
import styles from './rules-part.module.css';
import { TryIt } from './try-it.tsx';
import type { StoredRule } from './type-tree.ts';
import type { Judge, Verdict } from './verdict.ts';

/** What has rules: a type, or a single parameter. */
export interface RuleOwner {
  /** For people: `type port`, `parameter PORT`. */
  readonly title: string;
  readonly base: BaseType;
  readonly own: readonly StoredRule[];
  /** Those of the types above, nearest first; they hold as well. */
  readonly inherited: readonly OwnedRule[];
  readonly judge: Judge;
  /** How the operations on its rules begin, and what stands in their paths. */
  readonly operations: 'types_rules' | 'projects_parameters_rules';
  readonly path: Readonly<Record<string, string>>;
  /** Whether what is tried is typed unseen. */
  readonly isSecret: boolean;
}

export interface RulesPartProps {
  readonly owner: RuleOwner;
  readonly canWrite: boolean;
  /** What is being done, as the address says it. */
  readonly does: string | undefined;
  /** The rule, by its id, that it is done with. */
  readonly what: string | undefined;
}

const ADDING: Verb = { does: 'add-rule', title: 'Add a rule', Sign: Plus };

/** What texts must keep to, own rules and those from above, with a field to try one. */
export function RulesPart({ owner, canWrite, does, what }: RulesPartProps) {
  const { title, base, own, inherited, judge, isSecret } = owner;
  const navigate = useNavigate();
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const refuses = (kind: RuleKind, of: string) =>
    verdict?.violations.some((one) => one.rule === kind && one.owner === of) ?? false;
  const possible = RULE_KINDS.filter((kind) => isLegal(kind, base));
  const free = possible.filter((kind) => own.every((rule) => rule.kind !== kind));
  const chosen = canWrite ? own.find(({ id }) => id === what) : undefined;
  const isAdding = canWrite && does === ADDING.does && free.length > 0;
  const close = () => navigate({ to: '.', search: (old: object) => ({ ...old, do: undefined, what: undefined }) });
  return (
    <section className={page.part} aria-labelledby="rules">
      <div className={page.head}>
        <h2 id="rules">Rules</h2>
        {canWrite && free.length > 0 && (
          <Verbs
            label={`What can be done with rules of ${title}`}
            verbs={[ADDING]}
            chosen={isAdding ? does : undefined}
          />
        )}
      </div>
      {possible.length === 0 ? (
        <p className={page.note}>A boolean is one of true and false, yes and no, on and off. It takes no rules.</p>
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
                      <Given>{rule.constraint}</Given>
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
                      <Given>{rule.constraint}</Given>
                    </code>
                  </td>
                  <td>
                    <Given>{rule.owner}</Given>
                  </td>
                  {canWrite && <td />}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isAdding && (
        <VerbPanel title={ADDING.title}>
          <RuleForm owner={owner} kinds={free} rule={null} onApplied={close} />
        </VerbPanel>
      )}
      {chosen && does === 'change-rule' && (
        <VerbPanel key={`change ${chosen.id}`} title={`Change “${ruleWords(chosen)}”`}>
          <RuleForm owner={owner} kinds={[chosen.kind]} rule={chosen} onApplied={close} />
        </VerbPanel>
      )}
      {chosen && does === 'delete-rule' && (
        <VerbPanel key={`delete ${chosen.id}`} title={`Delete “${ruleWords(chosen)}”`}>
          <DeleteRule owner={owner} rule={chosen} onApplied={close} />
        </VerbPanel>
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
  readonly does: string;
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
  string: 'any text fits.',
  integer: 'any whole number fits, an optional sign and digits.',
  boolean: 'true and false fit, and their like.',
};

const HINTS: Readonly<Record<RuleKind, string>> = {
  min: 'A whole number.',
  max: 'A whole number.',
  min_len: 'A whole number. Characters are counted as people see them.',
  max_len: 'A whole number. Characters are counted as people see them.',
  regex: 'RE2 syntax, matched from the start of the text; a $ at its end makes it the whole text.',
};

interface RuleFormProps {
  readonly owner: RuleOwner;
  readonly kinds: readonly RuleKind[];
  /** Null: a new one. */
  readonly rule: StoredRule | null;
  onApplied(): Promise<void>;
}

function RuleForm({ owner, kinds, rule: present, onApplied }: RuleFormProps) {
  const { operations, path, title } = owner;
  // As it was when somebody began to write.
  const [rule] = useState(present);
  const [kind, setKind] = useState<RuleKind>(kinds[0] ?? 'regex');
  const read = (given: FormData) => ({ kind, constraint: String(given.get('constraint') ?? '') });
  const operationsOf = (given: FormData): ChangesetOperations => {
    const { constraint } = read(given);
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
      verb={rule === null ? 'Add the rule' : 'Change the rule'}
      busyVerb="Applying …"
      operationsOf={operationsOf}
      message={(given) => `${title}: ${ruleWords(read(given))}`}
      onApplied={onApplied}
      aside={<Leave />}
    >
      {rule === null && (
        <Field name="type" label="Rule">
          {(field) => (
            <select {...field} value={kind} onChange={({ target }) => setKind(target.value as RuleKind)}>
              {kinds.map((one) => (
                <option key={one} value={one}>
                  {RULE_TITLES[one]}
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
  // Of the rule as it was shown when somebody began: what was changed since is not deleted unseen.
  const [operations] = useState(() => removal(owner, rule));
  return (
    <PlannedChange
      operations={operations}
      verb="Delete the rule"
      busyVerb="Deleting …"
      message={`${owner.title}: no longer ${ruleWords(rule)}`}
      onApplied={onApplied}
      aside={<Leave />}
    />
  );
}

const removal = ({ operations, path }: RuleOwner, { id, ledgerId }: StoredRule): ChangesetOperations => [
  { operation: `${operations}_destroy`, path: { ...path, id }, ifMatch: ledgerId },
];
