import { describe, expect, it } from 'vitest'
import { LiveRecord } from '../../src/compare/live-record.ts'
import { matchedOrders } from '../../src/compare/matched-orders.ts'
import { MoneyDifference } from '../../src/compare/money-difference.ts'
import { EXACT_UNIT } from '../../src/compare/order-money.ts'
import { TradingRecord } from '../../src/compare/trading-record.ts'
import type { EngineOutput, Notice } from '../../src/domain/events/engine-output.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { type Amount, amountOf, amountToNumber, rateOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import { type Order, pendingOrder } from '../../src/domain/orders/order.ts'
import type { OrderDraft } from '../../src/domain/orders/order-request.ts'
import type { OrderStatus } from '../../src/domain/orders/order-status.ts'
import { idleSession } from '../bot/state/idle-session.ts'
import { SPOT_BTC } from '../domain/instruments.ts'
import { fillOf, requestOf } from '../ledger/order-parts.ts'

const FREE: Instrument = { ...SPOT_BTC, fees: { maker: rateOf('0'), taker: rateOf('0'), paidIn: 'quote' } }

interface Done {
  readonly purpose: OrderDraft['purpose']
  /** BTC that it has when it ends. */
  readonly quantity: string
  /** BTC that it was placed with; default: `quantity`. */
  readonly placed?: string
  readonly price: string
  readonly decidedAt: number
  /** When it filled, ms; default: at once. */
  readonly filledAt?: number
  readonly fee?: string
  /** Default: that of the market. */
  readonly book?: string
  /** True if it was canceled without a fill instead. */
  readonly isCanceled?: true
}

const ENTRY: Done = { purpose: 'entry', quantity: '4', price: '100.01', decidedAt: 1000 }
/** Placed at the first fill of its entry, over 2.4; over all 4 from the second one on. */
const STOP: Done = { purpose: 'stopLoss', quantity: '4', placed: '2.4', price: '95.99', decidedAt: 1000 }
const PLAYED: readonly Done[] = [
  { ...ENTRY, price: '100.02' },
  { ...STOP, placed: '4', filledAt: 60_000 },
]
/** It fills after the part of another is closed. */
const SMALLER_STOP: Done = { ...STOP, quantity: '3', price: '95.49', filledAt: 97_000 }

/** Outputs of an engine for an order from its placement to its whole fill. */
function outputsOf({ placed, ...done }: Done): readonly EngineOutput[] {
  const { purpose, decidedAt, filledAt = decidedAt, quantity, price, fee = '0' } = done
  const size = (base: string) => steps(Number(amountOf(base) / 10n ** 15n))
  const isProtective = purpose === 'stopLoss'
  const request = requestOf({
    ...{ purpose, decidedAt, clientOrderId: `${purpose}0000-${decidedAt}` },
    ...(done.book !== undefined && { book: done.book }),
    side: purpose === 'entry' ? 'buy' : 'sell',
    quantity: size(placed ?? quantity),
    ...(isProtective && {
      spec: { type: 'stop' as const, stopPrice: requestOf().referencePrice },
      protects: `entry0000-${decidedAt}`,
    }),
  })
  if (done.isCanceled) {
    const canceled = { ...pendingOrder(request), status: 'canceled' as const }
    return [{ type: 'orderChanged', order: canceled, time: filledAt }]
  }
  const status: OrderStatus = 'filled'
  const whole = { ...request, quantity: size(quantity) }
  return [
    { type: 'orderChanged', order: pendingOrder(request), time: decidedAt },
    ...(placed === undefined || placed === quantity
      ? []
      : [
          {
            type: 'resizeOrder' as const,
            ...{ clientOrderId: request.clientOrderId, symbol: 'BTC/USDT', quantity: size(quantity) },
          },
        ]),
    {
      type: 'fillBooked',
      order: { ...pendingOrder(whole), status, filledQuantity: whole.quantity },
      fill: fillOf(whole, { price, quantity, fee, time: filledAt }),
    },
  ]
}

