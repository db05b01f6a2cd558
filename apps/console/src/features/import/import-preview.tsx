import {
  type ImportLine,
  type ImportPart,
  type ImportSource,
  listImportedValues,
  loadStructured,
  type ReadStructured,
  type Separator,
  splitParts,
  willBeStored,
} from '@strata/import';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { type ChangesetOperations, listErrors, operationsPlanQuery } from '../../data/plan.ts';
import { InferredTypes } from '../../kit/env-file/inferred-types.tsx';
import { ReferencesChoice } from '../../kit/env-file/references-choice.tsx';
import { PlannedChange } from '../../kit/planned/planned-change.tsx';
import { operationMember } from '../../lib/operation-error.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { useStableValue } from '../../ui/use-unchanged.ts';
import styles from './import-preview.module.css';
import { ImportTable } from './import-table.tsx';
import { OtherKeys, SourceChoice } from './source-choice.tsx';
import { useImportLines } from './use-import-lines.ts';
import type { NewTypes, PartLines } from './use-new-types.ts';

interface ImportPreviewProps {
  readonly project: ListedProject;
  /** The names of all environments. */
  readonly environments: readonly string[];
  readonly sources: readonly ImportSource[];
  onSource(source: ImportSource): void;
  onRemove(id: number): void;
}

/** Shows the effect of each line of each file, and then the plan. */
export function ImportPreview({ project, environments, sources, onSource, onRemove }: ImportPreviewProps) {
  const [separator, setSeparator] = useState<Separator>('_');
  const [isPlanned, setPlanned] = useState(false);
  const isStructured = sources.some(({ format }) => format !== 'dotenv');
  const structured = useStructured(isStructured);
  const options = useMemo(() => ({ separator, environments, structured }), [separator, environments, structured]);
  const all = useMemo(() => splitParts(sources, options), [sources, options]);
  const parts = useMemo(() => all.filter(({ environment }) => environment !== ''), [all]);
  const lacksEnvironment = parts.length < all.length;
  const { lines, newTypes, markSecret, question, lacksChoice, error, retry } = useImportLines(project.id, parts);
  const isUndecided = lacksChoice || lacksEnvironment;
  const plan = useOperations(project.id, parts, lines, newTypes);
  const lineErrors = useLineErrors(isPlanned && !isUndecided ? plan : null);
  if (error) return <ErrorMessage error={error} reset={retry} />;
  const count = (lines ?? []).flat().filter(willBeStored).length;
  return (
    <>
      <section className={page.part} aria-labelledby="lines">
        <PreviewHead
          {...{
            lines: lacksEnvironment ? (lines ?? []) : lines,
            separator: isStructured ? separator : null,
            onSeparator: setSeparator,
          }}
        />
        {sources.map((source) => (
          <section key={source.id} className={styles.source} aria-label={source.title}>
            <SourceChoice
              source={source}
              environments={environments}
              saysItself={parts.some((part) => part.source === source && part.isOwn)}
              onSource={onSource}
              onRemove={() => onRemove(source.id)}
            />
            {(!isStructured || structured !== null) && !all.some((part) => part.source === source) && (
              <p className={page.note}>Empty.</p>
            )}
            <OtherKeys keys={all.find((part) => part.source === source)?.otherKeys ?? []} />
            {parts.map(
              (part, at) =>
                part.source === source &&
                lines?.[at] && (
                  <ImportTable
                    key={part.environment}
                    {...{ part, newTypes, lines: lines[at], onSecret: markSecret }}
                    errors={lineErrors.get(at) ?? NO_ERRORS}
                  />
                ),
            )}
          </section>
        ))}
        <InferredTypes types={newTypes.inferred} onDismiss={newTypes.dismiss} />
        <ReferencesChoice parts={parts} {...question} />
        {(!isPlanned || isUndecided) && (
          <button
            type="button"
            className={button.main}
            disabled={count === 0 || isUndecided}
            onClick={() => setPlanned(true)}
          >
            {nextStep({ isLoading: lines === null, count, lacksEnvironment, lacksChoice })}
          </button>
        )}
      </section>
      {isPlanned && !isUndecided && plan && plan.operations.length > 0 && (
        <ImportPlan {...{ project, sources, operations: plan.operations, count }} onBack={() => setPlanned(false)} />
      )}
    </>
  );
}

interface PreviewHeadProps {
  readonly lines: PartLines | null;
  /** Null if no file has nested keys. */
  readonly separator: Separator | null;
  onSeparator(separator: Separator): void;
}

function PreviewHead({ lines, separator, onSeparator }: PreviewHeadProps) {
  return (
    <>
      <div className={page.head}>
        <h2 id="lines">Preview</h2>
        {separator !== null && <SeparatorChoice separator={separator} onSeparator={onSeparator} />}
      </div>
      <p role="status" className={page.note}>
        {lines ? summary(lines) : 'Loading …'}
      </p>
    </>
  );
}

interface PreviewState {
  readonly isLoading: boolean;
  readonly count: number;
  readonly lacksEnvironment: boolean;
  /** Whether the user must choose what to do with references. */
  readonly lacksChoice: boolean;
}

