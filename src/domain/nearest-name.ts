import { closest, distance } from 'fastest-levenshtein'

/** Shorter beginnings of a name say too little about it. */
const LEAST_BEGINNING = 3

/**
 * The known name that was probably meant: one that a letter tells apart, the only one that begins so, or the most similar one;
 * `undefined` if half of every name differs, or more than half where one begins the other or both have the same letters.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const given = name.toLowerCase()
  const candidates = known.map(candidate => candidate.toLowerCase())
  const nearest = closest(given, candidates)
  const apart = distance(given, nearest)
  const begun = given.length < LEAST_BEGINNING ? [] : candidates.filter(one => one.startsWith(given))
  const [only] = begun
  if (apart > 1 && begun.length === 1 && only !== undefined) return known[candidates.indexOf(only)]
  const most = isRelated(given, nearest) ? Math.ceil(given.length / 2) : Math.ceil(given.length / 2) - 1
  return apart <= most ? known[candidates.indexOf(nearest)] : undefined
}

/** True if one name begins the other, or both have the same letters. */
function isRelated(name: string, other: string): boolean {
  return name.startsWith(other) || other.startsWith(name) || lettersOf(name) === lettersOf(other)
}

function lettersOf(name: string): string {
  return [...name].toSorted().join('')
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
