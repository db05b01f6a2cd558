import { yamlDocument } from '@strata/domain';
import { invalidInputError } from '../core/errors.ts';

interface KubernetesValue {
  readonly value: string | null;
  readonly secret: boolean;
}

const KEY = /^[-._a-zA-Z0-9]{1,253}$/;
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** Returns the manifests of a ConfigMap, and of a Secret if there are secrets. Explicit nulls are left out. */
export function kubernetesManifests(
  values: Readonly<Record<string, KubernetesValue>>,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
): string {
  for (const [option, label] of Object.entries({ name, namespace }))
    if (label !== undefined && !NAME.test(label))
      throw invalidInputError(
        `--${option} is not a name for Kubernetes.`,
        'Use lowercase letters, digits, "-" and ".".',
      );
  const entries = Object.entries(values).filter(([, { value }]) => value !== null);
  const malformedEntry = entries.find(([key]) => !KEY.test(key));
  if (malformedEntry)
    throw invalidInputError(
      `"${malformedEntry[0]}" cannot be a key of a ConfigMap or a Secret.`,
      'Rename it, or use a template.',
    );
  const data = (secret: boolean) =>
    Object.fromEntries(entries.filter(([, entry]) => entry.secret === secret).map(([key, { value }]) => [key, value]));
  const manifest = (kind: string, content: object) => ({
    ...{ apiVersion: 'v1', kind, metadata: { name, ...(namespace && { namespace }) } },
    ...content,
  });
  const secrets = data(true);
  const manifests = [
    manifest('ConfigMap', { data: data(false) }),
    ...(Object.keys(secrets).length > 0 ? [manifest('Secret', { type: 'Opaque', stringData: secrets })] : []),
  ];
  return manifests.map(yamlDocument).join('---\n');
}
