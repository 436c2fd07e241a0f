import { isRecord } from '../../domain/is-record.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { Indicators } from '../feeds/feed-indicator.ts'
import type { Feeds } from '../feeds/feeds.ts'
import { type Fields, shown } from '../given-fields.ts'
import type { AnyDefinition } from '../strategy-definition.ts'
import { feedProblem } from './feed-check.ts'

/** Declarations of every strategy, of handlers or of streams. */
export const DECLARED_PARTS: readonly string[] = [
  'name',
  'description',
  'parameters',
  'check',
  'markets',
  'feeds',
  'timers',
  'indicators',
  'warmUp',
]

/** Parts of a strategy of handlers. */
const PARTS = [
  ...DECLARED_PARTS,
  ...['state', 'history', 'onStart', 'onKline', 'on', 'onFill', 'onOrder', 'onStop'],
]

/** Parts that are functions, each as it is written. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  check: "check: ({ fast, slow }) => (fast < slow ? undefined : 'fast must be below slow')",
  feeds: "feeds: () => ({ hourly: klines({ interval: '1h' }) })",
  indicators: 'indicators: () => ({ average: sma(20) })',
  warmUp: 'warmUp: () => 20',
  onStart: 'onStart(context) { … }',
  onKline: 'onKline(kline, context) { … }',
  onFill: 'onFill(fill, context) { … }',
  onOrder: 'onOrder(order, context) { … }',
  onStop: 'onStop(context) { … }',
}

/** Throws `UsageError` for a part that must be a function and is something else. */
function requireFunctions(name: string, definition: object): void {
  for (const [part, given] of Object.entries(definition)) {
    const written = FUNCTIONS[part]
    if (written === undefined || given === undefined || typeof given === 'function') continue
    throw new UsageError(
      `${part} of strategy "${name}" is ${shown(given)}, but must be a function: ${written}.`,
    )
  }
}

/** Throws `UsageError` for an unknown part of a definition; `who` begins the sentence. */
export function requireKnownParts(who: string, definition: object, parts: readonly string[]): void {
  const unknown = Object.keys(definition).find(key => !parts.includes(key))
  if (unknown === undefined) return
  throw new UsageError(`${who} has no part "${unknown}".${suggestion(unknown, parts)}`)
}

/**
 * Throws `UsageError` for a definition without a name, or with an unknown key: a misspelt handler would never
 * be called.
 */
export function requireDefinition(definition: AnyDefinition): void {
  const { name, markets = [] } = definition
  // Types do not guarantee it: a strategy file is not type-checked before it runs.
  if (typeof name !== 'string' || name === '') {
    throw new UsageError("A strategy needs a name: defineStrategy({ name: 'my-strategy', … }).")
  }
  requireKnownParts(`Strategy "${name}"`, definition, PARTS)
  requireFunctions(name, definition)
  if (!Array.isArray(markets) || markets.some(role => typeof role !== 'string' || !/^\w+$/.test(role))) {
    throw new UsageError(
      `The markets of strategy "${name}" are ${shown(markets)}, but must be a list of roles, such as ['hedge']; the configuration assigns their instruments.`,
    )
  }
  for (const [timer, given] of Object.entries(timersOf(definition))) {
    if (isRecord(given) && given.type === 'timer') continue
    throw new UsageError(`The timer "${timer}" of strategy "${name}" is ${shown(given)}; write every('1d').`)
  }
}

/** Throws `UsageError` for invalid feeds, and for handlers that belong to no feed or timer. */
export function requireFeeds(definition: AnyDefinition, feeds: Feeds): void {
  const { name, markets = [], on = {} } = definition
  const timers = timersOf(definition)
  for (const [feed, given] of Object.entries(feeds)) {
    const problem = feedProblem(given, markets)
    if (problem !== undefined) throw new UsageError(`The feed "${feed}" of strategy "${name}" ${problem}`)
    if (feed in timers)
      throw new UsageError(`Strategy "${name}" has a feed and a timer of the name "${feed}"; rename one.`)
  }
  const names = [...Object.keys(feeds), ...Object.keys(timers)]
  const unknown = Object.keys(on).find(key => !names.includes(key))
  if (unknown === undefined) return
  throw new UsageError(
    `Strategy "${name}" has a handler on.${unknown}, but neither a feed nor a timer of that name.${suggestion(unknown, names)}`,
  )
}

/** Throws `UsageError` for an invalid indicator, or one of an unknown feed. */
export function requireIndicators(
  strategy: string,
  indicators: unknown,
  feeds: Feeds,
): asserts indicators is Indicators {
  for (const [name, given] of Object.entries(indicators ?? {})) {
    const indicator = isRecord(given) && 'feed' in given ? given.indicator : given
    if (!isRecord(indicator) || !('update' in indicator)) {
      throw new UsageError(
        `The indicator "${name}" of strategy "${strategy}" is ${String(indicator)}, but must be what sma, ema, rsi, … or plugIn returns.`,
      )
    }
    // This method once received klines ahead of time: values computed in it would no longer change.
    if ('announce' in indicator)
      throw new UsageError(
        `The indicator "${name}" of strategy "${strategy}" has a method announce, but no indicator gets klines ahead of time; compute in update, and leave it out.`,
      )
    if (indicator === given) continue
    requireKlineFeed(strategy, name, String(given.feed), feeds)
  }
}

/** Throws `UsageError` for an invalid number of klines; `what` is "a warm-up". */
export function requireCount(strategy: string, what: string, count: number): void {
  if (Number.isInteger(count) && count >= 0) return
  throw new UsageError(
    `Strategy "${strategy}" has ${what} of ${count}, but must have a whole number of klines, 0 or more.`,
  )
}

function requireKlineFeed(strategy: string, indicator: string, feed: string, feeds: Feeds): void {
  const of = `The indicator "${indicator}" of strategy "${strategy}" is of the feed "${feed}"`
  const names = Object.keys(feeds).filter(name => feeds[name]?.type === 'klines')
  const type = feeds[feed]?.type
  if (type === 'klines') return
  throw new UsageError(
    type === undefined
      ? `${of}, which it does not have.${suggestion(feed, names)}`
      : `${of}, which shows ${type}, but indicators follow klines.`,
  )
}

function timersOf({ timers }: AnyDefinition): Fields {
  return isRecord(timers) ? timers : {}
}
