import type { EngineEvent } from '../../src/domain/events/engine-event.ts'
import type { EngineOutput } from '../../src/domain/events/engine-output.ts'
import type { TradingCommand } from '../../src/domain/events/trading-event.ts'
import { scopeText, type TradingMode } from '../../src/domain/events/trading-hold.ts'
import { feeOf } from '../../src/domain/fee.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf, rateOf } from '../../src/domain/numbers/amount.ts'
import { priceOf, quantityOf, roundToTicks, steps, type Ticks, ticks } from '../../src/domain/numbers/grid.ts'
import type { OrderRequest, OrderSpec } from '../../src/domain/orders/order-request.ts'
import type { OrderEventType } from '../../src/domain/orders/order-status.ts'
import type { Signal, Size } from '../../src/domain/signal.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { SizingReference } from '../../src/engine/engine-options.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { RiskRules } from '../../src/risk/risk-rules.ts'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import { defineStrategy } from '../../src/strategy/index.ts'

/** Prices in cents, quantities in thousandths, ten times leverage, no fees, orders of at least 5 USDT. */
export const MARGIN: Instrument = {
  symbol: 'BTC/USDT',
  base: 'BTC',
  quote: 'USDT',
  pricePrecision: 2,
  quantityPrecision: 3,
  minPrice: ticks(1),
  minQuantity: steps(1),
  maxQuantity: steps(1_000_000),
  minNotional: amountOf('5'),
  leverage: { min: 1, max: 10 },
  accountType: 'margin',
  fees: { maker: rateOf('0'), taker: rateOf('0'), paidIn: 'quote' },
}

/** The same on a spot account that takes 0.1% from what it receives. */
export const SPOT: Instrument = {
  ...MARGIN,
  accountType: 'spot',
  leverage: { min: 1, max: 1 },
  fees: { maker: rateOf('0.001'), taker: rateOf('0.001'), paidIn: 'received' },
}

/** A strategy that says on kline `n` (from 0) what `script` has at `n`, and nothing elsewhere. */
export function scripted(script: Readonly<Record<number, Signal | readonly Signal[]>>): Strategy {
  return defineStrategy({
    name: 'scripted',
    state: () => ({ row: -1 }),
    onKline: (_kline, { state }) => script[++state.row],
  })
}

/** What a session is made of. */
export interface SessionOptions {
  readonly instrument?: Instrument
  /** Starting quote. */
  readonly quote?: string
  /** Starting base. */
  readonly base?: string
  readonly size?: Size
  readonly sizingReference?: SizingReference
  /** Of the account. */
  readonly risk?: RiskRules
  /** Of the strategy. */
  readonly strategyRisk?: RiskRules
  /** As in `EngineOptions`. */
  readonly isObserved?: boolean
}

const MINUTE = 60_000

/**
 * An engine with one strategy, talked to in plain numbers. Every order it places is acknowledged at once; fills and
 * confirmations of cancels come when the test says so. Orders are named by the number of their placement: 1, 2, …
 */
export class EngineSession {
  readonly instrument: Instrument
  readonly ledger: Ledger
  readonly engine: Engine
  /** Every event in, in order. */
  readonly events: EngineEvent[] = []
  /** Every output, in order. */
  readonly outputs: EngineOutput[] = []
  readonly placed: OrderRequest[] = []
  #klines = 0
  #fills = 0

  constructor(strategy: Strategy, options: SessionOptions = {}) {
    const { instrument = MARGIN, quote = '10000', size = { base: 1 }, sizingReference = 'decision' } = options
    this.instrument = instrument
    const balances = [instrument.quote, amountOf(quote)] as const
    const owned = [instrument.base, amountOf(options.base ?? '0')] as const
    this.ledger = new Ledger([instrument], options.base === undefined ? [balances] : [balances, owned])
    const { risk, strategyRisk } = options
    const symbol = instrument.symbol
    const traded = { strategy, parameters: {}, symbol, interval: '1m', size, risk: strategyRisk } as const
    this.engine = new Engine({
      bot: 'test',
      ledger: this.ledger,
      strategies: [traded],
      sizingReference,
      risk,
      ...(options.isObserved !== undefined && { isObserved: options.isObserved }),
    })
  }

  /** Market time: the close of the latest kline, ms UTC. */
  get time(): number {
    return this.#klines * MINUTE
  }

  /** Closes a flat kline at `price`; returns the commands and denials that follow, as text. */
  kline(price: number): string[] {
    const kline = { openTime: this.time, open: price, high: price, low: price, close: price, volume: 1 }
    this.#klines++
    return this.process({ type: 'klineClosed', symbol: this.instrument.symbol, interval: '1m', kline })
  }

  /** Shows a kline from before the start. */
  history(price: number): string[] {
    const kline = { openTime: this.time, open: price, high: price, low: price, close: price, volume: 1 }
    this.#klines++
    return this.process({ type: 'historySeen', symbol: this.instrument.symbol, interval: '1m', kline })
  }

