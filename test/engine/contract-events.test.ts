import { describe, expect, it } from 'vitest'
import type { EngineOutput } from '../../src/domain/events/engine-output.ts'
import type { Liquidation } from '../../src/domain/events/liquidation.ts'
import type { MarginMode, PositionMode } from '../../src/domain/futures-terms.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { type Amount, amountOf, amountToNumber, rateOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { Signal } from '../../src/domain/signal.ts'
import { Engine } from '../../src/engine/engine.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { defineStrategy, enterLong, enterShort, exit, type StrategyView } from '../../src/strategy/index.ts'
import { EngineSession, MARGIN, scripted } from './engine-session.ts'

const MINUTE = 60_000

/** Contracts of 0.001 BTC, held with ten times leverage. */
function contract(marginMode: MarginMode, positionMode: PositionMode = 'oneWay'): Instrument {
  return {
    ...MARGIN,
    accountType: 'futures',
    quantityPrecision: 0,
    contractSize: amountOf('0.001'),
    futures: { leverage: 10, marginMode, positionMode, maintenance: [{ rate: rateOf('0.01') }] },
  }
}

const liquidationAt = (price: number, quantity: number, fee = '0'): Liquidation => ({
  ...{ symbol: 'BTC/USDT', book: 'BTC/USDT', direction: 'long', fee: amountOf(fee) },
  ...{ quantity: steps(quantity * 1000), price: ticks(price * 100) },
})

const cashOf = (session: EngineSession) => amountToNumber(session.ledger.balances.of('USDT'))

/** A strategy that bought 10 at 100 with a stop-loss, and has an entry resting at 95. */
function holding(instrument: Instrument, script: Readonly<Record<number, Signal>> = {}): EngineSession {
  const bid = enterLong({ scaleIn: true, order: { type: 'limit', price: 95 } })
  const entry = enterLong({ size: { base: 10 }, stopLoss: 92 })
  const session = new EngineSession(scripted({ 0: entry, 1: bid, ...script }), { instrument, quote: '1000' })
  session.kline(100)
  session.fill(1, 100)
  session.kline(100)
  return session
}