/** Compares live orders with those of a backtest, at a price of 95.50 in the end. */
function difference(
  live: readonly Done[],
  played = PLAYED,
  observe: (record: LiveRecord, backtest: TradingRecord) => void = () => {},
  isChangedAt: (time: number) => boolean = () => false,
): MoneyDifference {
  const record = new LiveRecord({ time: 0, session: idleSession(FREE) })
  const backtest = new TradingRecord()
  observe(record, backtest)
  for (const done of live)
    record.take({
      ...{ seq: 1, kind: 'event', time: done.filledAt ?? done.decidedAt },
      body: { type: 'pricesSeen' },
      decisions: outputsOf(done),
    })
  for (const output of played.flatMap(outputsOf))
    if (output.type === 'orderChanged' || output.type === 'fillBooked') backtest.take(output)
  return new MoneyDifference(
    {
      pairs: matchedOrders(
        record.trading.orders,
        backtest.orders,
        () => true,
        () => 60_000,
      ),
      evidence: { live: record, backtest, streamOf: () => 'BTC/USDT 1m', isChangedAt },
      instrumentOf: () => FREE,
      markOf: () => amountOf('95.5'),
      startEquity: amountOf('10000'),
      hasHole: () => false,
    },
    { live: [], backtest: [] },
  )
}

function partsIn({ parts }: MoneyDifference): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([part, amount]) =>
      amount === 0n ? [] : [[part, amountToNumber((amount / EXACT_UNIT) as Amount)]],
    ),
  )
}

describe('a part of a position that went before its stop sold the rest', () => {
  // At 95.50 the entry has 4 x 0.01 more. The stop sold 3 in both runs, 3 x 0.50 cheaper live. The backtest sold a
  // fourth at 95.99, 0.49 above 95.50; live had closed that one at 100.00, 4.50 above it.
  const SOLD: Done = { purpose: 'outsideClose', quantity: '1', price: '100', decidedAt: 79_000 }

  it.each([
    ['outsideClose', 'outside'],
    ['operator', 'operator'],
  ] as const)('by %s: the stop sold less for the same cause', (purpose, part) => {
    const found = difference([ENTRY, { ...SOLD, purpose }, SMALLER_STOP])
    expect(partsIn(found)).toEqual({ spread: 0.04, restingOrders: -1.5, [part]: 4.01 })
    expect(found.orders.map(({ live }) => live?.request.purpose)).toEqual(['entry', 'stopLoss', purpose])
  })

  it('without any trace: the order is marked, also where most of its difference has a cause', () => {
    const found = difference([ENTRY, SMALLER_STOP])
    expect(partsIn(found)).toEqual({ spread: 0.04, restingOrders: -1.5, unexplained: -0.49 })
    expect(found.orders.map(({ cause }) => cause)).toEqual(['spread', 'unexplained'])
  })
})

describe('a position that the backtest left while the bot was down', () => {
  // The bot lived through no close at 60 s, and read it afterwards.
  const observe = (record: LiveRecord) => {
    const kline = { openTime: 0, open: 100, high: 100, low: 96, close: 97, volume: 1 }
    const body = { type: 'historySeen', symbol: 'BTC/USDT', interval: '1m', kline }
    record.take({ seq: 1, kind: 'event', time: 90_000, body, decisions: [] })
  }
  const EXIT: Done = { purpose: 'exit', quantity: '4', price: '97', decidedAt: 60_000 }
  const played = [ENTRY, { ...STOP, placed: '4', isCanceled: true as const, filledAt: 60_000 }, EXIT]

  it('and that a stop closed live is one cause: the exit sold at 97.00 what the stop sold at 95.49', () => {
    const found = difference([ENTRY, { ...STOP, price: '95.49', filledAt: 97_000 }], played, observe)
    expect(partsIn(found)).toEqual({ restarts: -6.04 })
  })

  it('and that was larger live keeps the cause of its size apart', () => {
    // Live bought 0.002 more at 100.01, and sold them at 95.49.
    const more = (one: Done): Done => ({ ...one, quantity: '4.002' })
    const stop = more({ ...STOP, price: '95.49', filledAt: 97_000 })
    const found = difference([more(ENTRY), stop], played, observe)
    expect(partsIn(found)).toEqual({ sizes: -0.00904, restarts: -6.04 })
  })
})

