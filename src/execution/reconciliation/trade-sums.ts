import { utcText } from '../../domain/market-data/civil-date.ts'
import { Decimal } from '../../domain/numbers/decimal.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'

interface SideSum {
  readonly quantity: Decimal
  readonly count: number
  readonly first: OwnTrade
}

/** Trades of others of one symbol, summed up by side. */
export class TradeSums {
  readonly #sides = new Map<Side, SideSum>()

  /** Number of trades. */
  get count(): number {
    return [...this.#sides.values()].reduce((sum, { count }) => sum + count, 0)
  }

  add(trade: OwnTrade): void {
    const { quantity, count, first } = this.#sides.get(trade.side) ?? {
      ...{ quantity: new Decimal(0), count: 0, first: trade },
    }
    this.#sides.set(trade.side, { quantity: quantity.plus(trade.quantity), count: count + 1, first })
  }

  /** Such as `sold 0.5 BTC in 2 trades, the first at 100 (trade 7, 2026-01-01 00:00:00 UTC)`; `base`: its asset. */
  text(base: string): string {
    return [...this.#sides]
      .map(
        ([
          side,
          {
            quantity,
            count,
            first: { id, price, time },
          },
        ]) => {
          const first = `${price.toFixed()} (trade ${id}, ${utcText(time)})`
          const terms = count === 1 ? `at ${first}` : `in ${count} trades, the first at ${first}`
          return `${side === 'buy' ? 'bought' : 'sold'} ${quantity.toFixed()} ${base} ${terms}`
        },
      )
      .join(', and ')
  }
}
