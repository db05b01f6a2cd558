import { Link } from '@tanstack/react-router';
import { usePointInTime } from '../data/use-point-in-time.ts';
import button from '../ui/button.module.css';
import { Empty } from '../ui/empty.tsx';
import page from '../ui/page.module.css';
import { UserText } from '../ui/user-text.tsx';

/** Explains that a project does not exist or is forbidden. */
export function NoProject({ name }: { readonly name: string }) {
  const { isNow } = usePointInTime();
  return (
    <Empty title="Project not found">
      <p>
        There {isNow ? 'is' : 'was'} no project named{' '}
        <strong>
          <UserText>{name}</UserText>
        </strong>
        {!isNow && ' at that time'}, or you don’t have access to it. Check the name in the address. If the project was
        renamed, it is listed under its new name.
      </p>
      <Link to="/projects" className={button.plain}>
        All projects
      </Link>
    </Empty>
  );
}

interface NoParameterProps {
  /** The name of the project. */
  readonly project: string;
  readonly name: string;
}

/** Explains that a project has no parameter with a name. */
export function NoParameter({ project, name }: NoParameterProps) {
  return (
    <Empty title="Parameter not found">
      <p>
        <UserText>{project}</UserText> has no parameter named{' '}
        <strong>
          <UserText>{name}</UserText>
        </strong>
        . It may have been renamed or deleted; the history of the project shows when.
      </p>
      <div className={page.buttons}>
        <Link to="/projects/$name" params={{ name: project }} className={button.plain}>
          Open the matrix
        </Link>
        <Link to="/history" search={{ project }} className={button.plain}>
          Open the history
        </Link>
      </div>
    </Empty>
  );
}
