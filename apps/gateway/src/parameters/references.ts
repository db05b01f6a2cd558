import type { MemberOverrides } from '../schema/object-type.ts';

/** The objects that a text with placeholders refers to. */
export const REFERENCES = {
  referenced_projects: { to: 'Project' },
  referenced_parameters: { to: 'Parameter' },
  referenced_templates: { to: 'Template' },
} as const satisfies Readonly<Record<string, MemberOverrides>>;

/** The objects that refer to an object. */
export const REFERRERS = {
  referencing_templates: { to: 'Template', kind: { is: 'link' } },
  referencing_values: { to: 'Value', kind: { is: 'link' } },
} as const satisfies Readonly<Record<string, MemberOverrides>>;
