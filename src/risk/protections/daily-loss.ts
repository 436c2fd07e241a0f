import { type Amount, add, amountToNumber, subtract, times } from '../../domain/numbers/amount.ts'
import type { ProtectionRules } from '../risk-rules.ts'
import type { Marked, ProtectionChange, RiskProtection } from './protection.ts'
import { roundedPercentText } from './rounded-percent-text.ts'
import { dayAfter, dayUntil } from './utc-day.ts'

type Rules = NonNullable<ProtectionRules['dailyLoss']>

/** Start of a day, ms UTC, and the result then. */
interface Day {
  readonly start: number
  readonly result: Amount
  readonly equity: Amount
  /** The limit was reached already. */
  readonly isOver: boolean
  /** An operator has resumed trading meanwhile: the result and the equity are those of then. */
  readonly isResumed?: boolean
}

/**
 * Holds until the end of the day (UTC), once the result has fallen by `rate` of the equity at its start; the
 * day starts with the last mark before it, or with the first one, and anew where an operator resumes trading. Deposits and
 * withdrawals are neither profit nor loss.
 */
export function dailyLoss({ rate, mode }: Rules, owner: 'account' | 'strategy'): RiskProtection {
  let day: Day | undefined
  let latest: Marked | undefined

  const dayOf = (mark: Marked): Day => {
    const start = dayUntil(mark.follows === true ? mark.time + 1 : mark.time)
    if (day !== undefined && start <= day.start) return day
    const { result, equity } = latest ?? mark
    return { start, result, equity, isOver: false }
  }

  /** Loss of a day that reaches the limit for the first time; `undefined` otherwise. */
  const lossOf = (of: Day, mark: Marked): Amount | undefined => {
    const loss = subtract(of.result, mark.result)
    return of.isOver || loss <= 0n || loss < times(of.equity, rate) ? undefined : loss
  }

  const see = (mark: Marked): ProtectionChange | undefined => {
    day = dayOf(mark)
    latest = mark
    const loss = lossOf(day, mark)
    if (loss === undefined) return undefined
    const lost = roundedPercentText(amountToNumber(loss) / amountToNumber(day.equity))
    const from = day.isResumed === true ? 'there was when trading was resumed' : 'the day began with'
    const reason = `The ${owner} has lost ${lost} of the equity that ${from}; the limit is ${roundedPercentText(amountToNumber(rate))}.`
    const until = dayAfter(day.start)
    day = { ...day, isOver: true }
    if (until <= mark.time) return undefined
    return { type: 'hold', hold: { mode, source: 'dailyLoss', reason, since: mark.time, until } }
  }

  const fund = (amount: Amount): void => {
    if (day !== undefined) day = { ...day, result: add(day.result, amount), equity: add(day.equity, amount) }
    if (latest !== undefined)
      latest = { ...latest, result: add(latest.result, amount), equity: add(latest.equity, amount) }
  }

  return {
    name: 'dailyLoss',
    observe: fact => {
      if (fact.type === 'marked') return see(fact)
      if (fact.type === 'funded') fund(fact.amount)
      return undefined
    },
    isDue: mark => day === undefined || lossOf(dayOf(mark), mark) !== undefined,
    forget: () => {
      if (day !== undefined && latest !== undefined)
        day = { ...day, result: latest.result, equity: latest.equity, isOver: false, isResumed: true }
    },
    snapshot: () => ({ day, latest }),
    restore: state => {
      ;({ day, latest } = state as { day: typeof day; latest: typeof latest }) // what `snapshot` gave
    },
  }
}
