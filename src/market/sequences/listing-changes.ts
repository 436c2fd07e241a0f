import type { Decimal } from '../../domain/numbers/decimal.ts'

/** A rule that changed, as text; `undefined` where the exchange does not say. */
export interface RuleChange {
  readonly rule: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** What happened to something that a market lists. */
export type ListingChange =
  | { readonly type: 'listed' }
  | { readonly type: 'delisted' }
  | { readonly type: 'rulesChanged'; readonly rules: readonly RuleChange[] }

/** The rules of one symbol or contract by their names: precisions, limits, fees, status. */
export type Rules = Readonly<Record<string, string | undefined>>

/** What is listed, by symbol. */
export type Listings = ReadonlyMap<string, Rules>

type Value = Decimal | number | string | boolean | undefined

/** Makes comparable text of the fields of what the exchange lists; the same number is the same text, however it was written. */
export function rulesOf(listed: object): Rules {
  const entries: [string, Value][] = Object.entries(listed)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === undefined ? undefined : value.toString()]),
  )
}

/** Of a list only the symbols and rules that another one names. */
export function sameRulesOf(listings: Listings, named: Listings): Listings {
  return new Map(
    [...named].flatMap(([symbol, rules]) => {
      const listed = listings.get(symbol)
      if (listed === undefined) return []
      return [[symbol, Object.fromEntries(Object.keys(rules).map(rule => [rule, listed[rule]]))] as const]
    }),
  )
}

/** What differs between two readings of a list, in the order of the later one; what is gone comes last. */
export function listingChanges(
  before: Listings,
  after: Listings,
): readonly { readonly symbol: string; readonly change: ListingChange }[] {
  const changed = [...after].map(([symbol, rules]) => ({
    symbol,
    change: changeOf(before.get(symbol), rules),
  }))
  const gone = [...before.keys()].filter(symbol => !after.has(symbol))
  return [
    ...changed.filter(({ change }) => change.type !== 'rulesChanged' || change.rules.length > 0),
    ...gone.map(symbol => ({ symbol, change: { type: 'delisted' } as const })),
  ]
}

function changeOf(before: Rules | undefined, after: Rules): ListingChange {
  return before === undefined
    ? { type: 'listed' }
    : { type: 'rulesChanged', rules: changedRules(before, after) }
}

function changedRules(before: Rules, after: Rules): readonly RuleChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names]
    .filter(rule => before[rule] !== after[rule])
    .map(rule => ({ rule, before: before[rule], after: after[rule] }))
}
