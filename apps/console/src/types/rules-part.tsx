import { type BaseType, isLegal, type OwnedRule, RULE_KINDS, type RuleKind } from '@strata/domain';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type ChangesetOperations, PlannedChange } from '../review/planned-change.tsx';
import { PlannedForm } from '../review/planned-form.tsx';
import button from '../ui/button.module.css';
import { Field } from '../ui/form.tsx';
import page from '../ui/page.module.css';
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

interface RulesPartProps {
  readonly owner: RuleOwner;
  readonly canWrite: boolean;
}

type Doing =
  | { readonly kind: 'add' }
  | { readonly kind: 'change'; readonly rule: StoredRule }
  | { readonly kind: 'remove'; readonly rule: StoredRule; readonly operations: ChangesetOperations };

/** What texts must keep to, own rules and those from above, with a field to try one. */
export function RulesPart({ owner, canWrite }: RulesPartProps) {
  const { title, base, own, inherited, judge, isSecret } = owner;
  const [doing, setDoing] = useState<Doing | null>(null);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const refuses = (kind: RuleKind, of: string) =>
    verdict?.violations.some((one) => one.rule === kind && one.owner === of) ?? false;
  const possible = RULE_KINDS.filter((kind) => isLegal(kind, base));
  const free = possible.filter((kind) => own.every((rule) => rule.kind !== kind));
  const close = () => setDoing(null);
  const remove = (rule: StoredRule) => setDoing({ kind: 'remove', rule, operations: removal(owner, rule) });
  return (
    <section className={page.part} aria-labelledby="rules">
      <div className={page.head}>
        <h2 id="rules">Rules</h2>
        {canWrite && free.length > 0 && doing === null && (
          <button type="button" className={button.plain} onClick={() => setDoing({ kind: 'add' })}>
            <Plus size={14} aria-hidden /> Add a rule
          </button>
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
                    <code>{rule.constraint}</code>
                  </td>
                  <td>here</td>
                  {canWrite && (
                    <td className={styles.verbs}>
                      <button type="button" className={button.quiet} onClick={() => setDoing({ kind: 'change', rule })}>
                        Change<span className="heard"> {RULE_TITLES[rule.kind]}</span>
                      </button>
                      <button type="button" className={button.quiet} onClick={() => remove(rule)}>
                        Delete<span className="heard"> {RULE_TITLES[rule.kind]}</span>
                      </button>
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
                    <code>{rule.constraint}</code>
                  </td>
                  <td>{rule.owner}</td>
                  {canWrite && <td />}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {doing?.kind === 'add' && <RuleForm owner={owner} kinds={free} rule={null} onClose={close} />}
      {doing?.kind === 'change' && (
        <RuleForm key={doing.rule.id} owner={owner} kinds={[doing.rule.kind]} rule={doing.rule} onClose={close} />
      )}
      {doing?.kind === 'remove' && (
        <div className={page.doing}>
          <h3>Delete “{ruleWords(doing.rule)}”</h3>
          <PlannedChange
            operations={doing.operations}
            verb="Delete the rule"
            busyVerb="Deleting …"
            message={`${title}: no longer ${ruleWords(doing.rule)}`}
            onApplied={close}
            aside={
              <button type="button" className={button.quiet} onClick={close}>
                Cancel
              </button>
            }
          />
        </div>
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
  onClose(): void;
}

function RuleForm({ owner, kinds, rule, onClose }: RuleFormProps) {
  const { operations, path, title } = owner;
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
    <div className={page.doing}>
      <h3>{rule === null ? 'Add a rule' : `Change “${ruleWords(rule)}”`}</h3>
      <PlannedForm
        verb={rule === null ? 'Add the rule' : 'Change the rule'}
        busyVerb="Applying …"
        operationsOf={operationsOf}
        message={(given) => `${title}: ${ruleWords(read(given))}`}
        onApplied={onClose}
        onCancel={onClose}
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
    </div>
  );
}

const removal = ({ operations, path }: RuleOwner, { id, ledgerId }: StoredRule): ChangesetOperations => [
  { operation: `${operations}_destroy`, path: { ...path, id }, ifMatch: ledgerId },
];
