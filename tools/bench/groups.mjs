/** Groups of rows, in the order in which they are measured: what `--only` may name. */
export const GROUPS = ['start', 'reads', 'lists', 'graphql', 'writes', 'subscribers'];
