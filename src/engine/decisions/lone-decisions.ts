import type { Instrument } from '../../domain/instrument.ts'
import type { Amount } from '../../domain/numbers/amount.ts'
import { baseAmount } from '../../domain/numbers/grid.ts'
import { AT_MARKET } from '../../domain/orders/order-intent.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { CancelEntriesSignal, EnterSignal, ExitSignal, Signal, Size } from '../../domain/signal.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { sizeToBase } from '../../risk/sizing.ts'
import { signalProblem } from '../../strategy/checks/signal-check.ts'
import type { OrderPlacer } from '../orders/order-placer.ts'

const PLAIN_FIELDS = ['type', 'direction', 'tag', 'size']

/** Result of a signal without an order. */
export const NO_ORDER = 'noOrder'

/**
 * Fast path for decisions of a spot account without working or waiting orders: a lone market entry or exit
 * passes the same sizing and the same checks as all others, and is returned by itself instead of among
 * commands. Other signals, and denials, go the usual way, as if this had not run.
 */
export class LoneDecisions {
  readonly #instrument: Instrument
  readonly #ledger: Ledger
  readonly #orderPlacer: OrderPlacer
  readonly #defaultSize: Size
  readonly #observe: () => void

  /** `observe` sets time and price of the order placer when they are needed. */
  constructor(
    instrument: Instrument,
    ledger: Ledger,
    orderPlacer: OrderPlacer,
    defaultSize: Size,
    observe: () => void,
  ) {
    this.#instrument = instrument
    this.#ledger = ledger
    this.#orderPlacer = orderPlacer
    this.#defaultSize = defaultSize
    this.#observe = observe
  }

  /** The approved order of a new signal; `undefined` if the usual way is needed. */
  decide(signal: Signal): OrderRequest | typeof NO_ORDER | undefined {
    if (!isPlain(signal)) return undefined
    if (signal.type === 'cancelEntries') return NO_ORDER
    const position = this.#ledger.position(this.#orderPlacer.book)
    if (signal.type === 'enter') return position === undefined ? this.#enter(signal) : NO_ORDER
    if (position === undefined) return NO_ORDER
    this.#observe()
    return this.#approve('sell', 'exit', baseAmount(this.#instrument, position.quantity), signal.tag)
  }

  #enter({ size = this.#defaultSize, tag }: EnterSignal): OrderRequest | undefined {
    this.#observe()
    try {
      const expected = { side: 'buy', price: this.#orderPlacer.referencePrice } as const
      const base = sizeToBase(size, expected, this.#orderPlacer.riskView())
      return base === undefined ? undefined : this.#approve('buy', 'entry', base, tag)
    } catch {
      return undefined // the usual way denies an entry that cannot be sized
    }
  }

  #approve(side: Side, purpose: 'entry' | 'exit', quantity: Amount, tag?: string): OrderRequest | undefined {
    const reduceOnly = purpose === 'exit'
    return this.#orderPlacer.approve({ side, purpose, plan: AT_MARKET, quantity, reduceOnly, tag })
  }
}

/** True for a plain signal: buy, sell everything, or cancel resting entries. */
function isPlain(signal: Signal): signal is EnterSignal | ExitSignal | CancelEntriesSignal {
  const { type } = signal
  if (type !== 'enter' && type !== 'exit' && type !== 'cancelEntries') return false
  for (const name in signal) if (!PLAIN_FIELDS.includes(name)) return false
  const { direction, size } = signal as Partial<EnterSignal> // every other field is ruled out
  if (direction !== (type === 'enter' ? 'long' : undefined)) return false
  return size === undefined || signalProblem(signal) === undefined
}
