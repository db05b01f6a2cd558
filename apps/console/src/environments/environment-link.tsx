import { Link } from '@tanstack/react-router';
import page from '../ui/page.module.css';

/** Leads to the page of an environment. */
export function EnvironmentLink({ name }: { readonly name: string }) {
  return (
    <Link to="/environments/$environment" params={{ environment: name }} className={page.link}>
      {name}
    </Link>
  );
}
