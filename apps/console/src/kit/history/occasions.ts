/** What a value was, or became. */
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
  /** Null where that is closed to the reader. */
  readonly historyVersions: {
    readonly revision: number;
    readonly before: ValueState | null;
    readonly after: ValueState | null;
  } | null;
}

/** What was done to a parameter at one instant, which is one changeset. */
export interface Occasion {
  readonly at: string;
  readonly by: string;
  readonly revision: number | null;
  /** To the parameter itself and to its rules, in words. */
  readonly toParameter: readonly string[];
  readonly toValues: readonly ValueOccasion[];
}

export interface ValueOccasion {
  readonly environment: string;
  readonly isGone: boolean;
  /** Null where nothing was set before, or nothing is since. */
  readonly before: ValueState | null;
  readonly after: ValueState | null;
  /** Whether what it was may be seen. */
  readonly isKnown: boolean;
  /** Other environments in which something else applies since, by inheritance. */
  readonly followers: readonly string[];
}

const VERBS = { create: 'created', update: 'changed', delete: 'deleted', nothing: 'left' } as const;

/** The entries of one instant together, in the order of the timeline. */
export function occasionsOf(lines: readonly TimelineLine[]): readonly Occasion[] {
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
      toValues: some.flatMap(valueOccasion),
    };
  });
}

function valueOccasion({
  historyModel,
  historyType,
  historyEnvironments,
  historyVersions,
}: TimelineLine): readonly ValueOccasion[] {
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