describe('a position that the exchange takes over', () => {
  it.each<readonly [MarginMode, string, readonly string[], number]>([
    // All of its margin of 100 is lost: 10 × (91 − 100) − 10.
    ['isolated', '10', ['cancel 2'], 900],
    // The money that the entry needs goes with the position. 10 × (91 − 100) − 2.
    ['cross', '2', ['cancel 3', 'cancel 2'], 908],
  ])(
    'is closed at its price, with its protection, and with entries where all share one margin: %s',
    (...given) => {
      const [mode, fee, words, cash] = given
      const session = holding(contract(mode))
      const liquidation = liquidationAt(91, 10, fee)
      const event = { type: 'liquidated', liquidation, fillId: 'taken', time: 3 * MINUTE } as const
      expect(session.process(event)).toEqual(words)
      const told = session.outputs.slice(
        session.outputs.findIndex(({ type }) => type === 'positionLiquidated'),
      )
      expect(told[0]).toEqual({ type: 'positionLiquidated', liquidation, time: 3 * MINUTE })
      const booked = told.find(output => output.type === 'fillBooked')
      expect(booked?.fill).toMatchObject({
        ...{ id: 'taken', side: 'sell', price: 9100, quantity: 10_000, fee: amountOf(fee) },
        ...{ feeAsset: 'USDT', liquidity: 'taker', time: 3 * MINUTE },
      })
      expect(booked?.order.request.purpose).toBe('liquidation')
      expect([session.held, cashOf(session)]).toEqual([0, cash])
      expect(told.some(({ type }) => type === 'roundTripClosed')).toBe(true)
    },
  )

  it.each(['others', 'unknown'] as const)('has another purpose where it was closed by %s', by => {
    const session = holding(contract('isolated'))
    const liquidation = { ...liquidationAt(91, 10, '2'), by }
    session.process({ type: 'liquidated', liquidation, fillId: 'closed', time: 3 * MINUTE })
    const closed = session.outputs.find(output => output.type === 'roundTripClosed')
    expect(closed?.roundTrip.exitReason).toBe('outsideClose')
  })

  it('in part leaves the rest protected', () => {
    const session = holding(contract('isolated'))
    const liquidation = liquidationAt(90, 4)
    const event = { type: 'liquidated', liquidation, fillId: 'taken', time: 3 * MINUTE } as const
    expect(session.process(event)).toEqual(['resize 2 to 6'])
    expect(session.held).toBe(6)
  })

  it('takes entries of other contracts back where all share one margin, and none on spot', () => {
    const of = (symbol: string, instrument: Instrument): Instrument => ({ ...instrument, symbol })
    const spot: Instrument = { ...of('ETH/USDT', MARGIN), base: 'ETH' }
    const instruments = [contract('cross'), of('SOL/USDT', contract('cross')), spot]
    const money = [['USDT', amountOf('1000')]] as const
    const ledger = new Ledger(instruments, { futures: money, margin: money })
    const resting = enterLong({ size: { base: 1 }, order: { type: 'limit', price: 90 } })
    const strategies = instruments.map(({ symbol }) => ({
      ...{ symbol, parameters: {}, interval: '1m' as const, size: { base: 1 } },
      strategy: scripted({ 0: symbol === 'BTC/USDT' ? enterLong() : resting }),
    }))
    const engine = new Engine({ bot: 'test', ledger, strategies })
    const canceled = (outputs: readonly EngineOutput[]) =>
      outputs.flatMap(output => (output.type === 'cancelOrder' ? [output.symbol] : []))
    for (const { symbol } of instruments) {
      const kline = { openTime: 0, open: 100, high: 100, low: 100, close: 100, volume: 1 }
      for (const output of engine.process({ type: 'klineClosed', symbol, interval: '1m', kline })) {
        if (output.type !== 'placeOrder') continue
        const { clientOrderId, side, quantity, spec } = output.request
        for (const event of ['submitted', 'accepted'] as const)
          engine.process({ type: 'orderUpdated', clientOrderId, event, time: MINUTE })
        if (spec.type !== 'market') continue
        const fee = { fee: amountOf('0'), feeAsset: 'USDT', liquidity: 'taker' } as const
        const fill = { id: '1', clientOrderId, symbol, side, quantity, price: ticks(10_000), time: MINUTE }
        engine.process({ type: 'filled', fill: { ...fill, ...fee } })
      }
    }
    const event = {
      type: 'liquidated',
      liquidation: liquidationAt(90, 1),
      fillId: '2',
      time: 2 * MINUTE,
    } as const
    expect(canceled(engine.process(event))).toEqual(['SOL/USDT'])
  })
})

describe('what an exchange tells of contracts', () => {
  it('is booked: funding on money and margin, and a margin that somebody changed', () => {
    const session = holding(contract('isolated'))
    const margin = () => session.ledger.contracts.of('BTC/USDT')?.margin
    const before: Amount = margin() ?? amountOf('0')
    // 10 × 100 ÷ 10
    expect(before).toBe(amountOf('100'))
    const at = { symbol: 'BTC/USDT', book: 'BTC/USDT', time: 3 * MINUTE }
    const payment = { ...at, amount: amountOf('3'), rate: rateOf('0.003'), price: ticks(10_000) }
    expect(session.engine.process({ type: 'fundingPaid', payment })).toEqual([
      { type: 'fundingBooked', payment },
    ])
    expect([cashOf(session), margin()]).toEqual([997, amountOf('97')])
    expect(
      session.engine.process({ type: 'positionMarginReported', ...at, margin: amountOf('150') }),
    ).toEqual([])
    expect([cashOf(session), margin()]).toEqual([997, amountOf('150')])
  })

  it('counts: equity goes by the mark price', () => {
    const session = holding(contract('cross'))
    const mark = { type: 'markPriceSeen', symbol: 'BTC/USDT', price: ticks(9800), time: 3 * MINUTE } as const
    expect(session.engine.process(mark)).toEqual([])
    // 1000 + 10 × (98 − 100)
    expect(amountToNumber(session.ledger.equity('USDT'))).toBe(980)
  })

  it('is a loss of the strategy where it is funding', () => {
    const strategyRisk = {
      protections: { drawdown: { rate: rateOf('0.0025'), mode: 'reducing' as const } },
    }
    const session = new EngineSession(scripted({ 0: enterLong() }), {
      ...{ instrument: contract('isolated'), quote: '1000', strategyRisk },
    })
    session.kline(100)
    session.fill(1, 100)
    expect(session.kline(100)).toEqual([])
    const payment = {
      ...{ symbol: 'BTC/USDT', book: 'BTC/USDT', time: 2 * MINUTE },
      ...{ amount: amountOf('3'), rate: rateOf('0.03'), price: ticks(10_000) },
    }
    session.process({ type: 'fundingPaid', payment })
    // 3 of 1,000 are more than 0.25%.
    expect(session.kline(100)).toEqual(['scripted on BTC/USDT reducing'])
  })
})

