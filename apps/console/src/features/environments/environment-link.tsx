import { Link } from '@tanstack/react-router';
import { Given } from '../../ui/given.tsx';
import page from '../../ui/page.module.css';

/** Leads to the page of an environment. */
export function EnvironmentLink({ name }: { readonly name: string }) {
  return (
    <Link to="/environments/$environment" params={{ environment: name }} className={page.link}>
      <Given>{name}</Given>
    </Link>
  );
}
