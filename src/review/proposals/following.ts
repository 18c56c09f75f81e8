/** The other reviews, beginning with the one after. */
export function following<R>(reviews: readonly R[], review: R): R[] {
  const at = reviews.indexOf(review);
  return [...reviews.slice(at + 1), ...reviews.slice(0, Math.max(0, at))];
}
