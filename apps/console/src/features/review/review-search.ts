/** The search parameters of the review page. */
export interface ReviewSearch {
  /** How effects are grouped; by edit if absent. */
  readonly by?: 'environment' | undefined;
}

export const parseReviewSearch = ({ by }: Readonly<Record<string, unknown>>): ReviewSearch => ({
  by: by === 'environment' ? by : undefined,
});
