import type { PlannedEffect } from '../../data/plan.ts';
import { effectKey } from '../../data/plan.ts';
import type { Draft, Drafts } from '../../lib/draft.ts';

/** Effects with the same parameter and the same edit. */
export interface EffectGroup {
  /** The effect that shows the texts: that of an edited cell if there is one. */
  readonly first: PlannedEffect;
  /** The environments of the edited cells, or of all cells if the text changes only because of its references. */
  readonly environments: readonly string[];
  /** All effects, in the order of the environments. */
  readonly effects: readonly PlannedEffect[];
  /** The number of effects in cells that inherit the edit. */
  readonly inherited: number;
  /** The number of cells that lose their value. */
  readonly lost: number;
}

interface Named {
  readonly name: string;
}

/** The scopes from which values are inherited. */
export interface InheritanceScopes {
  readonly environments: readonly (Named & { readonly parentName: string | null })[];
  readonly projects: readonly (Named & { readonly dependsOnName: string | null })[];
}

/** Groups effects by edit. `references` contains the effects on texts that refer to changed values. */
export function effectsByEdit(
  effects: readonly PlannedEffect[],
  drafts: Drafts,
  scopes: InheritanceScopes,
): { readonly edits: readonly EffectGroup[]; readonly references: readonly EffectGroup[] } {
  const order = new Map(scopes.environments.map(({ name }, at) => [name, at]));
  const placeOf = ({ environmentName }: PlannedEffect) => order.get(environmentName) ?? 0;
  const sortedEffects = [...effects].sort((left, right) => placeOf(left) - placeOf(right));
  const draftOf = draftFinder(drafts, scopes);
  const effectsByKey = new Map(sortedEffects.map((effect) => [effectKey(effect), effect]));
  const draftsByEffect = new Map(sortedEffects.map((effect) => [effect, draftOf(effect)]));
  const groups = Map.groupBy(sortedEffects, (effect) => {
    const draft = draftsByEffect.get(effect);
    const ownEffect = draft && effectsByKey.get(draftEffectKey(draft));
    return JSON.stringify([draft?.projectName, draft !== undefined, ...comparedEdit(ownEffect ?? effect)]);
  });
  const labelled = [...groups.values()].map((groupEffects) => {
    const isOwn = (effect: PlannedEffect) => {
      const draft = draftsByEffect.get(effect);
      return draft === undefined || draftEffectKey(draft) === effectKey(effect);
    };
    return {
      isEdit: groupEffects.some((effect) => draftsByEffect.get(effect) !== undefined),
      group: summarizeGroup(groupEffects, isOwn),
    };
  });
  const listGroups = (isEdit: boolean) => labelled.filter((entry) => entry.isEdit === isEdit).map(({ group }) => group);
  return { edits: listGroups(true), references: listGroups(false) };
}

function summarizeGroup(effects: readonly PlannedEffect[], isOwn: (effect: PlannedEffect) => boolean): EffectGroup {
  const ownEffects = effects.filter(isOwn);
  return {
    first: ownEffects[0] ?? (effects[0] as PlannedEffect),
    environments: [
      ...new Set((ownEffects.length > 0 ? ownEffects : effects).map(({ environmentName }) => environmentName)),
    ],
    effects,
    inherited: effects.length - ownEffects.length,
    lost: effects.filter(({ kind }) => kind === 'removed').length,
  };
}

const draftEffectKey = (draft: Draft): string => effectKey({ ...draft, parameterName: draft.name });

const comparedEdit = ({ parameterName, kind, before, after, masked, problem }: PlannedEffect) => [
  parameterName,
  kind,
  before,
  after,
  masked,
  problem,
];

/** Returns a function that finds the draft from which an effect comes: that of the cell, or of the nearest cell that it inherits from. */
function draftFinder(drafts: Drafts, { environments, projects }: InheritanceScopes) {
  const byKey = new Map([...drafts.values()].map((draft) => [draftEffectKey(draft), draft]));
  const parents = new Map(environments.map(({ name, parentName }) => [name, parentName]));
  const dependencies = new Map(projects.map(({ name, dependsOnName }) => [name, dependsOnName]));
  return (effect: PlannedEffect): Draft | undefined => {
    const chain = [...upwards(effect.projectName, dependencies)];
    for (const environmentName of upwards(effect.environmentName, parents)) {
      for (const projectName of chain) {
        const draft = byKey.get(effectKey({ ...effect, environmentName, projectName }));
        if (draft) return mayCause(draft, effect) ? draft : undefined;
      }
    }
    return undefined;
  };
}

function* upwards(name: string, parents: ReadonlyMap<string, string | null>): Generator<string> {
  for (let at: string | null | undefined = name; at != null; at = parents.get(at)) yield at;
}

/** Returns whether the value of a draft can be the new effective value. Otherwise a closer text refers to a changed value. */
function mayCause({ edit, isSecret }: Draft, { kind, after, masked }: PlannedEffect): boolean {
  if (edit.kind === 'null') return kind !== 'removed' && after === null;
  return edit.kind !== 'set' || edit.dynamic || isSecret || masked || after === edit.text;
}
