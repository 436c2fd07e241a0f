import { quantityUnit } from '../../domain/instrument.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { quantityText, steps } from '../../domain/numbers/grid.ts'
import { openQuantityOf } from '../../domain/orders/order.ts'
import { isWorking } from '../../domain/orders/order-status.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { Engine } from '../../engine/engine.ts'
import { HOLD } from '../../engine/orders/unfinished-exits.ts'
import { momentText } from '../text/figures.ts'

/** An exit at market of a strategy of which the exchange took only a part, or nothing, and that goes on. */
export interface ExitUnderWay {
  readonly book: string
  readonly symbol: string
  readonly side: Side
  /** All that it is to close, and what of it is closed; exact text. */
  readonly quantity: string
  readonly closed: string
  /** `contracts`, or the base asset. */
  readonly unit: string
  /** Earliest time at which its rest is sent again, UTC; absent while an order of it works, and where that is not known. */
  readonly nextTry?: string
  /** Present while a hold on trading keeps it back. */
  readonly isHeld?: true
  /** True while an order of it is not known to be over. */
  readonly isSent: boolean
}

/** The exits of strategies that go on; `nextTryOf`: earliest time of the next order of a symbol, ms UTC. */
export function exitsUnderWay(
  { ledger, unfinishedExits }: Pick<Engine, 'ledger' | 'unfinishedExits'>,
  nextTryOf: (symbol: string) => number | undefined,
): readonly ExitUnderWay[] {
  return unfinishedExits
    .filter(({ purpose }) => purpose === 'exit')
    .map(({ book, symbol, side, total, left, orders, deniedBy }) => {
      const instrument = ledger.instrument(symbol)
      const latest = ledger.orders.get(orders.at(-1) ?? '')
      const isSent = latest !== undefined && isWorking(latest.status)
      const open = isSent ? openQuantityOf(latest) : left
      const nextTry = isSent ? undefined : nextTryOf(symbol)
      return {
        ...{ book, symbol, side, unit: quantityUnit(instrument), isSent },
        quantity: quantityText(instrument, total),
        closed: quantityText(instrument, steps(total - open)),
        ...(nextTry !== undefined && { nextTry: utcText(nextTry) }),
        ...(deniedBy === HOLD && { isHeld: true as const }),
      }
    })
}

/** Such as `EXIT UNDER WAY: 3 of 5 BTC of BTC/USDT sold; the rest is sent again at 2024-01-01 00:10:04Z at the earliest.` */
export function exitLine({
  book,
  side,
  quantity,
  closed,
  unit,
  nextTry,
  isSent,
  isHeld,
}: ExitUnderWay): string {
  const rest = isSent
    ? 'the order of the rest is not known to be over.'
    : isHeld
      ? 'the rest is sent once trading is no longer halted.'
      : `the rest is sent again${nextTry === undefined ? '' : ` at ${momentText(nextTry)} at the earliest`}.`
  return `EXIT UNDER WAY: ${closed} of ${quantity} ${unit} of ${book} ${exitedText(side)}; ${rest}`
}

/** Participle of an exit that trades on a side. */
export function exitedText(side: Side): string {
  return side === 'sell' ? 'sold' : 'bought back'
}
