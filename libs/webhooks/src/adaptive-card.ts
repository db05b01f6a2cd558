import type { Summary } from './summary.ts';

/** Teams rejects messages of more than 28 kB. The texts of a summary are far below that. */
const VERSION = '1.4';

interface TextBlock {
  readonly type: 'TextBlock';
  readonly text: string;
  readonly wrap: true;
  readonly size?: 'Medium';
  readonly weight?: 'Bolder';
  readonly spacing?: 'Small';
}

/** Returns the message that a Teams workflow posts: one adaptive card. */
export function adaptiveCard({ title, lines, hidden, facts }: Summary): object {
  const body = [
    { ...textBlock(title), size: 'Medium', weight: 'Bolder' },
    ...[...lines, ...(hidden > 0 ? [`…and ${hidden} more`] : [])].map((line) => ({
      ...textBlock(line),
      spacing: 'Small',
    })),
    { type: 'FactSet', facts: facts.map(([label, text]) => ({ title: label, value: escapeMarkdown(text) })) },
  ];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: VERSION,
    body,
    msteams: { width: 'Full' },
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

const textBlock = (text: string): TextBlock => ({ type: 'TextBlock', text: escapeMarkdown(text), wrap: true });

/** Cards read a subset of Markdown. Names must not become links, mentions or lists. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\*_[\]()~#>|]/g, '\\$&')
    .replace(/^([-+]|\d+\.)/, '\\$1')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
}
