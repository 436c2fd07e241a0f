import { UsageError } from '../../domain/sluice-error.ts'
import {
  type DepthSubscription,
  type KlineSubscription,
  type MarketSubscription,
  streamOf,
} from '../market-subscription.ts'

type Paced = Exclude<MarketSubscription, KlineSubscription>
/** A subscription with its defaults filled in. */
export type SharedStream = KlineSubscription | (Paced & { readonly slowestMs: number })

/** Default of `slowestMs`, in multiples of `everyMs`. */
const SLOWEST_FACTOR = 10

/**
 * Merges subscriptions into one per stream, in the order of their first appearance, with the shortest period
 * and the most levels. Throws `UsageError` for an impossible period or depth.
 */
export function sharedStreams(subscriptions: readonly MarketSubscription[]): readonly SharedStream[] {
  const streams = new Map<string, SharedStream>()
  for (const subscription of subscriptions) {
    const name = streamOf(subscription)
    const given = complete(subscription, name)
    const known = streams.get(name)
    streams.set(name, known === undefined ? given : shared(known, given))
  }
  return [...streams.values()]
}

function complete(subscription: MarketSubscription, name: string): SharedStream {
  if (subscription.type === 'klines') return subscription
  const { everyMs, slowestMs = everyMs * SLOWEST_FACTOR } = subscription
  positive(name, 'everyMs', everyMs)
  positive(name, 'slowestMs', slowestMs)
  if (subscription.type === 'depth') checkLevels(name, subscription)
  return { ...subscription, slowestMs: Math.max(everyMs, slowestMs) }
}

function positive(stream: string, name: string, value: number): void {
  if (value > 0 && Number.isFinite(value)) return
  throw new UsageError(`The ${name} of ${stream} is ${value}; give a number of ms above 0.`)
}

function checkLevels(stream: string, { levels }: DepthSubscription): void {
  if (Number.isInteger(levels) && levels >= 1 && levels <= 100) return
  throw new UsageError(`The levels of ${stream} are ${levels}; give a whole number from 1 to 100.`)
}

/** Both belong to one stream, hence have one type. */
function shared(known: SharedStream, given: SharedStream): SharedStream {
  if (known.type === 'klines' || given.type === 'klines') {
    return known.type === 'klines' && given.type === 'klines' ? earlier(known, given) : known
  }
  const pace = {
    everyMs: Math.min(known.everyMs, given.everyMs),
    slowestMs: Math.min(known.slowestMs, given.slowestMs),
  }
  if (known.type === 'depth' && given.type === 'depth') {
    return { ...known, ...pace, levels: Math.max(known.levels, given.levels) }
  }
  return { ...known, ...pace }
}

function earlier(known: KlineSubscription, given: KlineSubscription): KlineSubscription {
  if (given.after === undefined) return known
  if (known.after === undefined) return given
  return given.after < known.after ? given : known
}
