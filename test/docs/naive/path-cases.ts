import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { type Bracket, FEE, NaiveAccount, SMALLEST } from './naive-account.ts'
import type { NaiveCase } from './naive-case.ts'
import { averages, closesOf, crossedAbove, exponential, ranges, strengths } from './naive-lines.ts'

/** Plays klines on an account, and decides after each from the first row on; the equity after the last. */
function walk(
  rows: readonly Kline[],
  first: number,
  decide: (account: NaiveAccount, kline: Kline, row: number) => void,
  account = new NaiveAccount(),
): number {
  for (const [row, kline] of rows.entries()) {
    account.play(kline)
    if (row >= first) decide(account, kline, row)
  }
  return account.equity(rows.at(-1)?.close ?? 0)
}

/** Enters at every close while flat, with a bracket: what snippets with one `return enterLong(…)` do. */
const always = (bracket: Bracket) => (rows: readonly Kline[]) =>
  walk(rows, 20, (account, { close }) => {
    if (account.held === 0) account.enter(close, 0.95, bracket)
  })

/** Enters where averages of 10 and 30 cross. */
function onCross(
  rows: readonly Kline[],
  bracket: Bracket,
  holding: (account: NaiveAccount, kline: Kline, minutes: number) => void,
): number {
  const [fast, slow] = [averages(closesOf(rows), 10), averages(closesOf(rows), 30)]
  const step = (rows[1]?.openTime ?? 0) - (rows[0]?.openTime ?? 0)
  return walk(rows, 30, (account, kline, row) => {
    if (account.held > 0) holding(account, kline, ((row + 1 - account.openedIn) * step) / 60_000)
    else if (crossedAbove(fast, slow, row)) account.enter(kline.close, 0.95, bracket)
  })
}

const DAY = 86_400_000
/** Klines of a minute in a day. */
const MINUTES = 1440

/** Standard deviation of a sample. */
function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}

const BREAK_EVEN = (1 + FEE) / (1 - FEE)
const behind = (rate: number) => (best: number) => best * (1 - rate)

/** Part of the equity that loses `risk` of it between a close and a stop, at most `most`. */
const partAtRisk = (risk: number, close: number, stop: number, most: number) =>
  Math.min((risk * close) / (close - stop), most)

