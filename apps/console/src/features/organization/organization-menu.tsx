import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { ownOrganizationsQuery } from '../../data/organizations.ts';
import { roleWord } from '../../lib/role-word.ts';
import { ActionError } from '../../ui/action-error.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { NewOrganizationDialog } from './new-organization-dialog.tsx';
import styles from './organization-menu.module.css';
import { useSwitchOrganization } from './use-switch-organization.ts';

interface OrganizationMenuProps {
  /** Whether the user is a person. A service account belongs to exactly one organization. */
  readonly isPerson: boolean;
  onClose(): void;
}

/** Lists the organizations of the user as links. */
export function OrganizationMenu({ isPerson, onClose }: OrganizationMenuProps) {
  const { data: organizations, error } = useQuery(ownOrganizationsQuery);
  const { switchingTo, error: switchError, switchTo } = useSwitchOrganization();
  const [isMaking, setMaking] = useState(false);
  if (isMaking) return <NewOrganizationDialog onClose={onClose} />;
  return (
    <nav aria-label="Organizations" className={styles.menu}>
      {!organizations && !error && <p className={styles.note}>Loading …</p>}
      {(switchError ?? error) !== null && <ActionError error={switchError ?? error} />}
      <ul className={styles.list}>
        {organizations?.map(({ id, name, role, current }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={current ? 'true' : undefined}
              disabled={switchingTo !== null}
              onClick={() => (current ? onClose() : switchTo(id))}
            >
              <Check size={14} aria-hidden className={current ? styles.current : styles.other} />
              <span>
                <UserText>{name}</UserText>
              </span>
              <span className={styles.role}>{switchingTo === id ? 'switching …' : roleWord(role)}</span>
            </button>
          </li>
        ))}
      </ul>
      <Link to="/organization" onClick={onClose}>
        Organization settings
      </Link>
      {isPerson && (
        <button type="button" onClick={() => setMaking(true)}>
          Create organization …
        </button>
      )}
    </nav>
  );
}
