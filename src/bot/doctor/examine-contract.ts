import type { Instrument } from '../../domain/instrument.ts'
import { amountOf, amountToText, rateOf } from '../../domain/numbers/amount.ts'
import type { FuturesClient } from '../../exchange/client/futures-client.ts'
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
    await futures.transactions({ marginCoin: quote, startTime: now - LOOK_BACK_MS, endTime: now, limit: 1 })
    const positions = positionsIn(await futures.account(), [contract])
    const odd = positions.find(
      ({ position }) => !position.leverage.equals(leverage ?? 0) || position.positionType !== marginMode,
    )
    const wanted = `${leverage}x, ${marginMode}, ${positionMode}`
    if (odd === undefined) {
      const keeps = positions.find(({ position }) => !keepsAsConfigured(instrument, position))
      if (keeps !== undefined) return otherMaintenance(contract, keeps.position)
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
        [`It will be held at ${wanted}; that is set at the start. ${there}.`, unknownMaintenance(instrument)]
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

/**
 * True if the maintenance rate of a position equals the configured one for its notional, or none is
 * configured.
 */
function keepsAsConfigured(
  instrument: Instrument,
  { value, maintenanceRate: there }: FuturesPosition,
): boolean {
  if (instrument.futures?.maintenance.length === 0) return true
  return maintenanceRate(instrument, amountOf(value)) === rateOf(there)
}

function otherMaintenance({ contractName, instrument }: HeldContract, position: FuturesPosition): Finding {
  const { value, maintenanceRate: there } = position
  const here = amountToText(maintenanceRate(instrument, amountOf(value)))
  return problem(
    'contract',
    contractName,
    `The exchange wants ${there} of a position's worth kept, but the configuration says ${here}.`,
    `Correct the maintenance rates of ${instrument.symbol} under "instruments".`,
  )
}
