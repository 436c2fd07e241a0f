import { bookOf } from '../../../../src/domain/book-names.ts'
import { baseAmount, NO_STEPS, priceAmount, steps } from '../../../../src/domain/numbers/grid.ts'
import { openQuantityOf } from '../../../../src/domain/orders/order.ts'
import type { OrderRequest } from '../../../../src/domain/orders/order-request.ts'
import type { TargetSignal } from '../../../../src/domain/signal.ts'
import type { Ledger } from '../../../../src/ledger/ledger.ts'
import { isNews } from '../news.ts'
import type { Moment, Violation } from '../scene.ts'
import { loneTargets, targetText } from './lone-targets.ts'

/** What rounding in doubles may amount to. */
const NOISE = 1e-9

/**
 * A target at market trades towards itself and never beyond it, and declared again, at the same price with nothing having
 * happened in between, it does not trade. Only where it is the one signal on its market, and nothing else works there.
 */
export function targetsKept({ event, decisions, ledger, before }: Moment): readonly Violation[] {
  return loneTargets(decisions).flatMap(({ strategy, symbol, signal, index }) => {
    // Orders before it follow from earlier signals that had to wait.
    const placed = decisions
      .slice(index)
      .flatMap(decision =>
        decision.type === 'placeOrder' && isOf(decision.request, strategy, symbol) ? [decision.request] : [],
      )
    const [request] = placed
    if (request === undefined) return []
    const about = request.clientOrderId
    const declared = isNews(event) ? before.targets.get(`${strategy} ${symbol}`) : undefined
    const isAgain = declared === targetText(signal, ledger, symbol)
    return [
      ...(isAgain ? [`a target that was declared again traded: ${declared}`] : []),
      ...wrongWay(ledger, signal, placed),
    ].map(problem => ({ problem, about }))
  })
}

function isOf({ strategy, symbol, purpose }: OrderRequest, wanted: string, on: string): boolean {
  return strategy === wanted && symbol === on && (purpose === 'entry' || purpose === 'exit')
}

function wrongWay(
  ledger: Ledger,
  { size, order }: TargetSignal<string>,
  placed: readonly OrderRequest[],
): string[] {
  const [request, ...more] = placed
  if (request === undefined || more.length > 0 || (order !== undefined && order.type !== 'market')) return []
  const instrument = ledger.instrument(request.symbol)
  const book = bookOf(request)
  const isAlone = ledger.orders.working.every(
    other =>
      other.request.protects !== undefined || bookOf(other.request) !== book || other.request === request,
  )
  if (!isAlone || instrument.accountType !== 'spot') return []
  const position = ledger.position(book)
  const held = Number(baseAmount(instrument, position?.quantity ?? NO_STEPS))
  const price = Number(priceAmount(instrument, request.referencePrice)) / 1e18
  const wanted = Math.max(0, wantedBase(ledger, size, price, instrument.quote)) * 1e18
  const step = Number(baseAmount(instrument, steps(1)))
  const order1 = ledger.orders.get(request.clientOrderId)
  const traded = Number(
    baseAmount(instrument, order1 === undefined ? request.quantity : openQuantityOf(order1)),
  )
  const slack = step + wanted * NOISE
  const told = `target ${wanted / 1e18}, held ${held / 1e18}`
  if (request.side === 'buy')
    return held + traded > wanted / (1 - feeRate(instrument.fees.taker)) + slack
      ? [`a target buys ${traded / 1e18} too much: ${told}`]
      : []
  // What is kept is worth the fraction of what is left after the fee.
  return held - traded < wanted * (1 - feeRate(instrument.fees.taker)) - slack
    ? [`a target sells ${traded / 1e18} too much: ${told}`]
    : []
}

function wantedBase(ledger: Ledger, size: TargetSignal['size'], price: number, quote: string): number {
  if ('base' in size) return size.base
  const money = 'quote' in size ? size.quote : (size.equityFraction * Number(ledger.equity(quote))) / 1e18
  return money / price
}

function feeRate(rate: bigint): number {
  return Number(rate) / 1e18
}
