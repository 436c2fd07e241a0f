import type { AccountType } from '../../../../src/domain/instrument.ts'
import {
  type Amount,
  add,
  amountOf,
  amountToText,
  subtract,
  times,
  ZERO,
} from '../../../../src/domain/numbers/amount.ts'
import { baseAmount, notionalOf, ticks } from '../../../../src/domain/numbers/grid.ts'
import { type Order, openQuantityOf } from '../../../../src/domain/orders/order.ts'
import type { Ledger } from '../../../../src/ledger/ledger.ts'
import { expectedPrice } from '../../../../src/ledger/reservation.ts'
import type { Moment, Violation } from '../scene.ts'

/** What rounding in doubles may amount to, ticks. */
const NOISE = 1e-6

/** What an account of pairs has left of an asset once every order that works on it, and on no other account, has taken its part. */
export function freeOnPairs(ledger: Ledger, asset: string, account: AccountType): Amount {
  return ledger.orders.working
    .filter(({ request }) => ledger.instrument(request.symbol).accountType === account)
    .reduce(
      (free, order) => subtract(free, takenBy(ledger, order, asset)),
      ledger.balances.in(account).of(asset),
    )
}

function takenBy(ledger: Ledger, order: Order, asset: string): Amount {
  const { symbol, side, spec, referencePrice, reduceOnly } = order.request
  const { base, quote, fees, maxSlippageRate = 0 } = ledger.instrument(symbol)
  if (reduceOnly || asset !== (side === 'buy' ? quote : base)) return ZERO
  const open = openQuantityOf(order)
  if (side === 'sell') return baseAmount(ledger.instrument(symbol), open)
  const expected = expectedPrice(spec, referencePrice)
  // A market order leaves as a limit order at most so far above its price, and freezes money for that limit.
  const isLimit = spec.type === 'limit' || spec.type === 'stopLimit'
  const frozen = isLimit ? expected : ticks(Math.floor(expected * (1 + maxSlippageRate) + NOISE))
  const worth = notionalOf(ledger.instrument(symbol), frozen, open)
  return fees.paidIn === 'quote' ? add(worth, times(worth, fees.taker)) : worth
}

/** Who may not buy on spot for want of money had no more than was told: what is left once everything is decided was there before, too. */
export function moneyIsWanting({ ledger, decisions }: Pick<Moment, 'ledger' | 'decisions'>) {
  return decisions.flatMap((decision): readonly Violation[] => {
    if (decision.type !== 'denied' || decision.denial.rule !== 'balance') return []
    const { intent, limit } = decision.denial
    const { accountType, quote } = ledger.instrument(intent.symbol)
    if (accountType !== 'spot' || intent.side !== 'buy') return []
    const left = freeOnPairs(ledger, quote, 'spot')
    if (amountOf(limit.replace(` ${quote}`, '')) >= left) return []
    const about = intent.clientOrderId
    return [{ problem: `order ${about} was denied for ${limit}, but ${amountToText(left)} are left`, about }]
  })
}
