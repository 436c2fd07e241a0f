import { botSnapshotIn } from '../bot/state/bot-snapshot.ts'
import type { SessionRecord } from '../bot/state/session-record.ts'
import type { EngineEvent, HistorySeen, KlineClosed } from '../domain/events/engine-event.ts'
import type { EngineOutput } from '../domain/events/engine-output.ts'
import { closeTimeOf } from '../domain/market-data/interval.ts'
import { roundToTicks } from '../domain/numbers/grid.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import type { JournalEntry, JournalSnapshot } from '../journal/journal-entry.ts'
import { Ledger } from '../ledger/ledger.ts'

/**
 * The ledger of a bot, booked from the events and the recorded decisions of its journal: it needs no strategy, so that the
 * books are those of the bot whatever became of the code since.
 */
export class RecordedLedger {
  #ledger: Ledger | undefined
  /** Close time of the kline that last gave the price of a symbol, ms UTC. */
  readonly #pricedAt = new Map<string, number>()

  /** Throws `InvariantError` before the first session. */
  get ledger(): Ledger {
    if (this.#ledger === undefined)
      throw new InvariantError('No session has begun, so there are no books yet.')
    return this.#ledger
  }

  /** True for an instrument of the accounts; a feed may follow others. */
  knows(symbol: string): boolean {
    return this.ledger.instruments.some(one => one.symbol === symbol)
  }

  /** Values an instrument at a price, quote per base. */
  price(symbol: string, price: number): void {
    const instrument = this.ledger.instrument(symbol)
    this.ledger.mark(instrument, roundToTicks(instrument, price, 'nearest'))
  }

  /** Begins with the state before the first entry that is left. */
  restore(base: JournalSnapshot): void {
    const { session, engine } = botSnapshotIn(base)
    this.#ledger = new Ledger(session.instruments, session.balances)
    this.#ledger.restore(engine.ledger)
  }

  /** Books an entry; the casts name what `RecordedEngine` writes. */
  take({ kind, body, decisions }: JournalEntry): void {
    if (kind === 'session') this.#begin(body as SessionRecord)
    if (kind !== 'event') return
    this.#apply(body as EngineEvent)
    for (const output of (decisions ?? []) as readonly EngineOutput[]) this.#follow(output)
  }

  #begin({ instruments, balances, continues }: SessionRecord): void {
    const before = continues ? this.#ledger?.snapshot() : undefined
    this.#ledger = new Ledger(instruments, balances)
    if (before !== undefined) this.#ledger.restore(before)
  }

  #apply(event: EngineEvent): void {
    const { ledger } = this
    switch (event.type) {
      case 'klineClosed':
      case 'historySeen':
        this.#observePrice(event)
        break
      case 'filled':
        ledger.book(event.fill)
        break
      case 'orderUpdated':
        ledger.orders.update(event.clientOrderId, event.event, event)
        break
      case 'trailingStopMoved':
        ledger.orders.trail(event.clientOrderId, event.best)
        break
      case 'balancesReported':
        for (const [asset, amount] of event.balances) ledger.setBalance(asset, amount, event.account)
        break
      case 'markPriceSeen':
        ledger.markContract(ledger.instrument(event.symbol), event.price)
        break
      case 'pricesSeen':
        for (const [symbol, price] of event.prices) ledger.mark(ledger.instrument(symbol), price)
        break
      case 'fundingPaid':
        ledger.fund(event.payment)
        break
      case 'positionMarginReported':
        ledger.contracts.setMargin(event.book, event.margin)
        break
      case 'positionCostReported':
        ledger.setCost(event.book, event.cost)
        break
      default:
    }
  }

  #follow(output: EngineOutput): void {
    const { orders } = this.ledger
    if (output.type === 'placeOrder') orders.add(output.request)
    if (output.type === 'resizeOrder') orders.resize(output.clientOrderId, output.quantity)
    // The fill of a liquidation has no command before it: its order came with it.
    if (output.type !== 'fillBooked' || orders.get(output.order.request.clientOrderId) !== undefined) return
    orders.add(output.order.request)
    orders.update(output.order.request.clientOrderId, 'submitted')
    this.ledger.book(output.fill)
  }

  /** The latest kline of any length gives the price. */
  #observePrice({ symbol, interval, kline }: KlineClosed | HistorySeen): void {
    const closeTime = closeTimeOf(kline.openTime, interval)
    if (closeTime < (this.#pricedAt.get(symbol) ?? Number.NEGATIVE_INFINITY)) return
    if (!this.knows(symbol)) return
    this.#pricedAt.set(symbol, closeTime)
    this.price(symbol, kline.close)
  }
}
