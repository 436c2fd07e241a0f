import { UsageError } from '../../domain/sluice-error.ts'

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
/** Longer names do not fit tables and file names. */
const MAX_LENGTH = 40
/** File names that do not describe their content, which the tests of the project refuse. */
const VAGUE = /^(utils?|helpers?|common|types|managers?|services?|index)$/

/** Throws `UsageError` for a name that a strategy of the project cannot have, with the nearest valid one. */
export function requireStrategyName(name: string): void {
  if (isStrategyName(name)) return
  const nearest = nearestValid(name)
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  throw new UsageError(
    `"${name}" cannot be the name of a strategy: use up to ${MAX_LENGTH} small letters and digits in words with a dash between them, such as rsi-dip.${hint}`,
  )
}

function isStrategyName(name: string): boolean {
  return NAME.test(name) && name.length <= MAX_LENGTH && !VAGUE.test(name)
}

function nearestValid(name: string): string | undefined {
  const words = name
    .replace(/^.*[\\/]/, '')
    .replace(/\.[cm]?[jt]s$/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
  const joined = words.join('-')
  const begun = /^[a-z]/.test(joined) && !VAGUE.test(joined) ? joined : `my-${joined}`
  const nearest = begun.slice(0, MAX_LENGTH).replace(/-$/, '')
  return words.length > 0 && isStrategyName(nearest) ? nearest : undefined
}
