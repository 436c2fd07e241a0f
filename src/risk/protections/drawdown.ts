import { type Amount, add, amountToNumber, subtract, times } from '../../domain/numbers/amount.ts'
import type { ProtectionRules } from '../risk-rules.ts'
import type { Marked, ProtectionChange, RiskProtection } from './protection.ts'
import { roundedPercentText } from './rounded-percent-text.ts'

type Rules = NonNullable<ProtectionRules['drawdown']>

/** The best there was. */
interface Peak {
  readonly result: Amount
  readonly equity: Amount
}

/**
 * Holds once the result has fallen by `rate` of the highest equity: for `pauseMs`, or until an operator
 * resumes. The peak then restarts at the present result, so that the same fall does not count twice.
 */
export function drawdown({ rate, pauseMs, mode }: Rules, owner: 'account' | 'strategy'): RiskProtection {
  let peak: Peak | undefined

  /** Fall from a peak that reaches the limit; `undefined` otherwise. */
  const fallOf = (from: Peak, mark: Marked): Amount | undefined => {
    const fall = subtract(from.result, mark.result)
    return fall <= 0n || fall < times(from.equity, rate) ? undefined : fall
  }

  const see = (mark: Marked): ProtectionChange | undefined => {
    if (peak === undefined || mark.result > peak.result) peak = { result: mark.result, equity: mark.equity }
    const fall = fallOf(peak, mark)
    if (fall === undefined) return undefined
    const fallen = roundedPercentText(amountToNumber(fall) / amountToNumber(peak.equity))
    const reason = `The result of the ${owner} has fallen by ${fallen} of the equity at its highest; the limit is ${roundedPercentText(amountToNumber(rate))}.`
    const since = mark.time
    peak = { result: mark.result, equity: mark.equity }
    const until = pauseMs === undefined ? undefined : since + pauseMs
    return { type: 'hold', hold: { mode, source: 'drawdown', reason, since, until } }
  }

  return {
    name: 'drawdown',
    observe: fact => {
      if (fact.type === 'marked') return see(fact)
      if (fact.type === 'funded' && peak !== undefined) {
        peak = { result: add(peak.result, fact.amount), equity: add(peak.equity, fact.amount) }
      }
      return undefined
    },
    isDue: mark => peak === undefined || fallOf(peak, mark) !== undefined,
    forget: () => {
      peak = undefined
    },
    snapshot: () => peak,
    restore: state => {
      peak = state as Peak | undefined // what `snapshot` gave
    },
  }
}
