import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import type { EngineOutput } from '../../../src/domain/events/engine-output.ts'
import { closeTimeOf, type Interval } from '../../../src/domain/market-data/interval.ts'
import type { Amount } from '../../../src/domain/numbers/amount.ts'
import type { QuotesSignal } from '../../../src/domain/signal.ts'
import type { TradesSeen } from '../../../src/execution/sent-requests.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { equityAt, type Fact, factsOf, type Marks, marksOf, type Worth } from './facts.ts'
import { isNews } from './news.ts'
import { HeldBack } from './orders/held-back.ts'
import { loneTargets, targetText } from './orders/lone-targets.ts'
import { type ToldExits, toldExitsAfter } from './positions/told-exits.ts'
import { WantedProtection } from './protection/wanted-protection.ts'

/** The klines that every strategy of the simulation decides on; longer ones are feeds. */
export const DECISION_INTERVAL: Interval = '1m'

/** What follows from everything that an engine took and decided, told from that alone. It never changes. */
export interface Past {
  /** The latest time of any event that may end what holds trading back, ms UTC. */
  readonly now: number
  readonly heldBack: HeldBack
  readonly protection: WantedProtection
  /** Orders that somebody has taken back, whatever became of that. */
  readonly canceled: ReadonlySet<string>
  readonly facts: readonly Fact[]
  readonly worth: Worth
  /** What was declared last, by strategy, symbol and name of the set. */
  readonly quotes: ReadonlyMap<string, QuotesSignal<string>>
  /** What the spot account held, by asset; empty where there is none, or where it is not known. */
  readonly spot: ReadonlyMap<string, Amount>
  /** The best price that each trailing stop has told, in ticks. */
  readonly trails: ReadonlyMap<string, number>
  /** The target that was declared last, with nothing having happened since but news of the market; by strategy and symbol. */
  readonly targets: ReadonlyMap<string, string>
  /** Up to which own trades were seen, by symbol. */
  readonly tradesSeen: ReadonlyMap<string, string>
  /** Positions that their strategies close in full at market, by book. */
  readonly exits: ToldExits
  /** When the klines that strategies decide on closed, ms UTC, by symbol. */
  readonly closes: ReadonlyMap<string, ReadonlySet<number>>
  /** Which of them an order was placed after that has a time to live: what is learnt late is decided on late. */
  readonly placedAfter: ReadonlyMap<string, ReadonlySet<number>>
}

/** Nothing has happened yet. */
export const NO_PAST: Past = {
  now: Number.NEGATIVE_INFINITY,
  heldBack: new HeldBack(),
  protection: new WantedProtection(),
  canceled: new Set(),
  facts: [],
  worth: { marks: new Map(), contractMarks: new Map(), equity: 0n },
  quotes: new Map(),
  spot: new Map(),
  trails: new Map(),
  targets: new Map(),
  tradesSeen: new Map(),
  exits: new Map(),
  closes: new Map(),
  placedAfter: new Map(),
}

/** The past after another event, and what the engine decided then; the ledger is as that left it. */
export function pastAfter(
  past: Past,
  event: EngineEvent,
  decisions: readonly EngineOutput[],
  ledger: Ledger,
): Past {
  const worth = { marks: marksOf(ledger), contractMarks: contractMarksAfter(past.worth.contractMarks, event) }
  const taken = decisions.flatMap(decision =>
    decision.type === 'cancelOrder' ? [decision.clientOrderId] : [],
  )
  const canceled = union(past.canceled, taken)
  const closes = closesAfter(past.closes, event)
  const now = Math.max(
    past.now,
    decisions.length === 0 ? timeOf(event) : (dataTimeOf(event) ?? timeOf(event)),
  )
  const counted = { time: now, interval: DECISION_INTERVAL }
  return {
    now,
    heldBack: past.heldBack.after(event),
    protection: past.protection.after(decisions, ledger, canceled),
    canceled,
    facts: [...past.facts, ...factsOf(event, decisions, ledger, past.worth)],
    worth: { ...worth, equity: equityAt(worth, ledger) },
    quotes: quotesAfter(past.quotes, decisions),
    spot: spotOf(ledger),
    trails: trailsAfter(past.trails, event),
    targets: targetsAfter(past.targets, event, decisions, ledger),
    tradesSeen: past.tradesSeen,
    closes,
    exits: toldExitsAfter(past.exits, event, decisions, ledger, counted),
    placedAfter: placedAfter(past.placedAfter, decisions, closes),
  }
}

/** Of a past that nobody has followed, what orders tell of themselves. */
export function pastOf(ledger: Ledger): Past {
  const requests = ledger.orders.remembered.map(({ request }) => request)
  const placed = requests.map(request => ({ type: 'placeOrder', request }) as const)
  return { ...NO_PAST, protection: NO_PAST.protection.after(placed, ledger) }
}

