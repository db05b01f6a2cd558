import { CopyButton } from '../../ui/copy-button.tsx';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import styles from './webhooks.module.css';

const SCOPES = [
  ['chat:write', 'posts messages'],
  ['chat:write.public', 'posts to public channels without being invited to each'],
  ['chat:write.customize', 'posts under the name in “Posts as” instead of the app’s name'],
] as const;

/** The manifest of a Slack app with the required permissions. */
const MANIFEST = JSON.stringify(
  {
    display_information: { name: 'Strata', description: 'Reports configuration changes' },
    features: { bot_user: { display_name: 'Strata', always_online: false } },
    oauth_config: { scopes: { bot: SCOPES.map(([scope]) => scope) } },
    settings: { org_deploy_enabled: false, socket_mode_enabled: false, token_rotation_enabled: false },
  },
  null,
  2,
);

/** Explains how to create a Slack app and get its token. */
export function SlackApp() {
  return (
    <aside className={styles.app} aria-labelledby="slack-app">
      <h2 id="slack-app">Set up the app in Slack</h2>
      <ol>
        <li>
          Open{' '}
          <a href="https://api.slack.com/apps" target="_blank" rel="noreferrer" className={page.link}>
            api.slack.com/apps
          </a>
          , choose “Create New App”, then “From a manifest” and the workspace, and paste this:{' '}
          <CopyButton text={MANIFEST} label="Copy the app manifest" />
        </li>
        <li>Under “Install App” install it in the workspace. Some workspaces require an administrator’s approval.</li>
        <li>
          Copy the “Bot User OAuth Token”, which starts with <code>xoxb-</code>, into this form.
        </li>
        <li>To post to a private channel, invite the app: type “/invite @Strata” in the channel.</li>
      </ol>
      <p>To use an existing app, add these bot token scopes under “OAuth & Permissions” and reinstall it:</p>
      <dl className={styles.scopes}>
        {SCOPES.map(([scope, scopePurpose]) => (
          <div key={scope}>
            <dt>
              <code>{scope}</code>
            </dt>
            <dd>{scopePurpose}</dd>
          </div>
        ))}
      </dl>
      <p className={objects.faint}>With these scopes, Strata can’t read messages, people or channels in Slack.</p>
    </aside>
  );
}
