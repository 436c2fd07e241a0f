import type { Instrument } from '../../domain/instrument.ts'
import { roundToSteps } from '../../domain/numbers/grid.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import type { CancelEntriesSignal, EnterSignal, ExitSignal, Signal, Size } from '../../domain/signal.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { sizeToBase } from '../../risk/sizing.ts'
import { signalProblem } from '../../strategy/checks/signal-check.ts'
import type { OrderPlacer } from '../orders/order-placer.ts'

const PLAIN_FIELDS = ['type', 'direction', 'tag', 'size']

/** Nothing follows from a signal. */
export const NO_ORDER = 'noOrder'

/**
 * Decisions of a spot account while none of its orders works or waits: an entry or an exit at market, and nothing else, is
 * approved by the same sizing and the same checks as all others, and comes out by itself instead of among commands. Whatever
 * is not as plain as that, and whatever risk denies, is left to the usual way, as if nobody had asked here.
 */
export class LoneDecisions {
  readonly #instrument: Instrument
  readonly #ledger: Ledger
  readonly #orderPlacer: OrderPlacer
  readonly #defaultSize: Size
  readonly #observe: () => void

  /** `observe` tells the order placer time and price, once they are needed. */
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

  /** The approved order of a signal that was not looked at yet; `undefined` where the usual way must be gone. */
  decide(signal: Signal): OrderRequest | typeof NO_ORDER | undefined {
    if (!isPlain(signal)) return undefined
    if (signal.type === 'cancelEntries') return NO_ORDER
    const position = this.#ledger.position(this.#orderPlacer.book)
    if (signal.type === 'enter') return position === undefined ? this.#enter(signal) : NO_ORDER
    if (position === undefined) return NO_ORDER
    this.#observe()
    return this.#orderPlacer.approve('sell', 'exit', position.quantity, signal.tag)
  }

  #enter({ size = this.#defaultSize, tag }: EnterSignal): OrderRequest | undefined {
    this.#observe()
    try {
      const expected = { side: 'buy', price: this.#orderPlacer.referencePrice } as const
      const base = sizeToBase(size, expected, this.#orderPlacer.riskView())
      return base && this.#orderPlacer.approve('buy', 'entry', roundToSteps(this.#instrument, base), tag)
    } catch {
      return undefined // what cannot be sized is denied in the usual way
    }
  }
}

/** Whether a signal says nothing but to buy, to sell everything, or to take back what rests. */
function isPlain(signal: Signal): signal is EnterSignal | ExitSignal | CancelEntriesSignal {
  const { type } = signal
  if (type !== 'enter' && type !== 'exit' && type !== 'cancelEntries') return false
  for (const name in signal) if (!PLAIN_FIELDS.includes(name)) return false
  const { direction, size } = signal as Partial<EnterSignal> // every other field is ruled out
  if (direction !== (type === 'enter' ? 'long' : undefined)) return false
  return size === undefined || signalProblem(signal) === undefined
}