describe('the margin of a position', () => {
  /** Holds 5 at 100, which take 50 of the 100 that there are. */
  function bought(script: Readonly<Record<number, Signal>>): EngineSession {
    const options = { instrument: contract('cross'), quote: '100' }
    const session = new EngineSession(scripted({ 0: enterLong({ size: { base: 5 } }), ...script }), options)
    session.kline(100)
    session.fill(1, 100)
    return session
  }

  it('comes free for what replaces it at market', () => {
    const session = bought({ 1: enterShort({ size: { base: 8 } }) })
    expect(session.kline(100)).toEqual(['exit sell 5 market reduceOnly', 'entry sell 8 market'])
  })

  it('does not come free by an exit that rests', () => {
    const resting = exit({ order: { type: 'limit', price: 110 } })
    const session = bought({ 1: resting, 2: enterLong({ size: { base: 8 }, scaleIn: true }) })
    expect(session.kline(100)).toEqual(['exit sell 5 limit 110 reduceOnly'])
    expect(session.kline(100)).toEqual(['denied by margin'])
  })
})

describe('long and short contracts side by side', () => {
  const { long, short } = { long: 'BTC/USDT:long', short: 'BTC/USDT:short' }
  const both = [enterLong({ size: { base: 3 }, tag: 'up' }), enterShort({ size: { base: 1 }, tag: 'down' })]

  function sides(script: Readonly<Record<number, Signal | readonly Signal[]>>) {
    const views: StrategyView[] = []
    const session = new EngineSession(
      defineStrategy({
        name: 'sides',
        state: () => ({ row: 0 }),
        onKline(_kline, context) {
          views[0] = context
          return script[context.state.row++]
        },
      }),
      { instrument: contract('cross', 'twoWay'), quote: '10000' },
    )
    const view = () => {
      if (views[0] === undefined) throw new Error('Nothing was shown.')
      return views[0]
    }
    return { session, view }
  }

  it('are held each in a book of its own, and seen each, together, and netted', () => {
    const { session, view } = sides({ 0: both })
    expect(session.kline(100)).toEqual(['entry buy 3 market', 'entry sell 1 market'])
    expect([1, 2].map(number => session.order(number).book)).toEqual([long, short])
    expect(view().position).toMatchObject({ direction: 'flat', quantity: 0 })
    session.fill(1, 100)
    session.fill(2, 102)
    const { position, positions, lots } = view()
    expect(position).toMatchObject({ direction: 'long', quantity: 2, entryPrice: 100 })
    expect(positions.long).toMatchObject({ direction: 'long', quantity: 3, entryPrice: 100 })
    expect(positions.short).toMatchObject({ direction: 'short', quantity: 1, entryPrice: 102 })
    expect(lots.map(({ direction, quantity, tag }) => [direction, quantity, tag])).toEqual([
      ['long', 3, 'up'],
      ['short', 1, 'down'],
    ])
  })

  it('are closed each by an exit of its own, which is sent again by itself', () => {
    const { session } = sides({ 0: both, 1: exit() })
    session.kline(100)
    session.fill(1, 100)
    session.fill(2, 100)
    expect(session.kline(100)).toEqual(['exit sell 3 market reduceOnly', 'exit buy 1 market reduceOnly'])
    session.fill(3, 100, 1)
    expect(session.update(4, 'rejected')).toEqual([])
    expect(session.update(3, 'expired')).toEqual(['exit sell 2 market reduceOnly'])
    expect(session.update(5, 'rejected')).toEqual([])
    expect(session.retry().toSorted()).toEqual([
      'exit buy 1 market reduceOnly',
      'exit sell 2 market reduceOnly',
    ])
    const books = [6, 7].map(number => `${session.order(number).side} ${session.order(number).book}`)
    expect(books.toSorted()).toEqual([`buy ${short}`, `sell ${long}`])
    session.fill(6, 100)
    session.fill(7, 100)
    expect([session.retry(), session.kline(100), session.engine.unfinishedExits]).toEqual([[], [], []])
  })

  it.each([
    // An entry of the other side is no reversal, and adds to that side.
    {
      signal: enterShort({ size: { base: 1 }, scaleIn: true }),
      orders: ['entry sell 1 market'],
      waits: true,
    },
    { signal: exit({ direction: 'short' }), orders: ['exit buy 1 market reduceOnly'], waits: true },
    { signal: enterLong(), orders: [], waits: false },
    { signal: exit({ direction: 'long' }), orders: ['exit sell 3 market reduceOnly'], waits: false },
  ])('an exit of one side that waits: $signal.type $signal.direction, it waits on: $waits', one => {
    const { session } = sides({ 0: both, 1: exit({ direction: 'long' }), 2: one.signal })
    session.kline(100)
    session.fill(1, 100)
    session.fill(2, 100)
    expect(session.kline(100)).toEqual(['exit sell 3 market reduceOnly'])
    session.update(3, 'rejected')
    const again = one.waits ? ['exit sell 3 market reduceOnly'] : []
    expect(session.kline(100)).toEqual([...one.orders, ...again])
    const last = session.placed.length
    if (one.waits) session.fill(last, 100)
    expect(session.ledger.position(long)?.quantity).toBe(one.waits ? undefined : 3000)
    expect(session.ledger.position(short)?.quantity).toBe(1000)
  })

  it('are netted the other way where more is short, and flat where as much', () => {
    const { session, view } = sides({ 0: both })
    session.kline(100)
    session.fill(2, 100)
    expect(view().position).toMatchObject({ direction: 'short', quantity: 1 })
    session.fill(1, 100, 1)
    expect(view().position).toMatchObject({ direction: 'flat', quantity: 0 })
    expect(Number.isNaN(view().position.entryPrice)).toBe(true)
  })

  it.each<readonly [string, Signal | readonly Signal[], readonly string[]]>([
    ['one', exit({ direction: 'long' }), ['exit sell 3 market reduceOnly']],
    ['the other', exit({ direction: 'short' }), ['exit buy 1 market reduceOnly']],
    ['both', exit(), ['exit sell 3 market reduceOnly', 'exit buy 1 market reduceOnly']],
    [
      'a part of each, neither of which waits for the other',
      [exit({ direction: 'long', fraction: 0.5 }), exit({ direction: 'short', fraction: 0.5 })],
      ['exit sell 1.5 market reduceOnly', 'exit buy 0.5 market reduceOnly'],
    ],
  ])('are closed as an exit says: %s', (_name, signal, words) => {
    const { session } = sides({ 0: both, 1: signal })
    session.kline(100)
    session.fill(1, 100)
    session.fill(2, 100)
    expect(session.kline(100)).toEqual(words)
  })

  it('are closed together by the operator', () => {
    const { session } = sides({ 0: both })
    session.kline(100)
    session.fill(1, 100)
    session.fill(2, 100)
    expect(session.command('flatten')).toEqual([
      'operator sell 3 market reduceOnly',
      'operator buy 1 market reduceOnly',
    ])
  })

  it('have exits that rest, which a full exit of their side alone takes the place of', () => {
    const resting = { type: 'limit', price: 110 } as const
    const rests = [
      exit({ direction: 'long', order: resting }),
      exit({ direction: 'short', order: { type: 'limit', price: 90 } }),
    ]
    const { session } = sides({ 0: both, 1: rests, 2: exit({ direction: 'short' }) })
    session.kline(100)
    session.fill(1, 100)
    session.fill(2, 100)
    expect(session.kline(100)).toEqual(['exit sell 3 limit 110 reduceOnly', 'exit buy 1 limit 90 reduceOnly'])
    expect(session.kline(100)).toEqual(['cancel 4'])
    expect(session.update(4, 'canceled')).toEqual(['exit buy 1 market reduceOnly'])
  })
})
