import { add, amountToText, negate, ZERO } from '../../../../src/domain/numbers/amount.ts'
import { contractsOf, type Rest, type Violation } from '../scene.ts'
import { isTradedByOthers } from './liquidations-booked-once.ts'

/** Each settlement of funding is booked once, for as much as the exchange paid or took; unless somebody else traded the contract, perhaps before there were books. Where the exchange lists no transactions, no more payments are booked than there were settlements. */
export function fundingAgrees(rest: Rest): readonly Violation[] {
  const { futures, events } = rest
  if (futures === undefined || events === undefined) return []
  const payments = events.flatMap(event => (event.type === 'fundingPaid' ? [event.payment] : []))
  const settled = [...futures.transactions.oldestFirst()].filter(({ type }) => type === 'funding')
  return contractsOf(rest).flatMap(({ symbol }) => {
    if (isTradedByOthers(rest, symbol)) return []
    const own = payments.filter(payment => payment.symbol === symbol)
    const real = settled.filter(({ contract }) => contract?.name === symbol)
    const paid = own.reduce((sum, { amount }) => add(sum, amount), ZERO)
    const taken = real.reduce((sum, { amount }) => add(sum, negate(amount)), ZERO)
    if (own.length === real.length && paid === taken) return []
    if (rest.hidesTransactions && own.length <= real.length) return []
    const problem = `${symbol} paid ${amountToText(taken)} of funding in ${real.length} parts, booked ${amountToText(paid)} in ${own.length}`
    return [{ problem, about: symbol }]
  })
}
