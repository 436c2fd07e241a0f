import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import { closeTimeOf } from '../../../src/domain/market-data/interval.ts'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import type { Transport } from '../../../src/exchange/http/transport.ts'
import { marketStreams } from '../../../src/market/delivery/market-streams.ts'
import { clockScheduler } from '../../../src/market/polls/clock-scheduler.ts'
import { planPolls } from '../../../src/market/polls/plan-polls.ts'
import type { PollPlan } from '../../../src/market/polls/poll-plan.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { inProcessTransport } from '../../in-process-transport.ts'
import type { BenchRow, Measured } from '../bench-row.ts'
import { quantile } from '../quantile.ts'

/** Of polled klines and tickers alone; a kline waits for those that are shown before it. */
const EXPECTED: readonly string[] = ['kline', 'klineWaiting', 'ticker']
const SYMBOLS = Array.from({ length: 200 }, (_, index) => `C${index}/USDT`)
const MINUTES = 10
const MINUTE = 60_000
const START = Date.UTC(2026, 0, 1)
/** One way of a call, ms: the median and the spread of a lognormal distribution. */
const [WAY_MS, WAY_SPREAD] = [40, 0.3]
/** Mean of two ways. */
const CALL_MS = 2 * WAY_MS * Math.exp(WAY_SPREAD ** 2 / 2)

interface Delivery {
  readonly plan: PollPlan
  /** From the close of each kline to its delivery, ms. */
  readonly delays: readonly number[]
  /** Weight a minute that the client's own budget counted, at most. */
  readonly weight: number
}

/**
 * Follows 1-minute klines and tickers (every second) of 200 symbols of the simulated exchange on virtual time, so that the
 * figures do not hang on the machine. Klines are delivered in the one order of all symbols. Beside each figure stands the
 * best that the plan can do.
 */
export function marketDelivery(): readonly BenchRow[] {
  let followed: Promise<Delivery> | undefined
  const measured = (measure: (delivery: Delivery) => Measured) => async () => {
    followed ??= follow()
    return measure(await followed)
  }
  return [
    {
      name: '1m klines of 200 symbols, from close to delivery, p50 (bare: the plan)',
      unit: 'ms',
      run: measured(({ plan, delays }) => ({
        value: quantile(delays, 0.5),
        floor: plan.klineDelivery?.p50Ms ?? Number.NaN,
      })),
    },
    {
      name: 'the same, p99',
      unit: 'ms',
      run: measured(({ plan, delays }) => ({
        value: quantile(delays, 0.99),
        floor: plan.klineDelivery?.p99Ms ?? Number.NaN,
      })),
    },
    {
      name: 'the same with tickers every second, of 12,000 a minute (bare: the plan)',
      unit: 'weight',
      run: measured(({ plan, weight }) => ({ value: weight, floor: plan.weight.perMinute })),
    },
  ]
}

async function follow(): Promise<Delivery> {
  const clock = new VirtualClock(START + 5000)
  const exchange = createSimulatedExchange({
    listings: SYMBOLS.map(symbol => ({ symbol, market: { type: 'generated', historyKlines: 20 } })),
    keptInputs: 0,
  })
  const transport = withLatency(inProcessTransport(exchange, clock), clock)
  const client = createExchangeClient({ spotUrl: 'http://127.0.0.1', clock, transport })
  const wanted = SYMBOLS.flatMap(symbol => [
    { type: 'klines', market: 'spot', symbol, interval: '1m' } as const,
    { type: 'ticker', market: 'spot', symbol, everyMs: 1000 } as const,
  ])
  const plan = planPolls(wanted, {
    weightPerMinute: 12_000,
    orderShare: 0.25,
    klineDelayMs: 500,
    callsPerSecond: 400,
    callMs: CALL_MS,
  })
  const usage = () => client.state().calls.ip
  const streams = marketStreams({
    plan,
    client,
    scheduler: clockScheduler(clock),
    random: seededRandom(1).uniform,
    usage,
    staleAfterMs: 30_000,
    mergeWaitMs: 5000,
  })
  const delays: number[] = []
  const subscription = streams.events$.subscribe(event => {
    if (!EXPECTED.includes(event.type)) throw new Error(`There was a ${event.type} event.`)
    if (event.type === 'kline') delays.push(clock.now() - closeTimeOf(event.kline.openTime, event.interval))
  })
  let weight = 0
  for (let minute = 1; minute <= MINUTES; minute++) {
    await clock.advanceTo(START + minute * MINUTE + 30_000)
    weight = Math.max(weight, usage().used)
  }
  subscription.unsubscribe()
  if (delays.length !== MINUTES * SYMBOLS.length) throw new Error(`${delays.length} klines were delivered.`)
  return { plan, delays, weight }
}

function withLatency(carry: Transport, clock: VirtualClock): Transport {
  const { normal } = seededRandom(2)
  const way = () =>
    new Promise<void>(resolve => void clock.schedule(WAY_MS * Math.exp(WAY_SPREAD * normal()), resolve))
  return async request => {
    await way()
    const response = await carry(request)
    await way()
    return response
  }
}
