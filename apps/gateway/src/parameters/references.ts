import type { Told } from '../graphql/shape.ts';

const linked = (noun: 'Project' | 'Parameter' | 'Template' | 'Value', rest: string): Told => {
  const nouns = `${noun.toLowerCase()}s`;
  return { about: `Ids of the ${nouns} that ${rest}.`, to: [noun, `The ${nouns} that ${rest}.`] };
};

/** What a text with placeholders refers to. */
export const references = (subject: string) => ({
  referenced_projects: linked('Project', `${subject} refers to`),
  referenced_parameters: linked('Parameter', `${subject} refers to`),
  referenced_templates: linked('Template', `${subject} refers to`),
});

/** What refers to an object. */
export const referencing = {
  referencing_templates: linked('Template', 'refer to it'),
  referencing_values: linked('Value', 'refer to it'),
};
