import { Link } from '@tanstack/react-router';
import { Boxes, ListTree, type LucideIcon, Variable } from 'lucide-react';
import type { OwnShortcut } from '../data/preferences.ts';
import { UserText } from '../ui/user-text.tsx';

const SIGNS: Readonly<Record<OwnShortcut['type'], LucideIcon>> = {
  project: Boxes,
  environment: ListTree,
  parameter: Variable,
};

interface ShortcutLinkProps {
  readonly shortcut: OwnShortcut;
  readonly className: string | undefined;
  /** The class of the name of a parameter's project. */
  readonly ofClassName: string | undefined;
}

/** A link to a project, an environment or a parameter, with a sign for its type. */
export function ShortcutLink({ shortcut: { type, name, projectName }, className, ofClassName }: ShortcutLinkProps) {
  const Sign = SIGNS[type];
  const content = (
    <>
      <Sign size={14} role="img" aria-label={type} />
      <span>
        <UserText>{name}</UserText>
      </span>
      {projectName !== null && (
        <span className={ofClassName}>
          <UserText>{projectName}</UserText>
        </span>
      )}
    </>
  );
  if (type === 'environment') {
    return (
      <Link to="/environments/$environment" params={{ environment: name }} className={className}>
        {content}
      </Link>
    );
  }
  if (type === 'parameter') {
    const params = { name: projectName ?? '', parameter: name };
    return (
      <Link to="/projects/$name/parameters/$parameter" params={params} className={className}>
        {content}
      </Link>
    );
  }
  return (
    <Link to="/projects/$name" params={{ name }} className={className}>
      {content}
    </Link>
  );
}
