import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineOutput } from '../../../src/domain/events/engine-output.ts'
import { feeOf } from '../../../src/domain/fee.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { KlineRow, type KlineSeries } from '../../../src/domain/market-data/kline-series.ts'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import type { OrderRequest } from '../../../src/domain/orders/order-request.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { journalText } from '../../../src/journal/journal-text.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import type { RiskRules } from '../../../src/risk/risk-rules.ts'
import {
  cancelEntries,
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  protect,
  type Signals,
  type Strategy,
  sma,
} from '../../../src/strategy/index.ts'
import { MARGIN, SPOT } from '../engine-session.ts'

const MINUTE = 60_000
const BOOK = 'BTC/USDT'

/** A kline of a course: its close, how far it reached above and below that (all in cents), and what the strategy says on it. */
interface Step {
  readonly close: number
  readonly above: number
  readonly below: number
  readonly says: Signals
}

const SIGNALS: readonly Signal[] = [
  enterLong(),
  enterLong({ size: { quote: 300 }, tag: 'tagged' }),
  enterLong({ size: { equityFraction: 0.5 } }),
  enterLong({ stopLoss: { fraction: 0.02 } }),
  enterLong({ order: { type: 'limit', price: 96 }, expiresAfter: { klines: 2 } }),
  enterShort(),
  exit(),
  exit({ fraction: 0.5 }),
  cancelEntries(),
  protect({ trailingStop: { distance: 2 } }),
]

const anySteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    close: fc.integer({ min: 9700, max: 10_300 }),
    above: fc.nat(200),
    below: fc.nat(200),
    says: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 2, arbitrary: fc.constantFrom(...SIGNALS) },
      fc.constant([enterLong(), enterLong({ scaleIn: true })]),
    ),
  }),
  { minLength: 8, maxLength: 40 },
)

const WATCHED: RiskRules = {
  protections: { drawdown: { rate: rateOf('0.001'), mode: 'reducing', pauseMs: 3 * MINUTE } },
}

function seriesOf(steps: readonly Step[]): KlineSeries {
  const column = (of: (step: Step, row: number) => number) => Float64Array.from(steps, of)
  return {
    openTime: column((_step, row) => row * MINUTE),
    open: column(({ close }) => close / 100),
    high: column(({ close, above }) => (close + above) / 100),
    low: column(({ close, below }) => (close - below) / 100),
    close: column(({ close }) => close / 100),
    volume: column(() => 1),
  }
}

/** A strategy that says what the course has, and notes what it is shown. */
function noting(steps: readonly Step[]): { readonly strategy: Strategy; readonly seen: number[][] } {
  const seen: number[][] = []
  const strategy = defineStrategy({
    name: 'noting',
    indicators: () => ({ mean: sma(3) }),
    onKline({ openTime, close }, { time, price, indicators, position }) {
      seen.push([openTime, close, time, price, indicators.mean.value, position.quantity])
      return steps[openTime / MINUTE]?.says
    },
  })
  return { strategy, seen }
}

/** An engine whose orders at market fill at once at the latest price, and whose cancels are confirmed at once. */
class Account {
  readonly engine: Engine
  readonly ledger: Ledger
  readonly placed: OrderRequest[] = []
  readonly notices: EngineOutput[] = []
  readonly #instrument: Instrument
  readonly #inOneStep: boolean

  constructor(strategy: Strategy, instrument: Instrument, risk: RiskRules | undefined, inOneStep: boolean) {
    this.#instrument = instrument
    this.#inOneStep = inOneStep
    this.ledger = new Ledger([instrument], [['USDT', amountOf('1000')]])
    const traded = { strategy, parameters: {}, symbol: BOOK, interval: '1m', size: { base: 1 } } as const
    this.engine = new Engine({ bot: 'test', ledger: this.ledger, strategies: [traded], risk })
  }

  /** Carries out what followed at `time`, ms UTC. */
  take(outputs: readonly EngineOutput[], time: number): void {
    for (const output of outputs) {
      if (output.type === 'placeOrder') {
        this.placed.push(output.request)
        this.#accept(output.request, time)
      } else if (output.type === 'cancelOrder') {
        const { clientOrderId } = output
        this.take(this.engine.process({ type: 'orderUpdated', clientOrderId, event: 'canceled', time }), time)
      } else if (output.type !== 'orderChanged') this.notices.push(output)
    }
  }

