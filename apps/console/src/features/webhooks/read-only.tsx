import page from '../../ui/page.module.css';

/** Replaces the actions for users who may not manage webhooks. */
export const ReadOnly = () => <p className={page.note}>Admins and owners can change webhooks.</p>;
