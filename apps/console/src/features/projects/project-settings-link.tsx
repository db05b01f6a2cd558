import { Link } from '@tanstack/react-router';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';

/** A link to the settings of a project. */
export function ProjectSettingsLink({ name }: { readonly name: string }) {
  return (
    <Link to="/projects/$name/settings" params={{ name }} className={page.link}>
      <UserText>{name}</UserText>
    </Link>
  );
}