/** Snippets whose orders trade inside klines, on the path that goes by the high and then by the low. */
export const PATH_CASES: readonly NaiveCase[] = [
  {
    // By default the stop-loss comes first, as on the way by the low.
    snippet: "name: 'my-cross'",
    config: { fills: { path: 'pessimistic' } },
    fills: 100,
    naive(rows) {
      const [fast, slow] = [averages(closesOf(rows), 10), averages(closesOf(rows), 30)]
      const decide = (account: NaiveAccount, { close }: Kline, row: number) => {
        if (account.held > 0 && crossedAbove(slow, fast, row)) account.sellNext = 1
        if (account.held > 0 || !crossedAbove(fast, slow, row)) return
        const stop = close * 0.98
        account.enter(close, partAtRisk(0.01, close, stop, 0.95), {
          stop: () => stop,
          targets: [{ at: entry => entry * 1.05, part: 1 }],
        })
      }
      return walk(rows, 30, decide, new NaiveAccount({ isLowFirst: true }))
    },
  },
  {
    snippet: 'const step = kline.close * 0.005',
    fills: 500,
    naive(rows) {
      let [cash, held] = [10_000, 0]
      let quotes = { bid: 0, bought: 0, offer: Number.POSITIVE_INFINITY, sold: 0 }
      for (const [row, { high, low, close }] of rows.entries()) {
        const { bid, bought, offer, sold } = quotes
        if (high > offer) {
          cash += sold * offer * (1 - FEE)
          held -= sold
        }
        if (low < bid) {
          cash -= bought * bid
          held += bought * (1 - FEE)
        }
        if (row < 20) continue
        const [below, above] = [close * 0.995, close * 1.005]
        // What costs more than there is, and what is smaller than the smallest order, is denied.
        const bids = cash >= 100 ? 100 / below : 0
        const offers = held * above >= SMALLEST ? Math.min(held, 100 / above) : 0
        quotes = { bid: bids > 0 ? below : 0, bought: bids, offer: offers > 0 ? above : 1e9, sold: offers }
      }
      return cash + held * (rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: 'enterLong({ stopLoss: { fraction: stop } })',
    fills: 60,
    naive(rows) {
      const strength = strengths(closesOf(rows), 14)
      return walk(rows, 16 * 14, (account, { close }, row) => {
        const [now = 0, before = 0] = [strength[row], strength[row - 1]]
        if (account.held === 0 && now > 30 && before <= 30)
          account.enter(close, 0.95, { stop: entry => entry * 0.97 })
        else if (account.held > 0 && now > 60) account.sellNext = 1
      })
    },
  },
  {
    snippet: "order: { type: 'limit', price: below }",
    fills: 300,
    naive(rows) {
      const range = ranges(rows, 5)
      return walk(rows, 20, (account, { close }, row) => {
        const [below, above] = [close - (range[row] ?? 0), close + (range[row] ?? 0)]
        account.exitAt = account.held > 0 ? above : undefined
        const quantity = (0.95 * account.equity(close)) / below
        account.entries =
          account.held > 0 ? [] : [{ kind: 'buyLimit', price: below, quantity, placed: row, last: row + 3 }]
      })
    },
  },
  {
    snippet: "oco: 'breakout', tag: 'up'",
    before: '    if (crossesBelow(fast, slow)) return exit()\n',
    fills: 100,
    naive(rows) {
      const [fast, slow] = [averages(closesOf(rows), 5), averages(closesOf(rows), 20)]
      const range = ranges(rows, 5)
      return walk(rows, 20, (account, { high, low, close }, row) => {
        if (crossedAbove(slow, fast, row)) {
          account.entries = []
          if (account.held > 0) account.sellNext = 1
        } else if (account.held === 0) {
          const [stop, limit] = [high + (range[row] ?? 0), low - (range[row] ?? 0)]
          const money = 0.45 * account.equity(close)
          account.entries = [
            {
              kind: 'buyStop',
              price: stop,
              quantity: money / stop,
              placed: row,
              last: Number.POSITIVE_INFINITY,
            },
            {
              kind: 'buyLimit',
              price: limit,
              quantity: money / limit,
              placed: row,
              last: Number.POSITIVE_INFINITY,
            },
          ]
        }
      })
    },
  },
  {
    snippet: 'trailingStop: { fraction: 0.04 }',
    fills: 200,
    naive(rows) {
      const range = ranges(rows, 5)
      return walk(rows, 20, (account, { close }, row) => {
        if (account.held > 0) return
        account.enter(close, 0.95, {
          stop: () => close - 2 * (range[row] ?? 0),
          targets: [
            { at: entry => entry * 1.02, part: 0.5 },
            { at: entry => entry * 1.05, part: 0.5 },
          ],
          trails: [{ level: (best, entry) => best - 0.04 * entry }],
        })
      })
    },
  },
  {
    snippet: "protect({ stopLoss: position.entryPrice, takeProfit: 'none' })",
    before:
      "    if (position.direction === 'flat') return enterLong({ stopLoss: { fraction: 0.02 }, takeProfit: { fraction: 0.04 } })\n",
    fills: 60,
    naive: rows =>
      walk(rows, 20, (account, { close }) => {
        if (account.held === 0)
          account.enter(close, 0.95, {
            stop: entry => entry * 0.98,
            targets: [{ at: entry => entry * 1.04, part: 1 }],
          })
        else if (close > account.entryPrice * 1.02) {
          account.stop = account.entryPrice
          account.targets = []
        }
      }),
  },
  {
    snippet: 'const isOld = oldest !== undefined',
    before: "    if (position.direction === 'flat') return enterLong({ stopLoss: { fraction: 0.03 } })\n",
    fills: 40,
    naive: rows =>
      walk(rows, 20, (account, { close }, row) => {
        if (account.held === 0) account.enter(close, 0.95, { stop: entry => entry * 0.97 })
        else if (
          row + 1 - account.openedIn > 24 &&
          (account.stop ?? 0) < account.entryPrice &&
          close > account.entryPrice
        )
          account.stop = account.entryPrice
      }),
  },
  {
    snippet: 'size: { riskFraction: 0.01, maxEquityFraction: 0.95 }, stopLoss: kline.close - 2 * range.value',
    fills: 40,
    naive(rows) {
      const range = ranges(rows, 5)
      return walk(rows, 20, (account, { close }, row) => {
        const stop = close - 2 * (range[row] ?? 0)
        if (account.held === 0)
          account.enter(close, partAtRisk(0.01, close, stop, 0.95), { stop: () => stop })
      })
    },
  },
  {
    snippet: '// stoploss = -0.10, trailing_stop = True\n',
    fills: 20,
    naive: always({ trails: [{ level: behind(0.1) }] }),
  },
  {
    snippet: '// stoploss = -0.10, trailing_stop = True, trailing_stop_positive = 0.02\n',
    fills: 60,
    naive: always({
      trails: [{ level: behind(0.1) }, { level: behind(0.02), from: entry => entry * BREAK_EVEN }],
    }),
  },
  {
    snippet: 'trailing_stop_positive_offset = 0.03\n',
    fills: 40,
    naive: always({ trails: [{ level: behind(0.1) }, { level: behind(0.02), from: entry => entry * 1.03 }] }),
  },
  {
    snippet: '// The same and trailing_only_offset_is_reached = True',
    fills: 40,
    naive: always({
      stop: entry => entry * 0.9,
      trails: [{ level: behind(0.02), from: entry => entry * 1.03 }],
    }),
  },
  {
    snippet: "name: 'tightening-stop'",
    fills: 40,
    naive: rows =>
      onCross(rows, { stop: entry => entry * 0.8 }, (account, { close }, minutes) => {
        const wanted = close * (minutes < 120 ? 0.9 : 0.95)
        if (minutes >= 60 && wanted > (account.stop ?? 0)) account.stop = wanted
      }),
  },
  {
    snippet: "name: 'stepped-stop'",
    // A fall and a recovery of 40% within days.
    data: 'binance-solusdt-1h',
    count: 9000,
    fills: 20,
    naive: rows =>
      onCross(rows, { stop: entry => entry * 0.9 }, (account, { close }) => {
        const gain = close / account.entryPrice - 1
        const locked = gain > 0.4 ? 0.25 : gain > 0.25 ? 0.15 : gain > 0.2 ? 0.07 : undefined
        if (locked !== undefined)
          account.stop = Math.max(account.stop ?? 0, account.entryPrice * (1 + locked))
      }),
  },
  {
    snippet: "name: 'roi-table'",
    data: 'binance-btcusdt-1m',
    count: 12_000,
    fills: 20,
    naive(rows) {
      const gainFor = (profit: number) => (1 + profit) * BREAK_EVEN
      const targets = [{ at: (entry: number) => entry * gainFor(0.04), part: 1 }]
      return onCross(rows, { stop: entry => entry * 0.9, targets }, (account, _kline, minutes) => {
        if (![20, 30, 40].includes(minutes)) return
        const price = account.entryPrice * gainFor(minutes === 40 ? 0 : minutes === 30 ? 0.01 : 0.02)
        account.targets = [{ price, quantity: account.held, placed: account.row }]
      })
    },
  },
  {
    snippet: "name: 'atr-bracket'",
    fills: 100,
    naive(rows) {
      const [trend, range] = [exponential(closesOf(rows), 50), ranges(rows, 14)]
      return walk(rows, 800, (account, { close }, row) => {
        const [now = 0, before = 0] = [trend[row], trend[row - 1]]
        if (account.held > 0 || close <= now || now <= before) return
        const at = (count: number) => close + count * (range[row] ?? 0)
        account.enter(close, partAtRisk(0.01, close, at(-2), 0.95), {
          stop: () => at(-2),
          targets: [
            { at: () => at(2), part: 0.5 },
            { at: () => at(4), part: 0.5 },
          ],
        })
      })
    },
  },
  {
    snippet: "name: 'careful-cross'",
    // Minutes, on which it would open more than three positions on many days.
    data: 'binance-btcusdt-1m',
    count: 20_000,
    fills: 60,
    naive(rows) {
      const closes = closesOf(rows)
      const [fast, slow, trend] = [averages(closes, 20), averages(closes, 50), averages(closes, 100)]
      const range = ranges(rows, 22)
      const changes = closes.map((close, row) => Math.log(close / (closes[row - 1] ?? Number.NaN)))
      const dayOf = (row: number) => Math.floor((rows[0]?.openTime ?? 0) / DAY + row / MINUTES)
      const opened: number[] = []
      return walk(rows, 100, (account, { close }, row) => {
        if (account.openedIn >= 0 && account.openedIn !== opened.at(-1)) opened.push(account.openedIn)
        const highs = rows.slice(row - 21, row + 1).map(({ high }) => high)
        const level = Math.max(...highs) - 3 * (range[row] ?? 0)
        if (account.held > 0) {
          const stop = Math.max(level, account.stop ?? 0)
          const isOver = crossedAbove(slow, fast, row) || row + 1 - account.openedIn >= 4 * 50
          if (isOver || stop >= close) account.sellNext = 1
          else account.stop = stop
          return
        }
        // A stop inside a row is known at its end, a market order at its open.
        const since = row - account.closed.row + (account.closed.isAtOpen ? 1 : 0)
        const isLoss = account.closed.price < account.entryPrice
        const today = opened.filter(at => dayOf(at) === dayOf(row + 1)).length
        if ((isLoss && since < 6) || today >= 3) return
        if (!crossedAbove(fast, slow, row) || close <= (trend[row] ?? 0)) return
        const yearly = spreadOf(changes.slice(row - 47, row + 1)) * Math.sqrt(365 * MINUTES)
        account.enter(close, Math.min(1, 0.3 / yearly), level < close ? { stop: () => level } : {})
      })
    },
  },
]