describe('a position that the exchange liquidated', () => {
  const CANCELED: Done = { ...STOP, placed: '4', isCanceled: true }

  // The stop of the backtest sold 4 at 95.99, 4 x 0.49 above the price at the end; live they went at 90.00, 4 x 5.50 below it.
  it.each([30_000, 79_000])('at %d ms is one cause with the stop that it forestalled', decidedAt => {
    const liquidation: Done = { purpose: 'liquidation', quantity: '4', price: '90', decidedAt }
    const found = difference([ENTRY, { ...CANCELED, filledAt: decidedAt }, liquidation])
    expect(partsIn(found)).toEqual({ spread: 0.04, outside: -23.96 })
  })

  it('does not answer for a stop that another exit made superfluous before', () => {
    const exit: Done = { purpose: 'exit', quantity: '4', price: '96', decidedAt: 20_000 }
    const found = difference([ENTRY, { ...CANCELED, filledAt: 20_000 }, exit])
    expect(partsIn(found).outside).toBeUndefined()
  })
})

describe('a liquidation of both runs', () => {
  const LIQUIDATED: Done = {
    purpose: 'liquidation',
    quantity: '4',
    price: '90',
    fee: '0.5',
    decidedAt: 60_000,
  }

  it('is one amount: what its price leaves is in its fee', () => {
    // At 95.50: live 4 x -5.50 less 0.50, which is -22.50; the backtest 4 x -5 less 2.60, which is -22.60.
    const played: Done = { ...LIQUIDATED, price: '90.5', fee: '2.6' }
    const found = difference([ENTRY, LIQUIDATED], [{ ...ENTRY, price: '100.02' }, played])
    expect(partsIn(found)).toEqual({ spread: 0.04, outside: 0.1 })
  })

  it('of another size leaves the cause of the size its share', () => {
    // 4 x (90 - 90.50) are -2; 0.002 more lost 0.002 x 5.50 here, and had lost 0.002 x 4.51 by its entry.
    const [more, gone] = [ENTRY, LIQUIDATED].map(one => ({ ...one, quantity: '4.002', fee: '0' }))
    const played: Done = { ...LIQUIDATED, price: '90.5', fee: '0' }
    const found = difference([more as Done, gone as Done], [ENTRY, played])
    expect(partsIn(found)).toEqual({ outside: -2, sizes: -0.02002 })
  })
})

describe('a liquidation of the backtest alone', () => {
  const [MINUTE, LEVEL] = [60_000, 89.5]
  const played: readonly Done[] = [
    { ...ENTRY, price: '100.02' },
    { purpose: 'liquidation', quantity: '4', price: '90', decidedAt: MINUTE },
    { ...ENTRY, decidedAt: 3 * MINUTE },
  ]

  /** Causes of all orders where live would be liquidated at 89.50, and the kline falls to `low`. */
  const causesAt = (low: number, mark?: number) =>
    difference([ENTRY], played, record => {
      record.noteLiquidationPrices(new Map([['BTC/USDT', LEVEL]]), 1000)
      if (mark !== undefined) {
        const price = ticks(Math.round(mark * 100))
        const body = { type: 'markPriceSeen', symbol: 'BTC/USDT', price, time: 2 * MINUTE }
        record.take({ seq: 1, kind: 'event', time: 2 * MINUTE, body, decisions: [] })
      }
      const kline = { openTime: MINUTE, open: 92, high: 92, low, close: 91, volume: 1 }
      const body = { type: 'klineClosed', symbol: 'BTC/USDT', interval: '1m', kline }
      record.take({ seq: 2, kind: 'event', time: 2 * MINUTE, body, decisions: [] })
    }).orders.map(({ cause }) => cause)

  it('is no defect where the price did not reach the liquidation price of live, nor is what follows from it', () => {
    expect(causesAt(89.51)).toEqual(['spread', 'outside', 'outside'])
  })

  it('nor where the mark price was seen short of it, by which an exchange liquidates', () => {
    expect(causesAt(89.5, 89.51)).toEqual(['spread', 'outside', 'outside'])
  })

  it.each([undefined, 89.5])(
    'is one where the price reached it and the exchange did nothing (mark %s)',
    mark => {
      expect(causesAt(89.5, mark)).toEqual(['spread', 'unexplained', 'unexplained'])
    },
  )

  it('nor where live was liquidated as well, and the bot learned of that only later', () => {
    const live: Done = { purpose: 'liquidation', quantity: '4', price: '90', decidedAt: 4 * MINUTE }
    const found = difference([ENTRY, { ...live, filledAt: 1.5 * MINUTE }], played.slice(0, 2))
    expect(found.orders.map(({ cause }) => cause)).toEqual(['spread', 'outside', 'outside'])
  })

  it('counts live from when the bot knew of it: until then sizes followed from an account that was worth more', () => {
    // Bought 4 at 100.01 and sold at 50.00, the backtest has 4 x 45.50 less than live, which still holds: 1.82% of 10,000.
    const gone: Done = { purpose: 'liquidation', quantity: '4', price: '50', decidedAt: MINUTE }
    const other: Done = { ...ENTRY, decidedAt: 2 * MINUTE, book: 'other' }
    const found = difference(
      [ENTRY, { ...gone, decidedAt: 3 * MINUTE, filledAt: 1.5 * MINUTE }, other],
      [ENTRY, gone, { ...other, quantity: '3.93' }],
    )
    expect(found.orders.map(({ cause }) => cause)).toEqual([undefined, 'outside', 'sizes', 'outside'])
  })

  it('follows from what came before where live held nothing then', () => {
    const held = difference([], played)
    expect(held.orders.map(({ cause }) => cause)).toEqual(['unexplained', 'unexplained', 'unexplained'])
  })
})

