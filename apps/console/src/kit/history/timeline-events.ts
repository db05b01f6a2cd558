/** The text of a value before or after a change. */
export interface ValueState {
  readonly text: string | null;
  readonly secret: boolean;
}

/** One entry of a parameter's timeline. */
export interface TimelineLine {
  readonly historyType: 'create' | 'update' | 'delete' | 'nothing';
  readonly historyModel: 'Parameter' | 'ParameterRule' | 'Value';
  readonly modifiedAt: string;
  readonly modifiedBy: string;
  readonly historyEnvironments: readonly { readonly name: string; readonly override: boolean }[];
  /** Null if the user may not read it. */
  readonly historyVersions: {
    readonly revision: number;
    readonly before: ValueState | null;
    readonly after: ValueState | null;
  } | null;
}

/** The changes of a parameter at one time, which belong to one changeset. */
export interface TimelineEvent {
  readonly at: string;
  readonly by: string;
  readonly revision: number | null;
  /** The changes of the parameter itself and its rules, in words. */
  readonly toParameter: readonly string[];
  readonly toValues: readonly ValueEvent[];
}

export interface ValueEvent {
  readonly environment: string;
  readonly isGone: boolean;
  /** The value before and after; null if there was or is none. */
  readonly before: ValueState | null;
  readonly after: ValueState | null;
  /** Whether the user may see the previous text. */
  readonly isKnown: boolean;
  /** Other environments whose inherited value changed. */
  readonly followers: readonly string[];
}

const VERBS = { create: 'created', update: 'changed', delete: 'deleted', nothing: 'left' } as const;

/** Groups the entries by time, in the order of the timeline. */
export function timelineEventsOf(lines: readonly TimelineLine[]): readonly TimelineEvent[] {
  const byInstant = Map.groupBy(lines, ({ modifiedAt }) => modifiedAt);
  return [...byInstant].map(([at, some]) => {
    const words = some.flatMap(({ historyModel, historyType }) => {
      if (historyModel === 'Value') return [];
      return [`${VERBS[historyType]} ${historyModel === 'Parameter' ? 'the parameter' : 'a rule'}`];
    });
    return {
      at,
      by: some[0]?.modifiedBy ?? '',
      revision: some.find(({ historyVersions }) => historyVersions)?.historyVersions?.revision ?? null,
      toParameter: [...new Set(words)],
      toValues: some.flatMap(valueEvent),
    };
  });
}

function valueEvent({
  historyModel,
  historyType,
  historyEnvironments,
  historyVersions,
}: TimelineLine): readonly ValueEvent[] {
  const own = historyEnvironments.find(({ override }) => override);
  if (historyModel !== 'Value' || !own) return [];
  return [
    {
      environment: own.name,
      isGone: historyType === 'delete',
      before: historyVersions?.before ?? null,
      after: historyVersions?.after ?? null,
      isKnown: historyVersions !== null,
      followers: historyEnvironments.filter(({ override }) => !override).map(({ name }) => name),
    },
  ];
}