function nextStep({ isLoading, count, lacksEnvironment, lacksChoice }: PreviewState): string {
  // Lines are only loaded for files with an environment.
  if (lacksEnvironment) return 'Choose environments first';
  if (isLoading) return 'Loading …';
  if (count === 0) return 'Nothing to import';
  return lacksChoice ? 'Choose what to do with references' : 'Preview changes';
}

/** Returns the operations of the import. Changes elsewhere load the lines again, but a plan is only repeated if the operations differ. */
function useOperations(
  projectId: string,
  parts: readonly ImportPart[],
  lines: PartLines | null,
  { types }: Pick<NewTypes, 'types'>,
) {
  return useStableValue(
    useMemo(() => lines && importOperations(projectId, parts, lines, types), [projectId, parts, lines, types]),
  );
}

interface ImportPlanProps {
  readonly project: ListedProject;
  readonly sources: readonly ImportSource[];
  readonly operations: ChangesetOperations;
  /** The number of values to import. */
  readonly count: number;
  onBack(): void;
}

function ImportPlan({ project, sources, operations, count, onBack }: ImportPlanProps) {
  const navigate = useNavigate();
  return (
    <section className={page.part} aria-label="Changes">
      <PlannedChange
        operations={operations}
        verb={`Import ${count.toLocaleString()} ${count === 1 ? 'value' : 'values'}`}
        busyVerb="Importing …"
        message={`${project.name} from ${sources.map(({ title }) => title).join(', ')}`.slice(0, 500)}
        aside={
          <button type="button" className={button.quiet} onClick={onBack}>
            Back to lines
          </button>
        }
        onApplied={(revision) =>
          navigate({
            to: '/projects/$name',
            params: { name: project.name },
            state: { applied: revision },
            ignoreBlocker: true,
          })
        }
      />
    </section>
  );
}

const NO_ERRORS: ReadonlyMap<string, string> = new Map();

/** Loads the parsers for JSON and YAML when a file needs them. */
function useStructured(isNeeded: boolean): ReadStructured | null {
  const [read, setRead] = useState<ReadStructured | null>(null);
  useEffect(() => {
    if (isNeeded) void loadStructured().then((structuredReader) => setRead(() => structuredReader));
  }, [isNeeded]);
  return read;
}

/** Returns one operation for each part with changes, and the index of the part of each operation. */
function importOperations(projectId: string, parts: readonly ImportPart[], lines: PartLines, types: NewTypes['types']) {
  const partValues = listImportedValues(parts, lines, types);
  const operations: ChangesetOperations = partValues.map(({ environment, values }) => ({
    set: { project: projectId, environment, createMissing: true, values },
  }));
  return { operations, partOf: partValues.map(({ at }) => at) };
}

/** Returns the reasons why the core would reject lines, by the index of the part and the name of the line. */
function useLineErrors(
  importPlan: ReturnType<typeof importOperations> | null,
): ReadonlyMap<number, ReadonlyMap<string, string>> {
  const { data: plan } = useQuery({
    ...operationsPlanQuery(importPlan?.operations ?? NO_OPERATIONS),
    enabled: importPlan !== null && importPlan.operations.length > 0,
  });
  const lineErrors = new Map<number, Map<string, string>>();
  for (const entry of plan?.rejectedOperations.flatMap(listErrors) ?? []) {
    const { index = -1, member: name = '' } = operationMember(entry) ?? {};
    const at = importPlan?.partOf[index];
    if (name === '' || at === undefined) continue;
    lineErrors.set(at, (lineErrors.get(at) ?? new Map<string, string>()).set(name, entry.detail));
  }
  return lineErrors;
}
const NO_OPERATIONS: ReturnType<typeof importOperations>['operations'] = [];

function summary(lines: PartLines): string {
  const all = lines.flat();
  const count = (effects: readonly ImportLine['effect'][]) =>
    all.filter(({ effect }) => effects.includes(effect)).length;
  const secretNames = new Set(all.filter(({ isNew, isSecret }) => isNew && isSecret).map(({ line }) => line.name)).size;
  const counts = [
    [count(['new']), 'new'],
    [count(['set', 'changed', 'secret']), 'to set or change'],
    [count(['same']), 'unchanged'],
    [secretNames, 'marked secret'],
  ] as const;
  return (
    counts
      .flatMap(([number, countName]) => (number > 0 ? [`${number.toLocaleString()} ${countName}`] : []))
      .join(', ') || 'Nothing to import.'
  );
}

const SEPARATOR_WORDS: Readonly<Record<Separator, string>> = {
  _: 'db_host',
  __: 'db__host',
  '.': 'db.host',
  '/': 'db/host',
};

interface SeparatorChoiceProps {
  readonly separator: Separator;
  onSeparator(separator: Separator): void;
}

function SeparatorChoice({ separator, onSeparator }: SeparatorChoiceProps) {
  return (
    <label className={styles.separator}>
      Join nested keys with
      <select value={separator} onChange={({ target }) => onSeparator(target.value as Separator)}>
        {Object.entries(SEPARATOR_WORDS).map(([value, example]) => (
          <option key={value} value={value}>
            {example}
          </option>
        ))}
      </select>
    </label>
  );
}
