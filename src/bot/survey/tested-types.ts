import { Decimal } from '../../domain/numbers/decimal.ts'
import type { LosslessJson } from '../../exchange/wire/lossless-json.ts'
import type { Version } from './asked-paths.ts'
import { exists } from './call-outcome.ts'
import type { HostReply } from './host-reply.ts'
import { entriesIn } from './json-entries.ts'
import type { KeyedCalls } from './keyed-calls.ts'
import type { HostListing } from './listing.ts'
import type { CallTried } from './tried-calls.ts'

const TYPES = ['LIMIT', 'MARKET', 'IOC', 'FOK', 'POST_ONLY', 'STOP'] as const

/** Order type by its wire name. */
export type TestedType = (typeof TYPES)[number]

/** Order types that the test of orders takes and refuses; both empty where there is no such test. */
export interface TestedTypes {
  /** Version of the call; `undefined` where there is no such test. */
  readonly version: Version | undefined
  readonly taken: readonly TestedType[]
  readonly refused: readonly TestedType[]
}

/** Codes that refuse an order for its type. */
const ABOUT_THE_TYPE: ReadonlySet<number | undefined> = new Set([-1014, -1020, -1116])
/** Price of the test order, as a part of the last price: far below the market. */
const PRICE_RATE = '0.8'
const LEAST_NOTIONAL = '20'

/** Has a spot host examine a small order of each type; none of them is placed. */
export async function testedTypes(
  key: KeyedCalls,
  tried: readonly CallTried[],
  listing: HostListing,
): Promise<TestedTypes> {
  const nothing = { version: undefined, taken: [], refused: [] }
  const order = orderOf(tried, listing)
  const orders = tried.find(({ row, outcome }) => row.key === 'spotOpenOrders' && exists(outcome))
  if (key.verdict !== undefined || order === undefined || orders === undefined) return nothing
  const results: { type: TestedType; reply: HostReply }[] = []
  for (const type of TYPES)
    results.push({
      type,
      reply: await key.testOrder(orders.version, { ...order, ...fieldsOf(type, order.price) }),
    })
  const isThere = ({ reply }: { reply: HostReply }) =>
    reply.kind === 'answer' || (reply.kind === 'refusal' && ![undefined, -1002].includes(reply.code))
  if (!results.some(isThere)) return nothing
  const isRefused = ({ reply }: { reply: HostReply }) =>
    reply.kind === 'refusal' && ABOUT_THE_TYPE.has(reply.code)
  const typesOf = (some: typeof results) => some.map(({ type }) => type)
  return {
    version: orders.version,
    taken: typesOf(results.filter(result => isThere(result) && !isRefused(result))),
    refused: typesOf(results.filter(isRefused)),
  }
}

function fieldsOf(type: TestedType, price: string): Readonly<Record<string, string>> {
  if (type === 'MARKET') return { type, price: '' }
  return type === 'STOP' ? { type, triggerPrice: price } : { type }
}

interface SmallOrder {
  readonly symbol: string
  readonly side: 'BUY'
  readonly volume: string
  readonly price: string
}

/** A small bid far below the market; `undefined` where price or precisions are unknown. */
function orderOf(tried: readonly CallTried[], { sample, entry }: HostListing): SmallOrder | undefined {
  const ticker = tried.find(({ row, outcome }) => row.key === 'spotTicker' && outcome === 'answered')?.reply
  const [told] = ticker?.kind === 'answer' ? entriesIn(ticker.json) : []
  const [last, pricePrecision, quantityPrecision] = [
    told?.last,
    entry?.pricePrecision,
    entry?.quantityPrecision,
  ].map(numberIn)
  if (!last?.isPositive() || !pricePrecision || !quantityPrecision || sample.symbol === undefined)
    return undefined
  const price = last.times(PRICE_RATE).toDecimalPlaces(pricePrecision.toNumber(), Decimal.ROUND_DOWN)
  const notional = Decimal.max(LEAST_NOTIONAL, numberIn(entry?.limitAmountMin)?.times(2) ?? 0)
  const least = numberIn(entry?.limitVolumeMin) ?? 0
  if (price.isZero()) return undefined
  const volume = Decimal.max(notional.div(price), least).toDecimalPlaces(
    quantityPrecision.toNumber(),
    Decimal.ROUND_UP,
  )
  return { symbol: sample.symbol, side: 'BUY', volume: volume.toFixed(), price: price.toFixed() }
}

function numberIn(value: LosslessJson | undefined): Decimal | undefined {
  if (typeof value !== 'string' || !/^\d+(\.\d+)?$/.test(value)) return undefined
  return new Decimal(value)
}
