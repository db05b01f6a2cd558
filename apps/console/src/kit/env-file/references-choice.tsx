import { type EnvLine, type EnvPreview, filterResolvable, type TextReferences } from '@strata/import';
import { formatCount } from '../../lib/format-count.ts';
import { ReferenceList } from './reference-list.tsx';
import styles from './references.module.css';

interface ReferencesChoiceProps {
  readonly parts: readonly { readonly preview: EnvPreview; readonly environment?: string }[];
  readonly references: ReadonlyMap<EnvLine, TextReferences>;
  /** Whether the references are resolved; null until the user has chosen. */
  readonly resolves: boolean | null;
  onChoice(resolves: boolean): void;
}

/** Lets the user choose once whether the references in all lines are resolved, and lists the lines. */
export function ReferencesChoice({ parts, references, resolves, onChoice }: ReferencesChoiceProps) {
  if (references.size === 0) return null;
  const choices = [
    [true, 'Resolve references, so that the values follow the parameters that they refer to'],
    [false, 'Keep them as text'],
  ] as const;
  return (
    <fieldset className={styles.choice}>
      <legend>{formatCount(references.size, 'line')} with references</legend>
      <ReferenceList texts={referenceLines(parts, references)} />
      {filterResolvable(references).size > 0 &&
        choices.map(([choice, label]) => (
          <label key={label}>
            <input
              type="radio"
              name="references"
              required
              checked={resolves === choice}
              onChange={() => onChoice(choice)}
            />
            {label}
          </label>
        ))}
    </fieldset>
  );
}

/** Returns the lines with references, those that can be resolved first. */
export function referenceLines(parts: ReferencesChoiceProps['parts'], references: ReferencesChoiceProps['references']) {
  const texts = parts.flatMap(({ preview, environment }) =>
    preview.importable.flatMap((line) => {
      const reference = references.get(line);
      const location = `Line ${line.line}${environment !== undefined && parts.length > 1 ? ` for ${environment}` : ''}`;
      return reference ? { location, name: line.name, references: reference } : [];
    }),
  );
  const isText = (text: (typeof texts)[number]) => Number(text.references.problem !== null);
  return texts.sort((a, b) => isText(a) - isText(b));
}
