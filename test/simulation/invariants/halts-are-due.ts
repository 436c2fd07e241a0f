import { isTradedByOthers } from './liquidations-booked-once.ts'
import { contractsOf, type Moment, type Violation } from './scene.ts'

/** Of contracts everything can be explained, by trades, transfers, funding and liquidations, as long as nobody else trades on the account. */
export function haltsAreDue(
  moment: Pick<Moment, 'event' | 'instruments' | 'futures' | 'othersPrefix'>,
): readonly Violation[] {
  const { event } = moment
  if (event.type !== 'instrumentHalted') return []
  const contracts = contractsOf(moment)
  if (!contracts.some(({ symbol }) => symbol === event.symbol)) return []
  if (contracts.some(({ symbol }) => isTradedByOthers(moment, symbol))) return []
  return [{ problem: `${event.symbol} was halted: ${event.reason}`, about: event.symbol }]
}