/** The past when a bot starts anew. */
export function pastAfterStart(past: Past, ledger: Ledger): Past {
  return { ...past, heldBack: past.heldBack.afterStart(), spot: spotOf(ledger), targets: new Map() }
}

/** The past once own trades were seen. */
export function pastAfterTrades(past: Past, { symbol, tradeId }: TradesSeen): Past {
  return { ...past, tradesSeen: new Map(past.tradesSeen).set(symbol, tradeId) }
}

function spotOf(ledger: Ledger): Past['spot'] {
  const isTraded = ledger.instruments.some(({ accountType }) => accountType === 'spot')
  return new Map(isTraded ? ledger.balances.in('spot').entries() : [])
}

function trailsAfter(trails: Past['trails'], event: EngineEvent): Past['trails'] {
  return event.type === 'trailingStopMoved' ? new Map(trails).set(event.clientOrderId, event.best) : trails
}

function targetsAfter(
  targets: Past['targets'],
  event: EngineEvent,
  decisions: readonly EngineOutput[],
  ledger: Ledger,
): Past['targets'] {
  const left = isNews(event) ? targets : new Map<string, string>()
  const signaled = decisions.flatMap(decision => (decision.type === 'signaled' ? [decision] : []))
  if (signaled.length === 0) return left
  const after = new Map(left)
  for (const { strategy, symbol } of signaled) after.delete(`${strategy} ${symbol}`)
  for (const { strategy, symbol, signal } of loneTargets(decisions))
    after.set(`${strategy} ${symbol}`, targetText(signal, ledger, symbol))
  return after
}

function contractMarksAfter(marks: Marks, event: EngineEvent): Marks {
  return event.type === 'markPriceSeen' ? new Map(marks).set(event.symbol, event.price) : marks
}

function union(known: ReadonlySet<string>, more: readonly string[]): ReadonlySet<string> {
  return more.length === 0 ? known : new Set([...known, ...more])
}

/** ms UTC. */
function timeOf(event: EngineEvent): number {
  switch (event.type) {
    case 'klineClosed':
      return closeTimeOf(event.kline.openTime, event.interval)
    case 'filled':
      return event.fill.time
    case 'liquidated':
    case 'orderUpdated':
    case 'tradingCommanded':
    case 'tradingRestored':
    case 'dataStale':
    case 'dataFresh':
    case 'klinesMissed':
    case 'clockMeasured':
    case 'spreadSeen':
    case 'pricesSeen':
    case 'instrumentStatusSeen':
    case 'retryDue':
    case 'flattenRequested':
    case 'sessionStarted':
    case 'sessionEnding':
      return event.time
    default:
      return Number.NEGATIVE_INFINITY
  }
}

/** Of market data, ms UTC: where a strategy follows it, what ends by then is told to have ended. */
function dataTimeOf(event: EngineEvent): number | undefined {
  switch (event.type) {
    case 'tickerSeen':
      return event.ticker.time
    case 'depthSeen':
      return event.depth.time
    case 'publicTradeSeen':
      return event.trade.time
    case 'indexPriceSeen':
      return event.indexPrice.time
    case 'fundingRateSeen':
      return event.fundingRate.time
    default:
      return undefined
  }
}

function quotesAfter(quotes: Past['quotes'], decisions: readonly EngineOutput[]): Past['quotes'] {
  const declared = decisions.flatMap(decision => {
    if (decision.type !== 'signaled' || decision.signal.type !== 'quotes') return []
    const { strategy, symbol, signal } = decision
    return [[setOf(strategy, symbol, decision.signal.name), signal as QuotesSignal<string>] as const] // its type is looked at above
  })
  return declared.length === 0 ? quotes : new Map([...quotes, ...declared])
}

/** A set of quotes, unlike any other. */
export function setOf(strategy: string, symbol: string, name = ''): string {
  return `${strategy} ${symbol} ${name}`
}

function closesAfter(closes: Past['closes'], event: EngineEvent): Past['closes'] {
  if (!('kline' in event) || event.interval !== DECISION_INTERVAL) return closes
  const time = closeTimeOf(event.kline.openTime, event.interval)
  return new Map(closes).set(event.symbol, new Set(closes.get(event.symbol)).add(time))
}

function placedAfter(
  known: Past['placedAfter'],
  decisions: readonly EngineOutput[],
  closes: Past['closes'],
): Past['placedAfter'] {
  const placed = decisions.flatMap(decision => {
    if (decision.type !== 'placeOrder' || decision.request.terms?.expiresAfter === undefined) return []
    const { clientOrderId, symbol } = decision.request
    return [[clientOrderId, closes.get(symbol) ?? new Set<number>()] as const]
  })
  return placed.length === 0 ? known : new Map([...known, ...placed])
}
