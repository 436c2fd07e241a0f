import { closest, distance } from 'fastest-levenshtein'

/** The most similar known name, or `undefined` if more than half of every name differs. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const nearest = closest(name.toLowerCase(), known.map(candidate => candidate.toLowerCase()) as string[])
  const index = known.findIndex(candidate => candidate.toLowerCase() === nearest)
  return distance(name.toLowerCase(), nearest) <= Math.ceil(name.length / 2) ? known[index] : undefined
}

/** ` Did you mean "x"?`, or a list of the known names, as the end of a message about an unknown name. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? ` Known: ${known.join(', ')}.` : ` Did you mean "${nearest}"?`
}
