import type { StrategyConfig } from '../../config/bot-config.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import { openTimeOf } from '../../domain/market-data/interval.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { Engine } from '../../engine/engine.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { RiskRules } from '../../risk/risk-rules.ts'
import { defineStrategy } from '../../strategy/define-strategy.ts'
import { enterLong } from '../../strategy/signals.ts'

/** Assumed distance of the stop-loss for a size by risk, a fraction of the price. */
export const PROBED_STOP_RATE = 0.01

const PROBE_BOOK = 'probe'

/** Input of a test order. */
export interface Probe {
  readonly entry: StrategyConfig
  /** The ledger as the bot counts at its start; the test order is placed in it. */
  readonly ledger: Ledger
  readonly risk: RiskRules | undefined
  /** Latest price, quote per base. */
  readonly price: number
  /** ms UTC. */
  readonly now: number
}

/** Verdict of risk on an entry of the configured size. */
export type Probed =
  | { readonly approved: true; readonly request: OrderRequest }
  /** The reason why not, in a sentence. */
  | { readonly approved: false; readonly reason: string }

/** Runs one market entry through a separate engine with the limits of the configuration. No order is sent. */
export function probeOrder({ entry, ledger, risk, price, now }: Probe): Probed {
  const { symbol, interval, size } = entry
  const isByRisk = 'riskFraction' in size
  const strategy = defineStrategy({
    name: 'probe',
    onKline: () => enterLong(isByRisk ? { stopLoss: price * (1 - PROBED_STOP_RATE) } : {}),
  })
  // A book of its own: an entry is probed also where the strategy holds a position.
  const books = { '': PROBE_BOOK }
  const runner = { symbol, interval, size, books, risk: entry.risk, strategy, parameters: {} }
  const engine = new Engine({ bot: 'doctor', ledger, strategies: [runner], risk })
  const kline = {
    openTime: openTimeOf(now, interval),
    open: price,
    high: price,
    low: price,
    close: price,
    volume: 0,
  }
  return outcomeOf(engine.process({ type: 'klineClosed', symbol, interval, kline }))
}

function outcomeOf(outputs: readonly EngineOutput[]): Probed {
  for (const output of outputs) {
    if (output.type === 'placeOrder') return { approved: true, request: output.request }
    if (output.type === 'denied') return { approved: false, reason: output.denial.message }
    if (output.type === 'strategyFailed') return { approved: false, reason: output.error.message }
  }
  return { approved: false, reason: 'An entry of this size leads to no order.' }
}