  /** Fills order `number` at `price`, by default all that is open of it. */
  fill(number: number, price: number, quantity = this.openQuantity(number)): string[] {
    const { instrument } = this
    const { clientOrderId, side, symbol } = this.order(number)
    const [priceTicks, size] = [
      roundToTicks(instrument, price, 'nearest'),
      steps(Math.round(quantity * 1000)),
    ]
    const fee = feeOf(instrument, side, priceTicks, size, 'taker')
    const fill = { id: `${++this.#fills}`, clientOrderId, symbol, side, price: priceTicks, quantity: size }
    return this.process({ type: 'filled', fill: { ...fill, ...fee, liquidity: 'taker', time: this.time } })
  }

  /** Commands the engine, as an operator does. */
  command(command: TradingCommand, until?: number): string[] {
    const reason = 'The operator wants it.'
    return this.process({ type: 'tradingCommanded', command, by: 'operator', until, reason, time: this.time })
  }

  /** What may be sent now. */
  get mode(): TradingMode {
    return this.engine.risk.riskOf(0).mode
  }

  /** Tells the engine what happened to order `number`. */
  update(number: number, event: Exclude<OrderEventType, 'partlyFilled' | 'filled'>): string[] {
    const { clientOrderId } = this.order(number)
    return this.process({ type: 'orderUpdated', clientOrderId, event, time: this.time })
  }

  /** Has the engine send again what the exchange has refused. */
  retry(): string[] {
    return this.process({ type: 'retryDue', symbol: this.instrument.symbol, time: this.time })
  }

  /** The request of the `number`-th order placed. */
  order(number: number): OrderRequest {
    const request = this.placed[number - 1]
    if (request === undefined) throw new Error(`Only ${this.placed.length} orders were placed.`)
    return request
  }

  /** Base units that order `number` can still fill. */
  openQuantity(number: number): number {
    const order = this.ledger.orders.get(this.order(number).clientOrderId)
    return order === undefined ? 0 : (order.request.quantity - order.filledQuantity) / 1000
  }

  /** Signed base units held. */
  get held(): number {
    const position = this.ledger.position(this.instrument.symbol)
    if (position === undefined) return 0
    return quantityOf(this.instrument, position.quantity) * (position.direction === 'long' ? 1 : -1)
  }

  /** Processes an event, acknowledges what it placed, and says in words what came out. */
  process(event: EngineEvent): string[] {
    this.events.push(event)
    const outputs = this.engine.process(event)
    this.outputs.push(...outputs)
    return outputs.flatMap(output => [...this.#words(output), ...this.#acknowledge(output)])
  }

  #acknowledge(output: EngineOutput): string[] {
    if (output.type !== 'placeOrder') return []
    const { clientOrderId } = output.request
    return (['submitted', 'accepted'] as const).flatMap(event =>
      this.process({ type: 'orderUpdated', clientOrderId, event, time: this.time }),
    )
  }

  #words(output: EngineOutput): string[] {
    switch (output.type) {
      case 'placeOrder': {
        this.placed.push(output.request)
        const { side, purpose, spec, quantity, reduceOnly } = output.request
        const reduce = reduceOnly ? ' reduceOnly' : ''
        return [
          `${purpose} ${side} ${quantityOf(this.instrument, quantity)} ${this.#specWords(spec)}${reduce}`,
        ]
      }
      case 'cancelOrder':
        return [
          `cancel ${this.#numberOf(output.clientOrderId)}${output.cause === undefined ? '' : `: ${output.cause}`}`,
        ]
      case 'resizeOrder':
        return [
          `resize ${this.#numberOf(output.clientOrderId)} to ${quantityOf(this.instrument, output.quantity)}`,
        ]
      case 'denied':
        return [`denied by ${output.denial.rule}`]
      case 'groupOverfilled':
        return ['group overfilled']
      case 'protectionRefused':
        return [`${output.order.request.purpose} refused too often`]
      case 'tradingStateChanged':
        return [`${scopeText(output.scope)} ${output.mode}`]
      case 'strategyFailed':
        return ['strategy failed']
      default:
        return []
    }
  }

  #specWords(spec: OrderSpec): string {
    const price = (value: Ticks) => priceOf(this.instrument, value)
    switch (spec.type) {
      case 'market':
        return 'market'
      case 'limit':
        return `${spec.kind ?? 'limit'} ${price(spec.price)}`
      case 'stop':
        return `stop ${price(spec.stopPrice)}`
      case 'stopLimit':
        return `stop ${price(spec.stopPrice)} limit ${price(spec.price)}`
      case 'ifTouched':
        return `ifTouched ${price(spec.triggerPrice)}`
      case 'trailingStop':
        return `trailing ${'distance' in spec ? price(spec.distance) : `rate ${spec.callbackRate}`} from ${price(spec.anchor)}${
          spec.activationPrice === undefined ? '' : ` once at ${price(spec.activationPrice)}`
        }`
    }
  }

  #numberOf(clientOrderId: string): number {
    return this.placed.findIndex(request => request.clientOrderId === clientOrderId) + 1
  }
}
