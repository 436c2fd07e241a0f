import { noticeLines } from '../../bot/log/notice-lines.ts'
import { signalText } from '../../bot/text/signal-text.ts'
import type { EngineEvent } from '../../domain/events/engine-event.ts'
import { type EngineOutput, isCommand } from '../../domain/events/engine-output.ts'
import type { Explanation, KlineDecided, OrderAssessed } from '../../domain/events/explanation.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { decidedAtOf } from '../../domain/orders/client-order-id.ts'
import type { AssessedOrder, DecisionOutcome, DecisionRecord, ShownKline } from './decision-record.ts'
import { causeText, strategyOf, timeOfEvent } from './event-texts.ts'
import { idleText, ownedTexts } from './idle-signals.ts'
import { approvedOrder, assessedOrder, deniedOrder, quantityWithUnitOf } from './order-texts.ts'

/** One event with what followed, and what that followed from. */
export interface TakenEvent {
  readonly event: EngineEvent
  readonly outputs: readonly EngineOutput[]
  readonly explanations: readonly Explanation[]
  /** When the bot took it, ms UTC. */
  readonly time: number
}

/** A decision without its number. */
export type NewDecision = Omit<DecisionRecord, 'id'>

type InstrumentOf = (symbol: string) => Instrument

/** The decisions of an event, one for each strategy that it concerned; none where nothing was decided. */
export function decisionsOf(taken: TakenEvent, instrumentOf: InstrumentOf): readonly NewDecision[] {
  const { explanations, outputs } = taken
  const decided = explanations.filter(one => one.type === 'klineDecided')
  const names = new Set([
    ...decided.map(({ strategy }) => strategy),
    ...outputs.flatMap(output => strategyOf(output) ?? []),
  ])
  return [...names].map(strategy => decisionOf(strategy, taken, decided, instrumentOf))
}

function decisionOf(
  strategy: string,
  { event, outputs, explanations, time }: TakenEvent,
  decided: readonly KlineDecided[],
  instrumentOf: InstrumentOf,
): NewDecision {
  const own = decided.find(one => one.strategy === strategy)
  const signals = outputs.flatMap(output =>
    output.type === 'signaled' && output.strategy === strategy
      ? [signalText(output.signal, instrumentOf(output.symbol))]
      : [],
  )
  const assessed = explanations.filter(
    (one): one is OrderAssessed => one.type === 'orderAssessed' && one.intent.strategy === strategy,
  )
  const orders = outputs.flatMap(output => orderOf(output, strategy, assessed, instrumentOf) ?? [])
  const symbol = own?.symbol ?? symbolIn(outputs, strategy)
  const outcome = outcomeOf(orders, signals)
  const idle = outcome === 'signal' ? idleText(strategy, outputs, own, instrumentOf) : ''
  return {
    time: timeOfEvent(event, time),
    cause: causeText(event),
    ...{ strategy, symbol, signals, orders },
    outcome,
    ...(idle !== '' && { idle }),
    ...(event.type === 'klineClosed' &&
      own !== undefined && { kline: { ...shownKline(event.kline), interval: event.interval } }),
    ...(own !== undefined && {
      indicators: own.indicators,
      owned: ownedTexts(own, instrumentOf(own.symbol)),
    }),
    notes: outputs.flatMap(output => noteOf(output, instrumentOf)),
  }
}

/** An order as a decision shows it; `undefined` for other outputs, and orders of other strategies. */
function orderOf(
  output: EngineOutput,
  strategy: string,
  assessed: readonly OrderAssessed[],
  instrumentOf: InstrumentOf,
): AssessedOrder | undefined {
  if (strategyOf(output) !== strategy || output.type === 'signaled') return undefined
  const intent =
    output.type === 'denied'
      ? output.denial.intent
      : output.type === 'placeOrder'
        ? output.request
        : undefined
  if (intent === undefined) return undefined
  const instrument = instrumentOf(intent.symbol)
  const known = assessed.find(one => one.intent.clientOrderId === intent.clientOrderId)
  if (known !== undefined) return assessedOrder(instrument, known)
  if (output.type === 'denied') return deniedOrder(instrument, output.denial)
  return output.type === 'placeOrder' ? approvedOrder(instrument, output.request) : undefined
}

function symbolIn(outputs: readonly EngineOutput[], strategy: string): string {
  for (const output of outputs) {
    if (strategyOf(output) !== strategy) continue
    if (output.type === 'signaled') return output.symbol
    if (output.type === 'denied') return output.denial.intent.symbol
    if (output.type === 'placeOrder') return output.request.symbol
  }
  return ''
}

/**
 * Parts an order event's decision from orders that waited for it: they belong to the decision of their market time.
 * `all` are the decisions before it, oldest first.
 */
export function withoutWaiting(
  made: DecisionRecord,
  all: readonly DecisionRecord[],
): { readonly made: DecisionRecord; readonly owners: ReadonlyMap<DecisionRecord, DecisionRecord> } {
  const owners = new Map<DecisionRecord, DecisionRecord>()
  const own: AssessedOrder[] = []
  const notes: string[] = []
  for (const order of made.orders) {
    const owner = ownerOf(order, made, all)
    if (owner === undefined) {
      own.push(order)
      continue
    }
    const before = owners.get(owner) ?? owner
    const { idle: _, ...unordered } = before
    const orders = [...before.orders, order]
    const note = `Order ${order.clientOrderId} waited: ${made.cause}`
    owners.set(owner, {
      ...unordered,
      ...{ orders, outcome: outcomeOf(orders, before.signals), notes: [...before.notes, note] },
    })
    notes.push(`Order ${order.clientOrderId} belongs to decision ${owner.id}, and waited for this.`)
  }
  if (owners.size === 0) return { made, owners }
  const rest = { orders: own, outcome: outcomeOf(own, made.signals), notes: [...made.notes, ...notes] }
  return { made: { ...made, ...rest }, owners }
}

/** The earlier decision, with signals, that an order was decided in; `undefined` for an order of its own event. */
function ownerOf(
  { clientOrderId }: AssessedOrder,
  { time, strategy, symbol }: DecisionRecord,
  all: readonly DecisionRecord[],
): DecisionRecord | undefined {
  const decidedAt = decidedAtOf(clientOrderId)
  if (decidedAt >= time) return undefined
  const owners = all.filter(
    one => one.time === decidedAt && one.strategy === strategy && one.signals.length > 0,
  )
  return owners.findLast(one => one.symbol === symbol) ?? owners.at(-1)
}

function outcomeOf(orders: readonly AssessedOrder[], signals: readonly string[]): DecisionOutcome {
  if (orders.some(({ denial }) => denial === undefined)) return 'ordered'
  if (orders.length > 0) return 'denied'
  return signals.length > 0 ? 'signal' : 'nothing'
}

/** Sentences about what a decision did besides signals and orders. */
function noteOf(output: EngineOutput, instrumentOf: InstrumentOf): readonly string[] {
  if (output.type === 'cancelOrder') return [`Cancels order ${output.clientOrderId}.`]
  if (output.type === 'resizeOrder') {
    const size = quantityWithUnitOf(instrumentOf(output.symbol), output.quantity)
    return [`Changes the quantity of order ${output.clientOrderId} to ${size}.`]
  }
  if (isCommand(output) || output.type === 'signaled' || output.type === 'denied') return []
  return noticeLines(output, instrumentOf).map(({ text }) => text)
}

/** The fields of a kline. */
export function shownKline({ openTime, open, high, low, close, volume }: ShownKline): ShownKline {
  return { openTime, open, high, low, close, volume }
}
