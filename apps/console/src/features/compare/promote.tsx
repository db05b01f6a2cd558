import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { PlannedChange } from '../../kit/planned/planned-change.tsx';
import type { ListedProject } from '../../lib/project-forest.ts';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { type Promotable, promotionOperations } from './promotion.ts';

interface PromoteProps {
  readonly project: ListedProject;
  readonly chosen: readonly Promotable[];
  /** The revision of the left side; null for now. */
  readonly leftRevision: number | null;
  readonly titles: { readonly left: string; readonly right: string };
  onLeave(): void;
}

/** Previews and applies the promotion of the selected values. */
export function Promote({ project, chosen, leftRevision, titles, onLeave }: PromoteProps) {
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const operations = useMemo(
    () => promotionOperations(chosen, { projectId: project.id, leftRevision }),
    [chosen, project.id, leftRevision],
  );
  const secrets = chosen.filter(({ toSet }) => toSet.action === 'copy_secret').length;
  return (
    <section className={page.part} aria-labelledby="promote">
      <h2 id="promote" ref={heading} tabIndex={-1}>
        Promote {chosen.length.toLocaleString()} {chosen.length === 1 ? 'value' : 'values'} of{' '}
        <UserText>{project.name}</UserText> from <UserText>{titles.left}</UserText> to{' '}
        <UserText>{titles.right}</UserText>
      </h2>
      {secrets > 0 && (
        <p className={page.note}>
          {secrets === 1
            ? 'One of them is a secret. It is'
            : `${secrets.toLocaleString()} of them are secrets. They are`}{' '}
          copied by the server without being shown.
        </p>
      )}
      <PlannedChange
        operations={operations}
        verb="Promote"
        busyVerb="Promoting …"
        message={`${project.name}: from ${titles.left} to ${titles.right}`}
        aside={
          <button type="button" className={button.quiet} onClick={onLeave}>
            Back to differences
          </button>
        }
        onApplied={(revision) => navigate({ to: '/history/$revision', params: { revision: String(revision) } })}
      />
    </section>
  );
}
