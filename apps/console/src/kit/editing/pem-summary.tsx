import { KeyRound, ShieldCheck, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { describeExpiry } from '../../lib/expiry-descriptions.ts';
import { isPrivateKey, type PemBlock, pemKind } from '../../lib/pem-text.ts';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { useNow } from '../../ui/use-now.ts';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { parseCertificate } from './certificates.ts';
import styles from './pem-summary.module.css';

interface PemSummaryProps {
  readonly blocks: readonly PemBlock[];
  readonly isSecret: boolean;
}

/** Summarizes the certificates of a text, read in the browser. Nothing but the kind of a private key is shown. */
export function PemSummary({ blocks, isSecret }: PemSummaryProps) {
  return (
    <ScrollArea label="Summary" className={styles.summary}>
      <ol>
        {blocks.map((block, at) => (
          <li key={at} className={styles.block}>
            {block.label === 'CERTIFICATE' ? (
              <CertificateFacts base64={block.base64} />
            ) : (
              <h3>
                <KeyRound size={14} aria-hidden /> {pemKind(block)}
              </h3>
            )}
            {isPrivateKey(block) && !isSecret && (
              <p className={styles.wrong}>
                <TriangleAlert size={13} aria-hidden /> This parameter is not secret, so everyone who can read it sees
                the key.
              </p>
            )}
          </li>
        ))}
      </ol>
    </ScrollArea>
  );
}

function CertificateFacts({ base64 }: Pick<PemBlock, 'base64'>) {
  const now = useNow();
  const certificate = useMemo(() => parseCertificate(base64), [base64]);
  if (!certificate) return <p className={styles.wrong}>This certificate can’t be read. It may be incomplete.</p>;
  const { subject, issuer, validFrom, validUntil, names, isAuthority } = certificate;
  const { description, isValid } = describeExpiry(Date.parse(validFrom), Date.parse(validUntil), now);
  return (
    <>
      <h3>
        <ShieldCheck size={14} aria-hidden /> {isAuthority ? 'Certificate of an authority' : 'Certificate'}
      </h3>
      <p className={isValid ? styles.valid : styles.wrong}>{description}</p>
      <dl>
        <dt>Subject</dt>
        <dd>
          <UserText>{subject || 'none'}</UserText>
        </dd>
        <dt>Issuer</dt>
        <dd>
          <UserText>{subject === issuer ? `${issuer} (self-signed)` : issuer}</UserText>
        </dd>
        <dt>Valid from</dt>
        <dd>
          <When at={validFrom} as="date" />
        </dd>
        <dt>Valid until</dt>
        <dd>
          <When at={validUntil} as="date" />
        </dd>
        {names.length > 0 && (
          <>
            <dt>Names</dt>
            <dd>
              <UserText>{names.join(', ')}</UserText>
            </dd>
          </>
        )}
      </dl>
    </>
  );
}
