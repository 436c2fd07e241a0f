import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { klinesOfTrades } from '../../../backtest/ticks/klines-of-trades.ts'
import type { TickData } from '../../../backtest/ticks/tick-data.ts'
import { cancelEntries, defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import type { BenchRow } from '../bench-row.ts'
import { median } from '../median.ts'
import { repeatedTicks } from './repeated-ticks.ts'
import { backtestOptions } from './sluice-backtest.ts'

const TIMES = 20
const [WARM_UP_RUNS, RUNS] = [2, 7]

/** Rests a bid just below the market in nearly every minute, and a stop-loss and a take-profit at what it buys. */
const bidder = defineStrategy({
  name: 'bidder',
  onKline({ close }, { position, orders }) {
    if (position.direction !== 'flat') return
    if (orders.length > 0) return cancelEntries()
    return enterLong({
      order: { type: 'limit', price: close * 0.9999 },
      stopLoss: { fraction: 0.001 },
      takeProfit: { fraction: 0.001 },
    })
  },
})

const loaded = await repeatedTicks(TIMES)

/** Orders matched on recorded trades and best prices, warm, in CPU time; no row where these are absent. */
export function ticksWarm(): readonly BenchRow[] {
  if (loaded === undefined) return []
  const ticks = loaded
  const events = ticks.trades.length + (ticks.books?.length ?? 0)
  const options = {
    ...backtestOptions(klinesOfTrades(ticks.trades, '1m'), 10_000),
    ...{ ticks, strategy: bidder, parameters: {}, size: { equityFraction: 0.1 } },
  }
  const speedOf = (run: () => unknown): number => {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    return events / ((user + system) / 1e6)
  }
  const both = () => ({ value: speedOf(() => runBacktest(options)), floor: speedOf(() => bareTicks(ticks)) })
  return [
    {
      name: `ticks: six real minutes ${TIMES} times, limit entries with brackets, warm`,
      unit: 'events/s',
      async run() {
        for (let run = 0; run < WARM_UP_RUNS; run++) both()
        const speeds = Array.from({ length: RUNS }, both)
        return {
          value: median(speeds.map(({ value }) => value)),
          floor: median(speeds.map(({ floor }) => floor)),
        }
      },
    },
  ]
}

/** Trades at or below a bid that is put just below the market each minute, in one loop over typed arrays in order of arrival. */
function bareTicks({ trades, books }: TickData): number {
  const tradeMs = trades.arrival?.ms ?? trades.time
  const bookMs = books?.arrival?.ms ?? books?.time ?? new Float64Array()
  let [book, best, bid, minute, fills] = [0, 0, 0, 0, 0]
  for (let row = 0; row < trades.length; row++) {
    const now = tradeMs[row] as number // inside the columns, here and below
    for (; book < bookMs.length && (bookMs[book] as number) < now; book++)
      best = books?.price[2 * book] as number
    if (now >= minute) {
      minute = now + 60_000
      bid = best * 0.9999
    }
    if ((trades.price[row] as number) > bid) continue
    fills++
    bid = 0
  }
  return fills
}