it('compares the quantity that a stop has in the end, not that of the first fill of its entry', () => {
  const found = difference([ENTRY, { ...STOP, price: '95.49', filledAt: 97_000 }])
  expect(found.orders.map(({ live }) => live?.request.quantity)).toEqual([4000, 4000])
  expect(partsIn(found)).toEqual({ spread: 0.04, restingOrders: -2 })
})

describe('another size', () => {
  const [EXIT, AGAIN]: [Done, Done] = [
    { ...ENTRY, purpose: 'exit', price: '100', decidedAt: 61_000 },
    { ...ENTRY, decidedAt: 121_000 },
  ]

  it('is found anew by each entry: an explained one before it does not explain a sixth more', () => {
    // Two steps of 0.001 more are rounding; 4.6 would need an account that is worth 15% more, and both runs are worth the same.
    const [more, out] = [
      { ...ENTRY, quantity: '4.002' },
      { ...EXIT, quantity: '4.002' },
    ]
    const found = difference([more, out, { ...AGAIN, quantity: '4.6' }], [ENTRY, EXIT, AGAIN])
    expect(found.orders.map(({ cause }) => cause)).toEqual(['sizes', 'sizes', 'unexplained'])
  })

  it('of a target follows from what the run holds more', () => {
    // Both want 8: live, which holds 4.002, needs 3.998.
    const more = { ...ENTRY, quantity: '4.002' }
    const found = difference([more, { ...AGAIN, quantity: '3.998' }], [ENTRY, AGAIN])
    expect(found.orders.map(({ cause }) => cause)).toEqual(['sizes', 'sizes'])
  })
})

describe('an entry of live that the backtest was held from', () => {
  const MINUTE = 60_000
  const trade: Done = { ...ENTRY, decidedAt: 5 * MINUTE }
  const held = (time: number, since?: number): EngineOutput => ({
    ...{ type: 'tradingStateChanged', scope: {}, before: 'active', mode: 'reducing', time },
    holds:
      since === undefined ? [] : [{ mode: 'reducing', source: 'dailyLoss', reason: 'It lost much.', since }],
  })

  /** Cause of the entry where the backtest was held since a time, and live from the first to the second minute. */
  function causeOf(backtestSince: number, command: 'resume' | undefined) {
    const found = difference([trade], [], (record, backtest) => {
      const events = [
        { time: MINUTE, body: { type: 'pricesSeen' }, decisions: [held(MINUTE, MINUTE)] },
        {
          time: 2 * MINUTE,
          body:
            command === undefined
              ? { type: 'pricesSeen' }
              : { type: 'tradingCommanded', command, by: 'operator', reason: 'On.', time: 2 * MINUTE },
          decisions: [held(2 * MINUTE)],
        },
      ]
      for (const event of events) record.take({ seq: 1, kind: 'event', ...event })
      backtest.take(held(backtestSince, backtestSince) as Notice)
      const intent = requestOf({ clientOrderId: `entry0000-${5 * MINUTE}` })
      backtest.take({
        ...{ type: 'denied', time: 5 * MINUTE },
        denial: { rule: 'tradingState', limit: '', actual: '', message: '', intent },
      } as unknown as Notice)
    })
    return found.orders.map(({ cause }) => cause)
  }

  it('is one of a command where the operator lifted that hold live', () => {
    expect(causeOf(MINUTE, 'resume')).toEqual(['operator'])
  })

  it('is held where the hold ended by itself, or the backtest was held anew since', () => {
    expect(causeOf(MINUTE, undefined)).toEqual(['held'])
    expect(causeOf(3 * MINUTE, 'resume')).toEqual(['held'])
  })
})

