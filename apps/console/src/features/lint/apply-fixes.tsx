import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { LintedFinding } from '../../data/lint.ts';
import { lintKeys } from '../../data/lint.ts';
import { PlannedChange } from '../../kit/planned/planned-change.tsx';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { describeFixes, fixesFor } from './fixes.ts';
import styles from './lint-page.module.css';

const route = getRouteApi('/inside/projects/$name/lint');

/** Previews and applies the selected fixes. */
export function ApplyFixes({ findings }: { readonly findings: readonly LintedFinding[] }) {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const operations = useMemo(() => fixesFor(findings), [findings]);
  const count = findings.length;
  return (
    <div className={page.page}>
      <h2>{count === 1 ? 'Apply 1 fix' : `Apply ${count} fixes`}</h2>
      <ul className={styles.fixes} aria-label="Fixes">
        {describeFixes(findings).map((description) => (
          <li key={description}>
            <UserText>{description}</UserText>
          </li>
        ))}
      </ul>
      <PlannedChange
        operations={operations}
        verb="Fix"
        busyVerb="Fixing …"
        message="Fix lint findings"
        aside={
          <Link to="." search={(previousSearch) => ({ ...previousSearch, review: undefined })} className={button.quiet}>
            Back to findings
          </Link>
        }
        onApplied={async (revision) => {
          client.removeQueries({ queryKey: lintKeys.all, type: 'inactive' });
          await navigate({ to: '/history/$revision', params: { revision: String(revision) } });
        }}
      />
    </div>
  );
}
