import { FEE, NaiveAccount, SLIPPAGE, SMALLEST } from './naive-account.ts'
import type { NaiveCase } from './naive-case.ts'
import { averages, closesOf, crossedAbove } from './naive-lines.ts'

const HOUR = 3_600_000

/** Spread of a made-up ticker at the close of a row, as a fraction of the bid: every fifth is wide. */
const spreadAt = (row: number) => (row % 5 === 0 ? 0.0101 : 0.0099)

/** Base that an order must trade, so that after its fee the part of the equity is held; 0 below what fees change, and below the smallest order. */
function change(part: number, equity: number, held: number, price: number): number {
  const missing = (part * equity) / price - held
  const order = missing / (missing > 0 ? 1 - FEE + part * FEE : 1 - part * FEE)
  const smallest = Math.max(2 * FEE * part * equity, SMALLEST)
  return Math.abs(order) * price < smallest ? 0 : order
}

/** Snippets that trade at market only. */
export const MARKET_CASES: readonly NaiveCase[] = [
  {
    snippet:
      'if (crossesAbove(fast, slow)) return enterLong()\nif (crossesBelow(fast, slow)) return exit()\n',
    fills: 100,
    naive(rows) {
      const [fast, slow] = [averages(closesOf(rows), 5), averages(closesOf(rows), 20)]
      const account = new NaiveAccount()
      for (const [i, kline] of rows.entries()) {
        account.play(kline)
        if (account.held === 0 && crossedAbove(fast, slow, i)) account.enter(kline.close)
        if (account.held > 0 && crossedAbove(slow, fast, i)) account.sellNext = 1
      }
      return account.equity(rows.at(-1)?.close ?? 0)
    },
  },
  {
    // The same with a trend that it leaves by halves.
    snippet:
      'if (crossesAbove(fast, slow)) return enterLong()\nif (crossesBelow(fast, slow)) return exit()\n',
    before: `    if (position.direction === 'long' && kline.close < slow.value)
      return position.quantity * kline.close > 1000 ? exit({ fraction: 0.5 }) : exit()
`,
    fills: 200,
    naive(rows) {
      const [fast, slow] = [averages(closesOf(rows), 5), averages(closesOf(rows), 20)]
      const account = new NaiveAccount()
      for (const [i, kline] of rows.entries()) {
        account.play(kline)
        if (i < 20) continue
        if (account.held > 0 && kline.close < (slow[i] ?? 0))
          account.sellNext = account.held * kline.close > 1000 ? 0.5 : 1
        else if (account.held > 0 && crossedAbove(slow, fast, i)) account.sellNext = 1
        else if (account.held === 0 && crossedAbove(fast, slow, i)) account.enter(kline.close)
      }
      return account.equity(rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: 'equityFraction: kline.close > slow.value ? 0.8 : 0 })',
    fills: 500,
    naive(rows) {
      const slow = averages(closesOf(rows), 20)
      let [cash, held, buy, sell] = [10_000, 0, 0, 0]
      for (const [i, { open, close }] of rows.entries()) {
        cash += sell * open * (1 - SLIPPAGE) * (1 - FEE) - buy * open * (1 + SLIPPAGE)
        held += buy * (1 - FEE) - sell
        buy = 0
        sell = 0
        if (i < 20) continue
        const part = close > (slow[i] ?? 0) ? 0.8 : 0
        const order = change(part, cash + held * close, held, close)
        if (part === 0) sell = held
        else if (order > 0) buy = order
        else sell = -order
      }
      return cash + held * (rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: "name: 'three-down'",
    fills: 200,
    naive(rows) {
      const account = new NaiveAccount()
      let heldFor = 0
      for (const [i, kline] of rows.entries()) {
        account.play(kline)
        if (i < 2) continue
        if (account.held > 0) {
          heldFor++
          if (heldFor >= 3) account.sellNext = 1
          continue
        }
        heldFor = 0
        if (rows.slice(i - 2, i + 1).every(({ open, close }) => close < open)) account.enter(kline.close)
      }
      return account.equity(rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: "name: 'squeeze'",
    fills: 60,
    naive(rows) {
      const closes = closesOf(rows)
      const middle = averages(closes, 20)
      const account = new NaiveAccount()
      for (const [i, kline] of rows.entries()) {
        account.play(kline)
        if (i < 49) continue
        const mean = middle[i] ?? 0
        const variance = closes.slice(i - 19, i + 1).reduce((sum, close) => sum + (close - mean) ** 2, 0) / 20
        let weighted = 0
        for (let weight = 1; weight <= 50; weight++)
          weighted += (weight * (closes[i - 50 + weight] ?? 0)) / 1275
        const isAbove = kline.close > mean + 2 * Math.sqrt(variance) && kline.close > weighted
        if (account.held === 0 && isAbove) account.enter(kline.close)
        else if (account.held > 0 && !isAbove && kline.close < mean) account.sellNext = 1
      }
      return account.equity(rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: "name: 'counting'",
    fills: 700,
    naive(rows) {
      const account = new NaiveAccount()
      for (const [i, kline] of rows.entries()) {
        account.play(kline)
        if ((i + 1) % 10 === 0) account.enter(kline.close)
        if ((i + 1) % 10 === 5 && account.held > 0) account.sellNext = 1
      }
      return account.equity(rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: "name: 'daily-trend'",
    fills: 30,
    naive(rows) {
      const closes = closesOf(rows)
      const [fast, slow] = [averages(closes, 10), averages(closes, 30)]
      const days = rows.filter(({ openTime }) => openTime % (24 * HOUR) === 23 * HOUR)
      const trend = averages(closesOf(days), 20)
      const account = new NaiveAccount()
      let day = -1
      for (const [i, kline] of rows.entries()) {
        account.play(kline)
        // The day that ends with this hour is shown before the hour.
        if (kline === days[day + 1]) day++
        if (day < 19) continue
        const isUp = (days[day]?.close ?? 0) > (trend[day] ?? 0)
        if (isUp && account.held === 0 && crossedAbove(fast, slow, i)) account.enter(kline.close)
        if (account.held > 0 && crossedAbove(slow, fast, i)) account.sellNext = 1
      }
      return account.equity(rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: "name: 'monthly'",
    fills: 5,
    count: 5000,
    naive(rows) {
      const account = new NaiveAccount()
      for (const kline of rows) {
        account.play(kline)
        const closesAt = new Date(kline.openTime + HOUR)
        if (closesAt.getUTCDate() === 1 && closesAt.getUTCHours() === 0) account.buyNext = 500 / kline.close
      }
      return account.equity(rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: "name: 'pair'",
    fills: 500,
    markets: { other: 'binance-ethusdt-1h' },
    naive(own, { other = [] }) {
      let cash = 10_000
      const held = [0, 0]
      let orders = [0, 0]
      let days: readonly [number, number] | undefined
      for (const [i, first] of own.entries()) {
        const both = [first, other[i] ?? first]
        // At the same open further markets come first, and no buy costs more than there is.
        for (const [which, { open }] of [...both.entries()].reverse()) {
          const order = Math.min(orders[which] ?? 0, cash / open / (1 + SLIPPAGE))
          cash -= order * open * (order > 0 ? 1 + SLIPPAGE : (1 - SLIPPAGE) * (1 - FEE))
          held[which] = (held[which] ?? 0) + order * (order > 0 ? 1 - FEE : 1)
        }
        orders = [0, 0]
        const closes = closesOf(both)
        const [ownClose = 0, otherClose = 0] = closes
        if ((first.openTime + HOUR) % (24 * HOUR) === 0) days = [ownClose, otherClose]
        if (days === undefined) continue
        const isAhead = ownClose / days[0] > otherClose / days[1]
        const equity = closes.reduce((sum, close, which) => sum + close * (held[which] ?? 0), cash)
        orders = closes.map((close, which) => {
          const part = isAhead === (which === 0) ? 0.5 : 0
          if (part === 0) return -(held[which] ?? 0)
          return Math.min(change(part, equity, held[which] ?? 0, close), cash / close)
        })
      }
      const last = [own.at(-1)?.close ?? 0, other.at(-1)?.close ?? 0]
      return last.reduce((sum, close, which) => sum + close * (held[which] ?? 0), cash)
    },
  },
  {
    snippet: "name: 'calm-cross'",
    fills: 60,
    naive(rows) {
      const [fast, slow] = [averages(closesOf(rows), 20), averages(closesOf(rows), 50)]
      const account = new NaiveAccount()
      for (const [i, kline] of rows.entries()) {
        account.play(kline)
        const isCalm = Math.abs(kline.close / kline.open - 1) < 0.05
        if (account.held === 0 && isCalm && crossedAbove(fast, slow, i)) account.enter(kline.close)
        if (account.held > 0 && crossedAbove(slow, fast, i)) account.sellNext = 1
      }
      return account.equity(rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: "name: 'streamed-cross'",
    fills: 100,
    naive(rows) {
      const [fast, slow] = [averages(closesOf(rows), 5), averages(closesOf(rows), 20)]
      const account = new NaiveAccount()
      for (const [i, kline] of rows.entries()) {
        account.play(kline)
        if (account.held === 0 && crossedAbove(fast, slow, i)) account.enter(kline.close)
        if (account.held > 0 && crossedAbove(slow, fast, i)) account.sellNext = 1
      }
      return account.equity(rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: "name: 'streamed-dip'",
    fills: 200,
    naive(rows) {
      const account = new NaiveAccount()
      let exitAt = -1
      for (const [i, kline] of rows.entries()) {
        account.play(kline)
        if (i < 3) continue
        // Six hours after the kline that it was decided on, with the kline that closes then; until then dips are ignored.
        if (exitAt === i) account.sellNext = 1
        if (exitAt >= i) continue
        if (!rows.slice(i - 2, i + 1).every(({ open, close }) => close < open)) continue
        exitAt = i + 6
        if (account.held === 0) account.enter(kline.close)
      }
      return account.equity(rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: "name: 'streamed-two-speeds'",
    fills: 90,
    naive(rows) {
      const closes = closesOf(rows)
      const average = averages(closes, 10)
      // Four hours end with hours 3, 7, 11 … of a day.
      const slow = closes.filter((_, row) => row % 4 === 3)
      const slowAverage = averages(slow, 10)
      const account = new NaiveAccount()
      let [isUp, latest] = [false, '']
      for (const [i, kline] of rows.entries()) {
        account.play(kline)
        const four = (i - 3) / 4
        if (Number.isInteger(four) && !Number.isNaN(slowAverage[four])) {
          isUp = kline.close > (slowAverage[four] ?? 0)
          if (!isUp && latest !== 'exit') {
            latest = 'exit'
            if (i >= 40 && account.held > 0) account.sellNext = 1
          }
        }
        if (!isUp || latest === 'target' || !crossedAbove(closes, average, i)) continue
        latest = 'target'
        if (i >= 40) account.buyNext = 1000 / kline.close / (1 - FEE)
      }
      return account.equity(rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: "name: 'streamed-bounded'",
    fills: 1,
    naive(rows) {
      const account = new NaiveAccount()
      for (const [i, kline] of rows.entries()) {
        account.play(kline)
        if (i < 3 || account.held > 0) continue
        if (rows.slice(i - 2, i + 1).every(({ open, close }) => close > open)) account.enter(kline.close)
      }
      return account.equity(rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: "name: 'cross-both-ways'",
    fills: 100,
    config: {
      account: { type: 'margin', maxLeverage: 1 },
      instruments: { default: { feesPaidIn: 'quote' } },
    },
    naive(rows) {
      const [fast, slow] = [averages(closesOf(rows), 10), averages(closesOf(rows), 20)]
      let [cash, held, order] = [10_000, 0, 0]
      for (const [i, { open, close }] of rows.entries()) {
        const price = open * (1 + Math.sign(order) * SLIPPAGE)
        cash -= order * price + Math.abs(order) * price * FEE
        held += order
        order = 0
        const side = crossedAbove(fast, slow, i) ? 1 : crossedAbove(slow, fast, i) ? -1 : 0
        if (side === 0) continue
        // (held + order) × close is 0.95 of what is left after the fee of the order.
        const missing = side * 0.95 * (cash + held * close) - held * close
        order = missing / close / (1 + 0.95 * FEE)
      }
      return cash + held * (rows.at(-1)?.close ?? 0)
    },
  },
  {
    snippet: "name: 'tight-spread'",
    fills: 500,
    feeds: rows => ({
      quote: rows.map(({ openTime, close }, row) => ({
        time: openTime + HOUR,
        ...{ last: close, bid: close, ask: close * (1 + spreadAt(row)) },
        ...{ high: undefined, low: undefined, volume: undefined },
      })),
    }),
    naive(rows) {
      const average = averages(closesOf(rows), 20)
      const account = new NaiveAccount()
      for (const [row, kline] of rows.entries()) {
        account.play(kline)
        if (row < 20) continue
        const [now, isWide] = [average[row] ?? 0, spreadAt(row) > 0.01]
        if (account.held === 0 && kline.close > now) account.enter(kline.close)
        else if (account.held > 0 && (kline.close < now || isWide)) account.sellNext = 1
      }
      return account.equity(rows.at(-1)?.close ?? 0)
    },
  },
]