describe('an order at market that was decided on a kline of a feed', () => {
  // Decided at a close of 100.00; as it left, 100.99 was bid and 101.01 asked.
  const MINUTE = 60_000
  const ORDER: Done = { purpose: 'entry', quantity: '4', price: '101.01', decidedAt: 5 * MINUTE }

  /** Parts where the kline of the feed is shown that late, ms, and the own one in time. */
  const partsAt = (lateMs: number) => {
    const time = ORDER.decidedAt + lateMs
    const decided = outputsOf(ORDER)
    const [{ order }] = decided as unknown as readonly [{ readonly order: Order }]
    const found = difference([{ ...ORDER, filledAt: time + 100 }], [{ ...ORDER, price: '100' }], record => {
      const kline = { openTime: 4 * MINUTE, open: 100, high: 100, low: 100, close: 100, volume: 1 }
      const own = { type: 'klineClosed', symbol: 'BTC/USDT', interval: '1m', kline }
      const feed = { ...own, interval: '5m', kline: { ...kline, openTime: 0 } }
      const { request } = order
      const { clientOrderId } = request
      const decisions = [{ type: 'placeOrder', request }]
      record.take({ seq: 1, kind: 'event', time: ORDER.decidedAt + 200, body: own, decisions: [] })
      record.take({ seq: 2, kind: 'event', time, body: feed, decisions })
      const quote = { bid: 100.99, ask: 101.01 }
      const sent = { action: 'place', clientOrderId, timestamp: time + 50, quote }
      record.take({ seq: 3, kind: 'send', time: time + 50, body: sent, decisions: undefined })
    })
    return partsIn(found)
  }

  // 4 x 1.00 from the close to the middle of the market that it left at, and 4 x 0.01 from there to what was asked.
  it.each([
    [9000, 'latency'],
    [70_000, 'lateKlines'],
  ] as const)('is late by the showing of that one: %i ms are %s', (lateMs, part) => {
    expect(partsAt(lateMs)).toEqual({ [part]: -4, spread: -0.04 })
  })
})

describe('an order that one run placed while one of before was on its way', () => {
  // Decided on the kline that closed at 60 s, shown at 61 s; the entry of before was booked at 62 s.
  const observe = (record: LiveRecord) => {
    const kline = { openTime: 0, open: 100, high: 100, low: 96, close: 97, volume: 1 }
    const body = { type: 'klineClosed', symbol: 'BTC/USDT', interval: '1m', kline }
    record.take({ seq: 1, kind: 'event', time: 61_000, body, decisions: [] })
  }
  const [late, exit]: [Done, Done] = [
    { ...ENTRY, filledAt: 62_000 },
    { ...ENTRY, purpose: 'exit', price: '97', decidedAt: 60_000 },
  ]
  const causesOf = (live: readonly Done[], played: readonly Done[], isChanged: boolean) =>
    difference(live, played, observe, () => isChanged).orders.map(({ cause }) => cause)

  it.each([
    [false, 'latency'],
    [true, 'changedStrategy'],
  ] as const)('is one of latency, unless other code ran (%s): %s', (isChanged, cause) => {
    expect(causesOf([late], [ENTRY, exit], isChanged)).toEqual([undefined, cause])
    expect(causesOf([late, exit], [ENTRY], isChanged)).toEqual([undefined, cause])
  })
})
