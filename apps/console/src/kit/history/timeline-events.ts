/** The text of a value before or after a change. */
export interface ValueState {
  readonly text: string | null;
  readonly secret: boolean;
}

/** An entry of a parameter's timeline. */
export interface TimelineLine {
  readonly historyType: 'create' | 'update' | 'delete' | 'nothing';
  readonly historyModel: 'Parameter' | 'ParameterRule' | 'Value';
  readonly modifiedAt: string;
  readonly modifiedBy: string;
  readonly historyEnvironments: readonly { readonly name: string; readonly override: boolean }[];
  /** The values before and after; null if the user may not read them. */
  readonly historyVersions: {
    readonly revision: number;
    readonly before: ValueState | null;
    readonly after: ValueState | null;
  } | null;
}

/** The changes of a parameter by one changeset. */
export interface TimelineEvent {
  readonly at: string;
  readonly by: string;
  readonly revision: number | null;
  /** Descriptions of the changes to the parameter itself and to its rules. */
  readonly toParameter: readonly string[];
  readonly toValues: readonly ValueEvent[];
}

export interface ValueEvent {
  readonly environment: string;
  readonly isGone: boolean;
  /** The values before and after the change; null for no value. */
  readonly before: ValueState | null;
  readonly after: ValueState | null;
  /** Whether the user may read the values. */
  readonly isKnown: boolean;
  /** The other environments in which the inherited value changed. */
  readonly followers: readonly string[];
}

const VERBS = { create: 'created', update: 'changed', delete: 'deleted', nothing: 'left' } as const;

/** Groups the entries of a timeline by changeset, in the same order. */
export function groupTimeline(lines: readonly TimelineLine[]): readonly TimelineEvent[] {
  const byInstant = Map.groupBy(lines, ({ modifiedAt }) => modifiedAt);
  return [...byInstant].map(([at, instantLines]) => {
    const sentences = instantLines.flatMap(({ historyModel, historyType }) => {
      if (historyModel === 'Value') return [];
      return [`${VERBS[historyType]} ${historyModel === 'Parameter' ? 'the parameter' : 'a rule'}`];
    });
    return {
      at,
      by: instantLines[0]?.modifiedBy ?? '',
      revision: instantLines.find(({ historyVersions }) => historyVersions)?.historyVersions?.revision ?? null,
      toParameter: [...new Set(sentences)],
      toValues: instantLines.flatMap(valueEvent),
    };
  });
}

function valueEvent({
  historyModel,
  historyType,
  historyEnvironments,
  historyVersions,
}: TimelineLine): readonly ValueEvent[] {
  const setHere = historyEnvironments.find(({ override }) => override);
  if (historyModel !== 'Value' || !setHere) return [];
  return [
    {
      environment: setHere.name,
      isGone: historyType === 'delete',
      before: historyVersions?.before ?? null,
      after: historyVersions?.after ?? null,
      isKnown: historyVersions !== null,
      followers: historyEnvironments.filter(({ override }) => !override).map(({ name }) => name),
    },
  ];
}
