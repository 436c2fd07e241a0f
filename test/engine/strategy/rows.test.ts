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
    const isObserved = !inOneStep
    this.engine = new Engine({ bot: 'test', ledger: this.ledger, strategies: [traded], risk, isObserved })
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

/** True for a notice that an engine makes although nobody observes it. */
function isAlwaysTold({ type }: EngineOutput): boolean {
  return type !== 'signaled' && type !== 'fillBooked'
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
function inRows(steps: readonly Step[], instrument: Instrument, risk?: RiskRules) {
  const { strategy, seen } = noting(steps)
  const account = new Account(strategy, instrument, risk, true)
  const klines = seriesOf(steps)
  const { router } = account.engine
  router.announce(router.routeOf(BOOK), klines, 0, steps.length)
  let [next, stretches] = [0, 0]
  while (next < steps.length) {
    const closed = router.closeKlines(router.routeOf(BOOK), klines, next, steps.length)
    expect(closed.next).toBeGreaterThan(next)
    next = closed.next
    stretches++
    account.take(closed.outputs, next * MINUTE)
  }
  return { account, seen, stretches }
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
        expect(quick.account.notices).toEqual(usual.account.notices.filter(isAlwaysTold))
        expect(quick.account.engine.signals).toBe(usual.account.engine.signals)
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
