import { Link } from '@tanstack/react-router';
import { Given } from '../../ui/given.tsx';
import page from '../../ui/page.module.css';

/** Leads to the settings of a project. */
export function ProjectSettingsLink({ name }: { readonly name: string }) {
  return (
    <Link to="/projects/$name/settings" params={{ name }} className={page.link}>
      <Given>{name}</Given>
    </Link>
  );
}
