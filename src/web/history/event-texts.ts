import { momentText } from '../../bot/text/figures.ts'
import type { EngineEvent } from '../../domain/events/engine-event.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { closeTimeOf } from '../../domain/market-data/interval.ts'

/** Market time of an event, ms UTC; `known` is when the bot took it, which counts where the event has none. */
export function timeOfEvent(event: EngineEvent, known: number): number {
  switch (event.type) {
    case 'klineClosed':
    case 'historySeen':
      return closeTimeOf(event.kline.openTime, event.interval)
    case 'filled':
      return event.fill.time
    default:
      return 'time' in event && typeof event.time === 'number' ? event.time : known
  }
}

/** An event in words, as the cause of a decision. */
export function causeText(event: EngineEvent): string {
  switch (event.type) {
    case 'klineClosed': {
      const { symbol, interval, kline } = event
      const at = momentText(utcText(closeTimeOf(kline.openTime, interval)))
      return `The ${interval} kline of ${symbol} closed at ${kline.close} (${at}).`
    }
    case 'filled':
      return `Order ${event.fill.clientOrderId} was filled.`
    case 'orderUpdated': {
      const reason = event.reason === undefined ? '.' : `: ${event.reason}`
      return `Order ${event.clientOrderId} was ${ORDER_EVENTS[event.event] ?? event.event}${reason}`
    }
    case 'tradingCommanded':
      return event.reason
    default:
      return EVENTS[event.type] ?? `An event came: ${event.type}.`
  }
}

/** Words of an order's events. */
export const ORDER_EVENTS: Readonly<Record<string, string>> = {
  submitted: 'submitted',
  accepted: 'accepted by the exchange',
  rejected: 'rejected by the exchange',
  outcomeLost: 'sent without an answer',
  notPlaced: 'not placed',
  canceled: 'canceled',
  expired: 'expired',
}

const EVENTS: Readonly<Partial<Record<EngineEvent['type'], string>>> = {
  retryDue: 'What the exchange had refused was due to be sent again.',
  sessionStarted: 'Trading began.',
  sessionEnding: 'Trading was about to end.',
  pricesSeen: 'Prices moved.',
  dataStale: 'Market data were silent for too long.',
  dataFresh: 'Market data came again.',
  klinesMissed: 'Klines were out of reach.',
  clockMeasured: "The exchange's time was measured.",
  spreadSeen: 'The spread was measured.',
  instrumentStatusSeen: 'The exchange changed whether the instrument is traded.',
  tradingRestored: 'Holds of the last session went on.',
  fundingPaid: 'Funding was paid.',
  balancesReported: 'The exchange reported balances.',
  liquidated: 'The exchange liquidated the position.',
  tickerSeen: 'A ticker came.',
  depthSeen: 'An order book came.',
  publicTradeSeen: 'A public trade came.',
}

/** The strategy of an output, if it names one. */
export function strategyOf(output: EngineOutput): string | undefined {
  if (output.type === 'signaled') return output.strategy
  if (output.type === 'denied') return output.denial.intent.strategy
  if (output.type === 'exitReplaced' || output.type === 'targetMissed') return output.strategy
  return output.type === 'placeOrder' ? output.request.strategy : undefined
}
