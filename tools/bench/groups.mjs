/** The groups of rows in the order of measurement. `--only` selects some of them. */
export const GROUPS = ['start', 'reads', 'lists', 'graphql', 'writes', 'mixed', 'subscribers'];
