import type { Instrument } from '../../domain/instrument.ts'
import { amountOf, amountToText, rateOf } from '../../domain/numbers/amount.ts'
import type { FuturesClient } from '../../exchange/client/futures-client.ts'
import { isNotOffered } from '../../exchange/errors/call-not-offered-error.ts'
import type { FuturesPosition } from '../../exchange/futures/futures-position.ts'
import { type HeldContract, positionsIn } from '../../execution/reconciliation/futures-account.ts'
import { maintenanceRate } from '../../ledger/contract-margin.ts'
import { unknownMaintenance } from '../venue/unknown-maintenance.ts'
import { adviceFor, sentenceOf } from './examine-venue.ts'
import { type Finding, problem, sound } from './finding.ts'

/** Span of the transactions read to test access, ms. */
const LOOK_BACK_MS = 3_600_000

/**
 * Checks that a contract can be held as configured, and that its account is readable. Changes nothing: the
 * exchange's reply to a setting shows at the start.
 */
export async function examineContract(
  futures: Pick<FuturesClient, 'account' | 'transactions' | 'time'>,
  contract: HeldContract,
): Promise<Finding> {
  const { contractName, instrument, quote } = contract
  const { leverage, marginMode, positionMode } = { ...instrument.futures }
  try {
    const now = await futures.time()
    // Funding is booked from there, so that a key which may not read it cannot trade.
    const withoutTransactions = await transactionsProblem(futures, quote, now)
    const positions = positionsIn(await futures.account(), [contract])
    const odd = positions.find(
      ({ position }) => !position.leverage.equals(leverage ?? 0) || position.positionType !== marginMode,
    )
    const wanted = `${leverage}x, ${marginMode}, ${positionMode}`
    if (odd === undefined) {
      const differences = positions.flatMap(
        ({ position }) => maintenanceDifference(instrument, position) ?? [],
      )
      const [differs] = differences
      if (differs !== undefined) return otherMaintenance(contract, differs)
      const held = positions
        .map(
          ({ quantity, direction }) =>
            `${quantity} ${quantity === 1 ? 'contract' : 'contracts'} ${direction}`,
        )
        .join(' and ')
      const there = held === '' ? 'Nothing is held' : `The account holds ${held}`
      return sound(
        'contract',
        contractName,
        [
          `It will be held at ${wanted}; that is set at the start. ${there}.`,
          unknownMaintenance(instrument),
          withoutTransactions,
        ]
          .filter(text => text !== undefined)
          .join(' '),
      )
    }
    const { position } = odd
    return problem(
      'contract',
      contractName,
      `A position is held ${position.positionType} at ${position.leverage}x, but the configuration says ${wanted}.`,
      'Change the account in the configuration, or close the position.',
    )
  } catch (error) {
    return problem('contract', contractName, sentenceOf(error), adviceFor(error))
  }
}

/** Sentence about an exchange that lists no transactions; rejects where they cannot be read for another reason. */
async function transactionsProblem(
  futures: Pick<FuturesClient, 'transactions'>,
  marginCoin: string,
  now: number,
): Promise<string | undefined> {
  try {
    await futures.transactions({ marginCoin, startTime: now - LOOK_BACK_MS, endTime: now, limit: 1 })
    return undefined
  } catch (error) {
    if (!isNotOffered(error)) throw error
    return 'The exchange lists no transactions: funding is derived from position and funding rate, and marked as derived.'
  }
}

/** Maintenance rates of a position at the exchange and by the configuration, as text. */
interface MaintenanceDifference {
  readonly there: string
  readonly here: string
}

/** `undefined` if both are the same for the notional of the position, or one of them is not known. */
function maintenanceDifference(
  instrument: Instrument,
  { value, maintenanceRate: there }: FuturesPosition,
): MaintenanceDifference | undefined {
  if (instrument.futures?.maintenance.length === 0 || value === undefined || there === undefined)
    return undefined
  const here = maintenanceRate(instrument, amountOf(value))
  return here === rateOf(there) ? undefined : { there: String(there), here: amountToText(here) }
}

function otherMaintenance(
  { contractName, instrument }: HeldContract,
  { there, here }: MaintenanceDifference,
): Finding {
  return problem(
    'contract',
    contractName,
    `The exchange wants ${there} of a position's worth kept, but the configuration says ${here}.`,
    `Correct the maintenance rates of ${instrument.symbol} under "instruments".`,
  )
}
