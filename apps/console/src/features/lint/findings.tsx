import { getRouteApi, Link } from '@tanstack/react-router';
import type { LintedFinding } from '../../data/lint.ts';
import { LINT_RULES, RULES } from '../../lib/lint-rules.ts';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { fixKey } from './fixes.ts';
import styles from './lint-page.module.css';

const route = getRouteApi('/inside/projects/$name/lint');

interface FindingsProps {
  readonly findings: readonly LintedFinding[];
  /** The keys of the selected findings; null if the user may not fix them. */
  readonly chosen: ReadonlySet<string> | null;
  onChosen(keys: ReadonlySet<string>): void;
}

/** Lists the findings grouped by rule, with explanations. */
export function Findings({ findings, chosen, onChosen }: FindingsProps) {
  const byRule = Map.groupBy(findings, ({ kind }) => kind);
  return LINT_RULES.map((rule) => {
    const ruleFindings = byRule.get(rule);
    return (
      ruleFindings && (
        <section key={rule} className={page.part} aria-labelledby={rule}>
          <div className={page.head}>
            <h2 id={rule}>
              {RULES[rule].title} <span className={styles.faint}>{ruleFindings.length.toLocaleString()}</span>
            </h2>
            {chosen && <ChooseAll rule={rule} findings={ruleFindings} chosen={chosen} onChosen={onChosen} />}
          </div>
          <p className={page.note}>{RULES[rule].about}</p>
          <ul className={styles.findings}>
            {ruleFindings.map((finding) => (
              <FindingRow key={fixKey(finding)} finding={finding} chosen={chosen} onChosen={onChosen} />
            ))}
          </ul>
        </section>
      )
    );
  });
}

interface ChooseAllProps extends FindingsProps {
  readonly rule: LintedFinding['kind'];
  readonly chosen: ReadonlySet<string>;
}

function ChooseAll({ rule, findings, chosen, onChosen }: ChooseAllProps) {
  const keys = findings.filter(({ operations }) => operations.length > 0).map(fixKey);
  if (keys.length < 2) return null;
  const isAll = keys.every((key) => chosen.has(key));
  const toggle = () =>
    onChosen(new Set(isAll ? [...chosen].filter((key) => !keys.includes(key)) : [...chosen, ...keys]));
  return (
    <label className={styles.all}>
      <input type="checkbox" checked={isAll} onChange={toggle} /> Select all {keys.length} fixable findings
      <span className="heard"> of {RULES[rule].title}</span>
    </label>
  );
}

interface FindingRowProps extends Pick<FindingsProps, 'chosen' | 'onChosen'> {
  readonly finding: LintedFinding;
}

function FindingRow({ finding, chosen, onChosen }: FindingRowProps) {
  const { name: project } = route.useParams();
  const { name, detail, environments, operations, whyNot } = finding;
  const key = fixKey(finding);
  const toggle = () => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChosen(next);
  };
  return (
    <li>
      {chosen && operations.length > 0 ? (
        <input
          type="checkbox"
          aria-label={withVisibleCharacters(`Fix: ${detail}`)}
          checked={chosen.has(key)}
          onChange={toggle}
        />
      ) : (
        <span />
      )}
      <div className={styles.finding}>
        <p>
          <Link
            to="/projects/$name"
            params={{ name: project }}
            search={{ cell: name, in: environments[0]?.environmentName }}
            className={styles.name}
          >
            <UserText>{name}</UserText>
          </Link>
          <span className={styles.places}>
            <UserText>{environments.map(({ environmentName }) => environmentName).join(', ')}</UserText>
          </span>
        </p>
        <p>
          <UserText>{detail}</UserText>
        </p>
        {whyNot !== null && (
          <p className={styles.faint}>
            <UserText>{whyNot}</UserText>
          </p>
        )}
      </div>
    </li>
  );
}
