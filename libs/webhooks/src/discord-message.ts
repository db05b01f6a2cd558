import type { Summary } from './summary.ts';

/** The documented limits of embeds, in characters. */
const LIMITS = { title: 256, description: 4_096, field: 1_024 } as const;

/** Returns the body of a Discord webhook: one embed. Names never mention a person or a role. */
export function discordMessage({ title, lines, hidden, facts }: Summary): object {
  const description = [...lines, ...(hidden > 0 ? [`…and ${hidden} more`] : [])].map(escapeMarkdown).join('\n');
  return {
    username: 'Strata',
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cut(escapeMarkdown(title), LIMITS.title),
        ...(description !== '' && { description: cut(description, LIMITS.description) }),
        fields: facts.map(([name, value]) => ({
          name,
          value: cut(escapeMarkdown(value), LIMITS.field),
          inline: true,
        })),
      },
    ],
  };
}

const escapeMarkdown = (text: string): string => text.replace(/[\\*_~`|>#<@[\]()-]/g, '\\$&');

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/\\+$|[\ud800-\udbff]$/, '')}…`;
}
