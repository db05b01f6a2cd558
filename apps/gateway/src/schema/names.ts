/** `created_at` → `createdAt`; `name__icontains` → `nameIcontains`. */
export function camel(word: string): string {
  return word.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

export function uncapitalized(word: string): string {
  return word.slice(0, 1).toLowerCase() + word.slice(1);
}

/** The name of the id in a link: `depends_on` → `dependsOnId`, `dependents` → `dependentIds`. */
export function idFieldName(key: string, list: boolean): string {
  return list ? `${camel(key).replace(/s$/, '')}Ids` : `${camel(key)}Id`;
}

/**
 * Returns the description of a link's id from that of the linked object: "The environment …" → "Id of the environment
 * …".
 */
export function describeLinkId(about: string, list: boolean): string {
  return `${list ? 'Ids' : 'Id'} of ${uncapitalized(about)}`;
}

/** `ParameterType` → "parameter type". */
export function separateWords(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

export function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
