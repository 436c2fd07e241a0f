import { closest, distance } from 'fastest-levenshtein'

/** The most similar known name, or `undefined` if more than half of every name differs. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const nearest = closest(name.toLowerCase(), known.map(candidate => candidate.toLowerCase()) as string[])
  const index = known.findIndex(candidate => candidate.toLowerCase() === nearest)
  return distance(name.toLowerCase(), nearest) <= Math.ceil(name.length / 2) ? known[index] : undefined
}

/** The known names that differ from a name about as little as the most similar one, that first; at most `most`. */
export function nearNames(name: string, known: readonly string[], most = 3): readonly string[] {
  const nearest = nearestName(name, known)
  if (nearest === undefined) return []
  const apart = (other: string) => distance(name.toLowerCase(), other.toLowerCase())
  const bound = apart(nearest) + 1
  const others = known.filter(other => other !== nearest && apart(other) <= bound)
  return [nearest, ...others.toSorted((left, right) => apart(left) - apart(right))].slice(0, most)
}

/** ` Did you mean "x"?`, or a list of the known names, as the end of a message about an unknown name. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? ` Known: ${known.join(', ')}.` : ` Did you mean "${nearest}"?`
}
