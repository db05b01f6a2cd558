import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { nameTestQuery } from '../../data/name-pattern.ts';
import { ownNamesQuery } from '../../data/parameters.ts';
import { Field } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { useSettled } from '../../ui/use-settled.ts';
import { UserText } from '../../ui/user-text.tsx';

const SHOWN = 20;
const SETTLE_MS = 200;

interface NamePatternFieldProps {
  readonly projectId: string;
  readonly pattern: string;
}

/** A field for a name pattern, which can be tested with a name and is checked against the existing names. */
export function NamePatternField({ projectId, pattern }: NamePatternFieldProps) {
  const [typedPattern, setTypedPattern] = useState(pattern);
  const [testedName, setTried] = useState('');
  const settledPattern = useSettled(typedPattern, SETTLE_MS, typedPattern);
  const { data: names } = useQuery(ownNamesQuery(projectId));
  const { data: isMatch } = useQuery({ ...nameTestQuery(settledPattern ?? ''), enabled: settledPattern !== null });
  const nonMatching = useMemo(
    () => (isMatch && names ? names.names.filter((name) => !isMatch(name)) : null),
    [isMatch, names],
  );
  return (
    <>
      <Field
        name="pattern"
        label="Parameter name pattern"
        hint="A regular expression (RE2) that names must match from the start, such as [A-Z][A-Z0-9_]*$. Leave it empty to allow any name."
      >
        {(attributes) => (
          <input
            {...attributes}
            value={typedPattern}
            maxLength={256}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTypedPattern(target.value)}
          />
        )}
      </Field>
      <Field name="tried" label="Test a name">
        {(attributes) => (
          <input
            {...attributes}
            value={testedName}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTried(target.value)}
          />
        )}
      </Field>
      <div role="status" className={page.note}>
        {testedName !== '' && isMatch && (
          <p>
            <code>
              <UserText>{testedName}</UserText>
            </code>{' '}
            {isMatch(testedName) ? 'is allowed.' : 'is not allowed.'}
          </p>
        )}
        {isMatch === null && <p>This is not a valid RE2 regular expression.</p>}
        {nonMatching && names && (
          <NonMatching nonMatching={nonMatching} count={names.names.length} isAll={names.isAll} />
        )}
      </div>
    </>
  );
}

interface NonMatchingProps {
  readonly nonMatching: readonly string[];
  readonly count: number;
  /** Whether all parameter names of the project were checked. */
  readonly isAll: boolean;
}

function NonMatching({ nonMatching, count, isAll }: NonMatchingProps) {
  const testedNames = isAll ? `${count.toLocaleString()} existing names` : `first ${count.toLocaleString()} names`;
  if (count === 0) return <p>There are no parameters yet.</p>;
  if (nonMatching.length === 0) return <p>All of the {testedNames} match.</p>;
  return (
    <p>
      {nonMatching.length.toLocaleString()} of the {testedNames} do not match:{' '}
      <code>
        <UserText>{nonMatching.slice(0, SHOWN).join(', ')}</UserText>
      </code>
      {nonMatching.length > SHOWN && ` and ${(nonMatching.length - SHOWN).toLocaleString()} more`}. Existing names stay.
      The pattern applies to new names.
    </p>
  );
}
