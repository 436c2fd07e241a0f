import type { MarginUse } from '../seeds/seed-outcome.ts'

/** A change of one source file: `find` stands in it exactly once. */
export interface Edit {
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** A fault as bots have them, planted into a copy of the source. */
export interface PlantedFault {
  readonly name: string
  /** How seeds must be played that may find it, where the usual ones cannot. */
  readonly margin?: MarginUse
  /** Only lives without a journal can find it. */
  readonly withoutJournal?: true
  readonly edits: readonly Edit[]
}

const TRACKER = 'src/execution/tracking/order-tracker.ts'
const ORDERS = 'src/ledger/orders.ts'
const LEDGER = 'src/ledger/ledger.ts'

/** Faults that the simulation must find, those of execution first. */
export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'resend after a timeout',
    edits: [
      {
        file: TRACKER,
        find: 'if (error instanceof UnknownOutcomeError) return this.#outcomes.markUnknown(order, error)',
        replace: 'if (error instanceof UnknownOutcomeError) return await this.#place(order)',
      },
    ],
  },
  {
    name: 'timeout taken for a failure',
    edits: [
      {
        file: TRACKER,
        find: 'if (error instanceof UnknownOutcomeError) return this.#outcomes.markUnknown(order, error)',
        replace: '',
      },
    ],
  },
  {
    name: 'id from a counter',
    edits: [
      {
        file: 'src/domain/orders/client-order-id.ts',
        find: 'export function clientOrderIdOf(prefix: string, decidedAt: number, ordinal: number): string {\n',
        replace:
          'let count = 1\nexport function clientOrderIdOf(prefix: string, decidedAt: number, ordinal: number): string {\n  decidedAt = count++\n',
      },
    ],
  },
  {
    name: 'fill booked twice',
    edits: [
      { file: ORDERS, find: 'if (tracked.hasFill(id)) return undefined', replace: '' },
      {
        file: 'src/execution/tracking/trade-booking.ts',
        find: 'if (order.tradeIds.has(trade.id)) return\n',
        replace: '',
      },
    ],
  },
  {
    name: 'stop not resized',
    edits: [
      {
        file: 'src/engine/brackets/brackets.ts',
        find: 'if (quantity === order.request.quantity',
        replace: 'if (wanted > 0 || quantity === order.request.quantity',
      },
    ],
  },
  {
    name: 'risk check that throws allows',
    edits: [
      {
        file: 'src/risk/assess.ts',
        find: '    const refusal = check(draft, view, passed)\n',
        replace:
          '    let refusal: Refusal | undefined\n    try { refusal = check(draft, view, passed) } catch {}\n',
      },
      {
        file: 'src/risk/checks/max-notional.ts',
        find: '    if (reduceOnly) return undefined\n',
        replace:
          "    if (reduceOnly) return undefined\n    if (quantity % 3 === 0) throw new RangeError('Nobody knows.')\n",
      },
    ],
  },
  {
    name: 'send before journal',
    edits: [
      {
        file: 'src/bot/state/recorded-engine.ts',
        find: 'if (seq > this.#durableSeq) this.commit()',
        replace: 'void seq',
      },
    ],
  },
  {
    name: 'reservation not released',
    edits: [
      {
        file: LEDGER,
        find: 'for (const order of this.orders.working) {',
        replace:
          "for (const order of this.orders.remembered) {\n      if (order.status === 'filled') continue",
      },
    ],
  },
  {
    name: 'cancel assumed done',
    edits: [
      {
        file: TRACKER,
        find: "await this.#options.trading.cancelOrder(reference, this.#noting(order, 'cancel'))\n",
        replace:
          "await this.#options.trading.cancelOrder(reference, this.#noting(order, 'cancel'))\n      this.#outcomes.endAs(order, 'canceled', '')\n",
      },
    ],
  },
  {
    name: 'snapshot loses an order',
    edits: [
      {
        file: ORDERS,
        find: 'working: this.#working.map(({ request }) => request.clientOrderId),',
        replace: 'working: this.#working.slice(1).map(({ request }) => request.clientOrderId),',
      },
    ],
  },
  {
    name: 'absence believed too early',
    edits: [
      {
        file: 'src/execution/tracking/order-outcomes.ts',
        find: 'order.absentAfter = error.acceptableUntil + this.#options.settlementMarginMs',
        replace: 'order.absentAfter = 0',
      },
    ],
  },
  {
    name: 'halt forgotten',
    edits: [
      {
        file: 'src/risk/checks/trading-state.ts',
        find: "if (mode === 'active' ||",
        replace: "if (mode !== 'reducing' ||",
      },
    ],
  },
  {
    name: 'entries that wait leave although trading is held back',
    edits: [
      {
        file: 'src/bot/command-dispatcher.ts',
        find: 'if (isHeldBack !== undefined) executor.withdraw(isHeldBack)',
        replace: '',
      },
    ],
  },
  {
    name: 'exit opens contracts',
    edits: [
      {
        file: 'src/execution/gateway/futures-trading.ts',
        find: "action: reduceOnly ? 'close' : 'open',",
        replace: "action: reduceOnly && placement.type === 'market' ? 'close' : 'open',",
      },
    ],
  },
  {
    name: 'protection that shrank refuses its fills',
    edits: [
      {
        file: ORDERS,
        find: 'const most = Math.max(tracked.most ?? 0, request.quantity)',
        replace: 'const most = request.quantity',
      },
    ],
  },
  {
    name: 'funding booked twice',
    edits: [
      {
        file: 'src/execution/reconciliation/funding-booking.ts',
        find: ' || sentRequests.hasFunding(id))',
        replace: ' || (sentRequests.hasFunding(id) && found.length % 5 > 0))',
      },
    ],
  },
  {
    name: 'liquidation taken for a transfer',
    edits: [
      {
        file: 'src/execution/reconciliation/futures-comparison.ts',
        find: 'this.#settlePositions(differences, this.#walletDifferences())\n',
        replace: '',
      },
    ],
  },
  {
    name: 'flat where long and short are equal',
    edits: [
      {
        file: 'src/bot/shutdown.ts',
        find: "return ledger.grossQuantity(symbol, 'long') === 0 && ledger.grossQuantity(symbol, 'short') === 0",
        replace: 'return ledger.netQuantity(symbol) === 0',
      },
    ],
  },
  {
    name: 'margin orders looked up on spot',
    margin: 'beside',
    edits: [
      {
        file: 'src/execution/gateway/routed-trading.ts',
        find: 'order: looked => callsOf(looked.symbol).order(looked),',
        replace:
          "order: looked => callsOf(looked.symbol.replace('@margin', '')).order({ ...looked, symbol: looked.symbol.replace('@margin', '') }),",
      },
    ],
  },
  {
    name: 'margin fills booked on spot',
    margin: 'beside',
    edits: [
      {
        file: 'src/execution/tracking/fill-of.ts',
        find: 'symbol: request.symbol,\n    side',
        replace: "symbol: request.symbol.replace('@margin', ''),\n    side",
      },
    ],
  },
  {
    name: 'open margin orders listed on spot',
    margin: 'beside',
    edits: [
      {
        file: 'src/execution/gateway/routed-trading.ts',
        find: 'openOrders: query => callsOf(query.symbol).openOrders(query),',
        replace:
          "openOrders: query => callsOf(query.symbol.replace('@margin', '')).openOrders({ ...query, symbol: query.symbol.replace('@margin', '') }),",
      },
    ],
  },
  {
    name: 'orders of others are told of and stay',
    edits: [
      {
        file: 'src/execution/reconciliation/order-comparison.ts',
        find: "|| (report.type === 'foreignOrder' && report.isCanceled)",
        replace: '',
      },
    ],
  },
  {
    name: 'orders of others canceled unasked',
    edits: [
      {
        file: 'src/execution/reconciliation/order-comparison.ts',
        find: "isCanceled: this.#options.foreignOrders === 'cancel' }",
        replace: 'isCanceled: true }',
      },
    ],
  },
  {
    name: 'best price of a trailing stop lost at a restart',
    edits: [
      {
        file: 'src/execution/executor.ts',
        find: 'this.#waitAgain(order, ledger.orders.bestOf(clientOrderId), klinesOf)',
        replace: 'this.#waitAgain(order, undefined, klinesOf)',
      },
    ],
  },
  {
    name: 'newest of two new klines taken for closed',
    edits: [
      {
        file: 'src/market/sequences/kline-sequence.ts',
        find: 'if (index === fresh.length - 1 && !this.#isSettled(kline, askedAt)) break',
        replace: 'if (fresh.length === 1 && !this.#isSettled(kline, askedAt)) break',
      },
    ],
  },
  {
    name: 'fee in a third asset ignored',
    edits: [
      {
        file: 'src/ledger/balances.ts',
        find: 'charged.amount = subtract(charged.amount, fee)',
        replace: 'if (charged === base || charged === quote) charged.amount = subtract(charged.amount, fee)',
      },
    ],
  },
  {
    name: 'cap of a sell rounded past its slippage',
    edits: [
      {
        file: 'src/domain/market-data/market-cap.ts',
        find: "return roundToTicks(instrument, worst, side === 'buy' ? 'down' : 'up')",
        replace: "return roundToTicks(instrument, worst, 'down')",
      },
    ],
  },
  {
    name: 'request that does not wait for its commit',
    edits: [
      {
        file: 'src/exchange/call/call-attempt.ts',
        find: 'beforeSend: () => orKeepBack(commit)',
        replace: 'beforeSend: () => void setImmediate(commit)',
      },
    ],
  },
  {
    name: 'funding of a position that is gone not booked',
    edits: [
      {
        file: 'src/ledger/contracts.ts',
        find: 'fund({ book, amount, time }: FundingPayment, instrument: Instrument): void {\n',
        replace:
          'fund({ book, amount, time }: FundingPayment, instrument: Instrument): void {\n    if (this.of(book) === undefined) return\n',
      },
    ],
  },
  {
    name: 'exit not sent again',
    edits: [
      {
        file: 'src/engine/orders/unfinished-exits.ts',
        find: 'if (!isMarketExit(order.request)) return false',
        replace: 'if (isMarketExit(order.request)) return false',
      },
    ],
  },
  {
    name: 'trades seen not restored',
    edits: [
      {
        file: 'src/execution/sent-requests.ts',
        find: 'for (const [symbol, tradeId] of tradesSeen) this.#tradesSeen.set(symbol, tradeId)',
        replace: 'void tradesSeen',
      },
    ],
  },
  {
    name: 'id that the next session repeats',
    withoutJournal: true,
    edits: [
      {
        file: 'src/engine/strategy/strategy-runner.ts',
        find: '    this.#clock.begin(session.startedAt)\n',
        replace: '',
      },
      {
        file: 'src/domain/orders/client-order-id.ts',
        find: 'return session === undefined ? intent',
        replace: 'return session !== null ? intent',
      },
    ],
  },
]
