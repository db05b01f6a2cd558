import page from '../../ui/page.module.css';

/** In place of what can be done here. */
export const ReadOnly = () => <p className={page.note}>Admins and owners can change webhooks.</p>;
