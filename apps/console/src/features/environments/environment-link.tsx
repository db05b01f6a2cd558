import { Link } from '@tanstack/react-router';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';

/** A link to the page of an environment. */
export function EnvironmentLink({ name }: { readonly name: string }) {
  return (
    <Link to="/environments/$environment" params={{ environment: name }} className={page.link}>
      <UserText>{name}</UserText>
    </Link>
  );
}
