import { nearNames } from '../../domain/nearest-name.ts'
import { UsageError } from '../../domain/sluice-error.ts'

/** Names that a sentence tells where none is near. */
const MOST_NAMED = 10

/** A symbol that the exchange does not list. */
export class UnlistedSymbolError extends UsageError {
  /** `what` is the symbol as the exchange would name it, `names` are those that it lists. */
  constructor(what: string, name: string, names: readonly string[]) {
    super(`The exchange does not list ${what}. ${listedText(name, names)}`)
  }
}

/** The listed names that a wrong one may have meant, in a sentence. */
export function listedText(name: string, names: readonly string[]): string {
  if (names.length === 0) return 'Its list is empty.'
  const near = nearNames(bare(name), names.map(bare)).flatMap(one =>
    names.filter(listed => bare(listed) === one),
  )
  if (near.length > 0) return `Did you mean ${near.map(one => `"${one}"`).join(' or ')}?`
  const some = names.slice(0, MOST_NAMED).join(', ')
  return names.length > MOST_NAMED ? `It lists ${names.length}, such as ${some}.` : `It lists ${some}.`
}

/** A name without what exchanges write between its parts. */
function bare(name: string): string {
  return name.toUpperCase().replaceAll(/[/_-]/g, '')
}