  /** Books an order that was handed over alone. */
  fillAlone(request: OrderRequest, time: number): void {
    this.placed.push(request)
    this.ledger.bookAlone(this.#fillOf(request, time), request)
  }

  #accept(request: OrderRequest, time: number): void {
    const { clientOrderId, spec } = request
    if (!this.#inOneStep || !this.engine.acknowledge(request, time)) {
      for (const event of ['submitted', 'accepted'] as const)
        this.take(this.engine.process({ type: 'orderUpdated', clientOrderId, event, time }), time)
    }
    if (spec.type === 'market')
      this.take(this.engine.process({ type: 'filled', fill: this.#fillOf(request, time) }), time)
  }

  #fillOf({ clientOrderId, symbol, side, quantity, referencePrice: price }: OrderRequest, time: number) {
    const fee = feeOf(this.#instrument, side, price, quantity, 'taker')
    return {
      ...{ id: clientOrderId, clientOrderId, symbol, side, quantity, price, time },
      ...{ ...fee, liquidity: 'taker' as const },
    }
  }
}

/** Shows klines one by one, as a bot does. */
function oneByOne(steps: readonly Step[], instrument: Instrument, risk?: RiskRules) {
  const { strategy, seen } = noting(steps)
  const account = new Account(strategy, instrument, risk, false)
  const klines = seriesOf(steps)
  for (let row = 0; row < steps.length; row++) {
    const kline = new KlineRow(klines, row)
    const event = { type: 'klineClosed', symbol: BOOK, interval: '1m', kline } as const
    account.take(account.engine.process(event), (row + 1) * MINUTE)
  }
  return { account, seen }
}

/** Shows klines in stretches, as a backtest does. */
function inRows(steps: readonly Step[], instrument: Instrument, risk?: RiskRules, takesLone = false) {
  const { strategy, seen } = noting(steps)
  const account = new Account(strategy, instrument, risk, true)
  const klines = seriesOf(steps)
  const { router } = account.engine
  router.announce(BOOK, klines, 0, steps.length)
  let [next, stretches, lone, loneSignals] = [0, 0, 0, 0]
  while (next < steps.length) {
    const closed = router.closeKlines(BOOK, klines, next, steps.length, takesLone)
    expect(closed.next).toBeGreaterThan(next)
    next = closed.next
    stretches++
    loneSignals += closed.loneSignals
    account.take(closed.outputs, next * MINUTE)
    if (closed.lone === undefined) continue
    lone++
    account.fillAlone(closed.lone, next * MINUTE)
  }
  return { account, seen, stretches, lone, loneSignals }
}

describe('klines that are closed in stretches', () => {
  it.each([
    ['a margin account', MARGIN, undefined],
    ['a spot account', SPOT, undefined],
    ['an account that a protection watches', MARGIN, WATCHED],
  ])('come to the same as one by one on %s', (_name, instrument, risk) => {
    let [rows, stretches] = [0, 0]
    fc.assert(
      fc.property(anySteps, steps => {
        const [usual, quick] = [oneByOne(steps, instrument, risk), inRows(steps, instrument, risk)]
        expect(quick.seen).toEqual(usual.seen)
        expect(quick.account.placed).toEqual(usual.account.placed)
        expect(quick.account.notices).toEqual(usual.account.notices)
        expect(journalText(quick.account.engine.snapshot())).toBe(
          journalText(usual.account.engine.snapshot()),
        )
        rows += steps.length
        stretches += quick.stretches
      }),
      { numRuns: 40 },
    )
    expect(stretches).toBeLessThan(rows * 0.8)
  })
})

describe('lone orders of a spot account', () => {
  it('are those that the usual way places, and leave the same money', () => {
    let lone = 0
    fc.assert(
      fc.property(anySteps, steps => {
        const [usual, quick] = [oneByOne(steps, SPOT), inRows(steps, SPOT, undefined, true)]
        expect(quick.seen).toEqual(usual.seen)
        expect(quick.account.placed).toEqual(usual.account.placed)
        const [told, expected] = [quick, usual].map(({ account }) =>
          account.notices.filter(({ type }) => type === 'denied'),
        )
        expect(told).toEqual(expected)
        for (const asset of ['USDT', 'BTC'])
          expect(quick.account.ledger.balances.of(asset)).toBe(usual.account.ledger.balances.of(asset))
        lone += quick.lone
      }),
      { numRuns: 60 },
    )
    expect(lone).toBeGreaterThan(10)
  })

  const flat = (says: Signals): Step => ({ close: 10_000, above: 0, below: 0, says })
  /** The course after three klines of warm-up. */
  const said = (signals: readonly Signals[], takesLone = true) =>
    inRows([undefined, undefined, undefined, ...signals].map(flat), SPOT, undefined, takesLone)

  it.each<readonly [string, readonly Signals[], number, number]>([
    ['an entry', [enterLong()], 1, 1],
    ['an entry with size and tag', [enterLong({ size: { quote: 300 }, tag: 'a' })], 1, 1],
    ['an entry and the exit from it', [enterLong(), exit({ tag: 'out' })], 2, 2],
    ['an entry where one is held', [enterLong(), enterLong()], 1, 2],
    ['an exit where nothing is held', [exit()], 0, 1],
    ['taking back what is not there', [cancelEntries()], 0, 1],
    ['a short entry', [enterShort()], 0, 0],
    ['an entry with a stop-loss', [enterLong({ stopLoss: 90 })], 0, 0],
    ['half an exit', [enterLong(), exit({ fraction: 0.5 })], 1, 1],
    ['an entry by risk, without a stop-loss', [enterLong({ size: { riskFraction: 0.1 } })], 0, 0],
    ['an entry that is too small', [enterLong({ size: { quote: 4 } })], 0, 0],
    ['a list', [[enterLong(), exit()]], 0, 0],
    ['nothing', [undefined], 0, 0],
    [
      'an entry beside one that rests',
      [enterLong({ order: { type: 'limit', price: 90 } }), enterLong()],
      0,
      0,
    ],
  ])('%s: lone or not', (_name, signals, lone, loneSignals) => {
    const quick = said(signals)
    expect([quick.lone, quick.loneSignals]).toEqual([lone, loneSignals])
    expect(quick.account.notices.filter(({ type }) => type === 'signaled').length).toBe(
      signals.flat().filter(signal => signal !== undefined).length - loneSignals,
    )
  })

  it('are none where nobody takes them', () => {
    const { lone, account } = said([enterLong()], false)
    expect([lone, account.placed.length]).toEqual([0, 1])
  })

  it('are none on margin, whose orders need more than is owned', () => {
    const steps = [undefined, undefined, undefined, enterLong()].map(flat)
    const { lone, account } = inRows(steps, MARGIN, undefined, true)
    expect([lone, account.placed.length]).toEqual([0, 1])
  })

  it.each([['onFill'], ['onOrder']])('are none of a strategy that wants to be told of them: %s', handler => {
    const told: unknown[] = []
    const strategy = defineStrategy({
      ...{ name: 'told', onKline: () => enterLong() },
      [handler]: (what: unknown) => {
        told.push(what)
        return undefined
      },
    })
    const account = new Account(strategy, SPOT, undefined, true)
    const closed = account.engine.router.closeKlines(BOOK, seriesOf([flat(undefined)]), 0, 1, true)
    expect([closed.lone, closed.outputs.map(({ type }) => type)]).toEqual([
      undefined,
      ['signaled', 'placeOrder'],
    ])
    account.take(closed.outputs, MINUTE)
    expect(told.length).toBeGreaterThan(0)
  })

  it.each([
    ['a wrong size', { size: { base: -1 } }],
    ['no direction', { direction: undefined }],
  ])('of a signal with %s are none: the strategy fails', (_name, wrong) => {
    const { lone, account } = said([{ ...enterLong(), ...wrong } as Signal])
    expect(lone).toBe(0)
    expect(account.notices.map(({ type }) => type)).toEqual(['strategyFailed'])
  })
})
