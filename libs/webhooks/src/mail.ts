import type { DeliveryOutcome } from './classify.ts';
import { destinationHint } from './destination-hints.ts';
import type { Summary } from './summary.ts';
import { cleanAndTruncate } from './text.ts';

export interface MailSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string;
  readonly from: string;
}

interface MailResult {
  readonly outcome: DeliveryOutcome;
  readonly status: number | null;
}

/** The part of an error of the mail client that Strata uses. Its texts may contain addresses. */
interface MailError {
  readonly code?: string;
  readonly responseCode?: number;
}

const SUBJECT_MAX = 200;
/**
 * The maximum time for one e-mail, as a multiple of the timeout of each step. It is shorter than the lease of a worker:
 * a server that responds slowly to every command must not keep the e-mail until another worker sends it too.
 */
const STEPS_MAX = 3;

interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly id: string;
}

interface MailClientSettings {
  readonly mail: MailSettings | null;
  readonly timeoutMs: number;
}

/** Sends the summary of a message as plain text. Never throws for errors of the mail server. */
export function sendMail(
  recipients: readonly string[],
  summary: Summary,
  id: string,
  settings: MailClientSettings,
): Promise<MailResult> {
  return submit({ to: recipients, subject: summary.title, text: mailText(summary), id }, settings);
}

/** Notifies the owner of a destination that it is suspended. Returns whether the mail server accepted the e-mail. */
export async function sendNotice(
  email: string,
  { id, name, reason }: { readonly id: string; readonly name: string; readonly reason: string },
  settings: MailClientSettings,
): Promise<boolean> {
  const destination = cleanAndTruncate(name, SUBJECT_MAX / 2);
  const code = reason.split(': ').at(-1) ?? reason;
  const text = [
    `Strata sends no more messages to the destination ${destination}.`,
    '',
    `Reason: ${reason}`,
    destinationHint(code),
    '',
    'Messages are kept until you resume or delete the destination.',
    '',
  ].join('\n');
  const subject = `The destination ${destination} is suspended`;
  const { outcome } = await submit({ to: [email], subject, text, id: `${id}.${Date.now()}` }, settings);
  return outcome.kind === 'delivered';
}

/** Submits one e-mail with one copy for all recipients. */
async function submit({ to, subject, text, id }: Mail, { mail, timeoutMs }: MailClientSettings): Promise<MailResult> {
  if (mail === null) return { outcome: { kind: 'suspend', reason: 'destination', code: 'mail_off' }, status: null };
  // Loaded with the first message, as most installations send no e-mail.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: mail.url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { rejected } = await transport.sendMail({
      from: mail.from,
      to: [...to],
      subject: subject.slice(0, SUBJECT_MAX),
      text,
      messageId: `<${id}@strata>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.timeout(STEPS_MAX * timeoutMs),
    });
    // The other recipients have the message, so it is not sent again.
    return { outcome: { kind: 'delivered', ts: '' }, status: rejected.length === 0 ? 250 : 550 };
  } catch (error) {
    return classifyMailError(error as MailError);
  } finally {
    transport.close();
  }
}

function mailText({ title, lines, hidden, facts }: Summary): string {
  return [
    title,
    '',
    ...lines.map((line) => `- ${line}`),
    ...(hidden > 0 ? [`…and ${hidden} more`] : []),
    ...(lines.length > 0 ? [''] : []),
    ...facts.map(([label, text]) => `${label}: ${text}`),
    '',
  ].join('\n');
}

function classifyMailError({ code, responseCode }: MailError): MailResult {
  const status = responseCode ?? null;
  switch (code) {
    case 'EDNS':
      return { outcome: { kind: 'retry', reason: 'name_not_found' }, status: null };
    case 'ETIMEDOUT':
    case 'EABORT':
      return { outcome: { kind: 'retry', reason: 'timeout' }, status: null };
    case 'ECONNECTION':
    case 'ESOCKET':
      return { outcome: { kind: 'retry', reason: 'connection_refused' }, status: null };
    case 'ETLS':
      return { outcome: { kind: 'retry', reason: 'tls_failed' }, status: null };
    // All recipients or the message were rejected for good.
    case 'EENVELOPE':
    case 'EMESSAGE': {
      const isFinal = status !== null && status >= 500;
      const outcome: DeliveryOutcome = isFinal
        ? { kind: 'suspend', reason: 'destination', code: 'mail_rejected' }
        : { kind: 'retry', reason: 'mail_failed' };
      return { outcome, status };
    }
    default:
      return { outcome: { kind: 'retry', reason: 'mail_failed' }, status };
  }
}
