import page from '../../ui/page.module.css';

/** Shown instead of the actions. */
export const ReadOnly = () => <p className={page.note}>Admins and owners can change webhooks.</p>;
