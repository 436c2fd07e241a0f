import type { TopOfBook } from '../../domain/market-data/top-of-book.ts'
import type { Trade } from '../../domain/market-data/trade.ts'
import { type Grid, roundToTicks, type Steps, steps, type Ticks } from '../../domain/numbers/grid.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { Print } from './print.ts'
import type { Quotes } from './quotes.ts'

/** Recorded trades as prints, each brought to its nearest point of the grid; throws `UsageError` at one that cannot be. */
export function* recordedPrints(grid: Grid, trades: readonly Trade[]): Generator<readonly Print[]> {
  let earliest = Number.NEGATIVE_INFINITY
  for (const trade of trades) {
    const { time, price, quantity, side } = trade
    checkTime('trade', time, earliest)
    const isPossible = isPrice(price) && isQuantity(quantity) && (side === 'buy' || side === 'sell')
    if (!isPossible) throw impossible('trade', trade, 'a price above 0, a quantity of at least 0 and a side')
    earliest = time
    yield [{ time, price: priceOn(grid, price), quantity: quantityOn(grid, quantity), side }]
  }
}

/** Recorded best bids and asks on the grid; throws `UsageError` at an invalid row. */
export function* recordedQuotes(grid: Grid, rows: readonly TopOfBook[]): Generator<Quotes> {
  let earliest = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    const { time, bid, bidQuantity, ask, askQuantity } = row
    checkTime('top of book', time, earliest)
    const isPossible = isPrice(bid) && isPrice(ask) && isQuantity(bidQuantity) && isQuantity(askQuantity)
    if (!isPossible || priceOn(grid, bid) >= priceOn(grid, ask)) {
      throw impossible('top of book', row, 'a bid at least a tick below the ask and quantities of at least 0')
    }
    earliest = time
    const quantities = {
      bidQuantity: quantityOn(grid, bidQuantity),
      askQuantity: quantityOn(grid, askQuantity),
    }
    yield { time, bid: priceOn(grid, bid), ask: priceOn(grid, ask), ...quantities }
  }
}

function checkTime(what: string, time: number, earliest: number): void {
  if (Number.isSafeInteger(time) && time >= earliest) return
  throw new UsageError(
    `The ${what} at ${time} comes too early or at no whole time: rows must ascend by time, in ms.`,
  )
}

function impossible(what: string, row: Trade | TopOfBook, expected: string): UsageError {
  return new UsageError(`The ${what} ${JSON.stringify(row)} is impossible: ${expected} are expected.`)
}

function isPrice(value: number): boolean {
  return Number.isFinite(value) && value > 0
}

function isQuantity(value: number): boolean {
  return Number.isFinite(value) && value >= 0
}

function priceOn(grid: Grid, price: number): Ticks {
  return roundToTicks(grid, price, 'nearest')
}

function quantityOn(grid: Grid, quantity: number): Steps {
  return steps(Math.round(quantity * 10 ** grid.quantityPrecision))
}
