import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import page from '../../ui/page.module.css';
import { Tabs } from '../../ui/tabs.tsx';

const TABS = [
  { to: '/access', title: 'People' },
  { to: '/access/groups', title: 'Groups' },
  { to: '/access/grants', title: 'Grants' },
  { to: '/access/requests', title: 'Requests' },
  { to: '/access/service-accounts', title: 'Service accounts' },
  { to: '/access/explain', title: 'Explain access' },
  { to: '/access/unused', title: 'Unused access' },
  { to: '/access/audit', title: 'Audit' },
] as const;

/** Renders the frame of the access pages, with links to all of them. */
export function AccessPage({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <Tabs label="Access">
        {TABS.map(({ to, title }) => (
          <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
            {title}
          </Link>
        ))}
      </Tabs>
      <div className={page.page} data-region>
        {children}
      </div>
    </>
  );
}
