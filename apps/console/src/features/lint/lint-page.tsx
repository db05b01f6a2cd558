import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type LintedFinding, type LintedPage, lintQuery } from '../../data/lint.ts';
import { projectsQuery } from '../../data/projects.ts';
import { viewerQuery } from '../../data/session.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { mayWrite } from '../../data/write-access.ts';
import { NoProject } from '../../kit/no-project.tsx';
import { useProjectByName } from '../../kit/status/use-project-by-name.ts';
import { LINT_RULES, parseLintRule, RULES } from '../../lib/lint-rules.ts';
import button from '../../ui/button.module.css';
import { Empty } from '../../ui/empty.tsx';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { ListStatus } from '../../ui/list-status.tsx';
import page from '../../ui/page.module.css';
import { Pages } from '../../ui/pages.tsx';
import { ApplyFixes } from './apply-fixes.tsx';
import { Findings } from './findings.tsx';
import { fixKey } from './fixes.ts';
import styles from './lint-page.module.css';

const route = getRouteApi('/inside/projects/$name/lint');

/** Lists the findings of lint in a project, with fixes. */
export function LintPage() {
  const { name } = route.useParams();
  const { rule, after } = route.useSearch();
  const { args } = usePointInTime();
  const { data: projects } = useQuery(projectsQuery(args));
  const project = useProjectByName(name, projects);
  if (!projects) return null;
  // The key clears the selection when the page or the rule changes.
  if (project) return <Lint key={`${project.id} ${rule} ${after}`} projectId={project.id} />;
  return <NoProject name={name} />;
}

function Lint({ projectId }: { readonly projectId: string }) {
  const { name } = route.useParams();
  const { rule, after, review } = route.useSearch();
  const navigate = route.useNavigate();
  const { args, isNow } = usePointInTime();
  const filter = { project: name, rule: parseLintRule(rule), after, pointInTime: args };
  const { data: lint, error, refetch, isPlaceholderData } = useQuery(lintQuery(filter));
  const [chosenKeys, setChosenKeys] = useState<ReadonlySet<string>>(new Set());
  // The findings at the time of the selection. The plan shows their current state.
  const [reviewedFindings, setReviewedFindings] = useState<readonly LintedFinding[]>([]);
  const { data: viewer } = useQuery(viewerQuery);
  const mayFix = isNow && mayWrite(viewer, { projectId });
  if (error) return <ErrorMessage error={error} reset={() => void refetch()} />;
  if (lint === undefined) return <Reading />;
  if (review && reviewedFindings.length > 0) return <ApplyFixes findings={reviewedFindings} />;
  const onFix = (findings: readonly LintedFinding[]) => {
    setReviewedFindings(findings);
    void navigate({ search: (previousSearch) => ({ ...previousSearch, review: true as const }) });
  };
  return (
    <div className={page.page} aria-busy={isPlaceholderData}>
      <Head lint={lint} isOld={isPlaceholderData} />
      {lint && lint.results.length > 0 ? (
        <Chosen lint={lint} mayFix={mayFix} chosen={chosenKeys} onChosen={setChosenKeys} onFix={onFix} />
      ) : (
        !isPlaceholderData && <EmptyFindings isWhole={lint === null || (lint.cursor === null && after === undefined)} />
      )}
      {lint && <Pages here={after} next={lint.cursor} first="Start over" more="Continue" />}
    </div>
  );
}

interface ChosenProps {
  readonly lint: LintedPage;
  readonly mayFix: boolean;
  /** The keys of the selected findings. */
  readonly chosen: ReadonlySet<string>;
  onChosen(keys: ReadonlySet<string>): void;
  onFix(findings: readonly LintedFinding[]): void;
}

function Chosen({ lint, mayFix, chosen, onChosen, onFix }: ChosenProps) {
  const fixableFindings = lint.results.filter(({ operations }) => operations.length > 0);
  // Findings that other users have fixed meanwhile are no longer listed, so they are not fixed again.
  const selectedFindings = fixableFindings.filter((finding) => chosen.has(fixKey(finding)));
  return (
    <>
      <Findings findings={lint.results} chosen={mayFix ? chosen : null} onChosen={onChosen} />
      {mayFix && fixableFindings.length > 0 && (
        <div className={styles.bar}>
          <button
            type="button"
            className={button.main}
            disabled={selectedFindings.length === 0}
            onClick={() => onFix(selectedFindings)}
          >
            {selectedFindings.length === 0
              ? 'Review fixes'
              : selectedFindings.length === 1
                ? 'Review 1 fix'
                : `Review ${selectedFindings.length} fixes`}
          </button>
          <p className={styles.faint}>
            {selectedFindings.length === 0
              ? 'Select findings to fix. You review the changes first.'
              : 'They are applied as one changeset after you review the changes.'}
          </p>
        </div>
      )}
    </>
  );
}

function Head({ lint, isOld }: { readonly lint: LintedPage | null; readonly isOld: boolean }) {
  const { rule, after } = route.useSearch();
  const navigate = route.useNavigate();
  const count = lint?.results.length ?? 0;
  const isPart = after !== undefined || (lint !== null && lint.cursor !== null);
  return (
    <div className={page.head}>
      <select
        aria-label="Rule"
        value={parseLintRule(rule) ?? ''}
        onChange={({ target }) =>
          void navigate({
            search: (search) => ({ ...search, rule: target.value || undefined, after: undefined, review: undefined }),
          })
        }
      >
        <option value="">All rules</option>
        {LINT_RULES.map((lintRule) => (
          <option key={lintRule} value={lintRule}>
            {RULES[lintRule].title}
          </option>
        ))}
      </select>
      <ListStatus isOld={isOld} className={styles.faint}>
        {count === 1 ? '1 finding' : `${count.toLocaleString()} findings`}
        {isPart && ' on this page'}
        {lint && ` · revision ${lint.revision}`}
      </ListStatus>
    </div>
  );
}

/** Shown while the core computes the findings, which can take some time. */
function Reading() {
  return (
    <p className={styles.reading} role="status">
      <progress aria-label="Checking" /> Checking all values of the project …
    </p>
  );
}

function EmptyFindings({ isWhole }: { readonly isWhole: boolean }) {
  const { rule: requestedRule } = route.useSearch();
  const rule = parseLintRule(requestedRule);
  if (!isWhole) return <p className={page.note}>No findings on this page. Continue, or start over.</p>;
  if (rule) {
    return (
      <Empty title={`${RULES[rule].title}: none found`}>
        <p>{RULES[rule].about}</p>
        <p>
          <Link to="." search={{}} className={page.link}>
            Check all rules
          </Link>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing to fix">
      <p>Lint checked everything you have access to in this project, in each environment. It looks for:</p>
      <dl className={styles.rules}>
        {LINT_RULES.map((lintRule) => (
          <div key={lintRule}>
            <dt>{RULES[lintRule].title}</dt>
            <dd>{RULES[lintRule].about}</dd>
          </div>
        ))}
      </dl>
    </Empty>
  );
}
