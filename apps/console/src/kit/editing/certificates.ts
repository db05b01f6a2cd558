import { AsnConvert } from '@peculiar/asn1-schema';
import {
  BasicConstraints,
  Certificate,
  type GeneralName,
  id_ce_basicConstraints,
  id_ce_subjectAltName,
  type Name,
  SubjectAlternativeName,
} from '@peculiar/asn1-x509';

/** The contents of a certificate, for people. */
export interface CertificateSummary {
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: string;
  readonly validUntil: string;
  /** The names of hosts and others for which it is valid. */
  readonly names: readonly string[];
  /** Whether it may sign other certificates. */
  readonly isAuthority: boolean;
}

/** Reads an encoded certificate; null if it cannot be read. */
export function parseCertificate(base64: string): CertificateSummary | null {
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const { tbsCertificate } = AsnConvert.parse(bytes, Certificate);
    const { subject, issuer, validity, extensions = [] } = tbsCertificate;
    const extension = (id: string) => extensions.find(({ extnID }) => extnID === id)?.extnValue;
    const [names, constraints] = [extension(id_ce_subjectAltName), extension(id_ce_basicConstraints)];
    return {
      subject: formatName(subject),
      issuer: formatName(issuer),
      validFrom: validity.notBefore.getTime().toISOString(),
      validUntil: validity.notAfter.getTime().toISOString(),
      names: names ? AsnConvert.parse(names.buffer, SubjectAlternativeName).flatMap(alternativeName) : [],
      isAuthority: constraints ? AsnConvert.parse(constraints.buffer, BasicConstraints).cA : false,
    };
  } catch {
    return null;
  }
}

const ATTRIBUTES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
};

const formatName = (name: Name): string =>
  name.flatMap((part) => part.map(({ type, value }) => `${ATTRIBUTES[type] ?? type}=${value.toString()}`)).join(', ');

function alternativeName(name: GeneralName): readonly string[] {
  const { dNSName, iPAddress, rfc822Name, uniformResourceIdentifier } = name;
  return [dNSName, iPAddress, rfc822Name, uniformResourceIdentifier].filter((text) => text !== undefined);
}
