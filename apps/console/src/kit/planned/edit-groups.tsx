import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { environmentsQuery } from '../../data/environments.ts';
import type { PlannedEffect, ReviewDifference } from '../../data/plan.ts';
import { effectKey } from '../../data/plan.ts';
import { projectsQuery } from '../../data/projects.ts';
import type { Drafts } from '../../lib/draft.ts';
import { useShortened } from '../../ui/shortened-list.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { effectLocation, effectText } from './draft-descriptions.ts';
import { TextChange } from './draft-list.tsx';
import styles from './edit-groups.module.css';
import { type EffectGroup, effectsByEdit } from './effect-groups.ts';
import { GoneEffects } from './effects.tsx';

interface EditGroupsProps {
  readonly effects: readonly PlannedEffect[];
  /** The number of all effects, including those that are not listed. */
  readonly total: number;
  readonly drafts: Drafts;
  readonly difference: ReviewDifference | null;
}

/** Lists the changed effective values, grouped by the edits that cause them. */
export function EditGroups({ effects, total, drafts, difference }: EditGroupsProps) {
  const { data: environments } = useQuery(environmentsQuery());
  const { data: projects } = useQuery(projectsQuery());
  const { edits, references } = useMemo(
    () => effectsByEdit(effects, drafts, { environments: environments ?? [], projects: projects ?? [] }),
    [effects, drafts, environments, projects],
  );
  if (!environments || !projects) return null;
  return (
    <>
      {total > effects.length && (
        <p className={styles.note}>
          Groups and counts cover the first {effects.length.toLocaleString()} of {total.toLocaleString()}.
        </p>
      )}
      <Groups groups={edits} difference={difference} />
      {references.length > 0 && (
        <>
          <h3 className={styles.heading}>Through references</h3>
          <Groups groups={references} difference={difference} />
        </>
      )}
      <GoneEffects difference={difference} />
    </>
  );
}

type GroupsProps = { readonly groups: readonly EffectGroup[] } & Pick<EditGroupsProps, 'difference'>;

function Groups({ groups, difference }: GroupsProps) {
  const { shown, more } = useShortened(groups);
  return (
    <>
      <ul>
        {shown.map((group) => (
          <Group key={effectKey(group.first)} group={group} difference={difference} />
        ))}
      </ul>
      {more}
    </>
  );
}

function Group({ group, difference }: { readonly group: EffectGroup } & Pick<EditGroupsProps, 'difference'>) {
  const { first, effects, environments, inherited, lost } = group;
  const [isOpen, setOpen] = useState(false);
  const changedEffects = effects.filter((effect) => difference?.changed.has(effectKey(effect))).length;
  return (
    <li className={styles.group} data-new={changedEffects > 0 || undefined}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={styles.edit}>
          <ChevronRight size={12} aria-hidden />
          <code>
            <UserText>{first.parameterName}</UserText>
          </code>
          <TextChange before={effectText(first, 'before')} after={effectText(first, 'after')} />
          <span className={styles.where}>
            in <UserText>{formatNames(environments)}</UserText> · <UserText>{first.projectName}</UserText>
            {inherited > 0 && <span className={styles.inherited}>+{inherited.toLocaleString()} inherited</span>}
            {lost > 0 && (
              <span className={styles.lost}>
                {lost === 1
                  ? '1 environment loses its value'
                  : `${lost.toLocaleString()} environments lose their value`}
              </span>
            )}
            {changedEffects > 0 && <b>{changedEffects} new</b>}
          </span>
        </summary>
        {isOpen && <EffectsOfGroup effects={effects} />}
      </details>
      {first.problem !== null && (
        <p className={styles.lost}>
          <UserText>{first.problem}</UserText>
        </p>
      )}
    </li>
  );
}

function EffectsOfGroup({ effects }: Pick<EffectGroup, 'effects'>) {
  const { shown, more } = useShortened(effects);
  return (
    <>
      <ul className={styles.effects}>
        {shown.map((effect) => (
          <li key={effectKey(effect)}>
            <span>
              <UserText>{effect.environmentName}</UserText> · <UserText>{effect.projectName}</UserText>
            </span>
            <TextChange
              of={effectLocation(effect)}
              before={effectText(effect, 'before')}
              after={effectText(effect, 'after')}
            />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

/** The maximum number of environments that are named. */
const NAMED_MAX = 3;

function formatNames(names: readonly string[]): string {
  const moreCount = names.length - NAMED_MAX;
  return moreCount > 1 ? `${names.slice(0, NAMED_MAX).join(', ')} and ${moreCount} more` : names.join(', ');
}
