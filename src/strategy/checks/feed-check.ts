import { isRecord } from '../../domain/is-record.ts'
import { INTERVALS } from '../../domain/market-data/interval.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import type { Feed } from '../feeds/feeds.ts'
import { type Fields, isPositive, shown } from '../given-fields.ts'

/** Allowed fields of each kind of feed. */
const FIELDS: Readonly<Record<Feed['type'], readonly string[]>> = {
  klines: ['market', 'interval'],
  ticker: ['market', 'everyMs'],
  depth: ['market', 'levels', 'everyMs'],
  trades: ['market', 'everyMs'],
  indexPrice: ['market', 'everyMs'],
  funding: ['market'],
}

/** Problem of an invalid feed, as the rest of a sentence about it; `undefined` for a valid one. */
export function feedProblem(feed: unknown, roles: readonly string[]): string | undefined {
  if (!isRecord(feed) || typeof feed.type !== 'string' || !Object.hasOwn(FIELDS, feed.type)) {
    return `is ${shown(feed)}, but must be what klines, ticker, depth, trades, indexPrice or funding returns.`
  }
  const { type, ...given } = feed
  const fields = FIELDS[type as Feed['type']] // one of them, as seen above
  const unknown = Object.keys(given).find(name => !fields.includes(name))
  if (unknown !== undefined) return `has no field "${unknown}".${suggestion(unknown, fields)}`
  return marketProblem(given, roles) ?? valueProblem(given, fields)
}

function marketProblem({ market }: Fields, roles: readonly string[]): string | undefined {
  if (market === undefined || roles.some(role => role === market)) return undefined
  const hint =
    roles.length === 0 ? ` Declare it: markets: ['${String(market)}'].` : suggestion(String(market), roles)
  return `is of the market ${shown(market)}, which is none of its roles.${hint}`
}

function valueProblem({ interval, levels, everyMs }: Fields, fields: readonly string[]): string | undefined {
  if (interval !== undefined && !INTERVALS.some(known => known === interval))
    return `has the interval ${shown(interval)}, but must have one of ${INTERVALS.join(', ')}.`
  if (fields.includes('everyMs') && !isPositive(everyMs))
    return `has an everyMs of ${shown(everyMs)}, but must have a number of ms above 0.`
  const hasLevels = Number.isInteger(levels) && Number(levels) >= 1 && Number(levels) <= 100
  return !fields.includes('levels') || hasLevels
    ? undefined
    : `has ${shown(levels)} levels, but must have a whole number from 1 to 100.`
}
