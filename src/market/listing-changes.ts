import type { Decimal } from '../domain/numbers/decimal.ts'

/** A changed rule, as text; `undefined` if the exchange omits it. */
export interface RuleChange {
  readonly rule: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Change of a listed symbol. */
export type ListingChange =
  | { readonly type: 'listed' }
  | { readonly type: 'delisted' }
  | { readonly type: 'rulesChanged'; readonly rules: readonly RuleChange[] }

/** Rules of one symbol or contract by name: precisions, limits, fees, status. */
export type Rules = Readonly<Record<string, string | undefined>>

/** Listed rules, by symbol. */
export type Listings = ReadonlyMap<string, Rules>

type Value = Decimal | number | string | boolean | undefined

/** Fields of a listed symbol as comparable text; equal numbers give equal text, whatever their notation. */
export function listedRulesOf(listed: object): Rules {
  const entries: [string, Value][] = Object.entries(listed)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === undefined ? undefined : value.toString()]),
  )
}

/** The part of `listings` with the symbols and rules of `named`. */
export function sameRulesOf(listings: Listings, named: Listings): Listings {
  return new Map(
    [...named].flatMap(([symbol, rules]) => {
      const listed = listings.get(symbol)
      if (listed === undefined) return []
      return [[symbol, Object.fromEntries(Object.keys(rules).map(rule => [rule, listed[rule]]))] as const]
    }),
  )
}

/** Differences between two lists, in the order of the later one; delisted symbols come last. */
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
