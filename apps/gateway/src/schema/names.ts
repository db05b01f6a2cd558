/** `created_at` → `createdAt`; `name__icontains` → `nameIcontains`. */
export function toCamelCase(word: string): string {
  return word.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

export function uncapitalize(word: string): string {
  return word.slice(0, 1).toLowerCase() + word.slice(1);
}

/** The name of the id in a link: `depends_on` → `dependsOnId`, `dependents` → `dependentIds`. */
export function idFieldName(key: string, list: boolean): string {
  return list ? `${toCamelCase(key).replace(/s$/, '')}Ids` : `${toCamelCase(key)}Id`;
}

/**
 * Returns the description of a link's id from that of the linked object: "The environment …" → "Id of the environment
 * …".
 */
export function describeLinkId(description: string, list: boolean): string {
  return `${list ? 'Ids' : 'Id'} of ${uncapitalize(description)}`;
}

/** `ParameterType` → "parameter type". */
export function splitWords(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

export function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
