import type { Logger } from 'pino'
import type { FuturesTerms } from '../../domain/futures-terms.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type SluiceError, UsageError } from '../../domain/sluice-error.ts'
import type { FuturesClient } from '../../exchange/client/futures-client.ts'
import { ExchangeError } from '../../exchange/errors/exchange-error.ts'
import { type HeldContract, positionsIn } from '../../execution/reconciliation/futures-account.ts'

/** The calls that set the terms of a contract, and one that shows those of positions. */
type Settings = Pick<FuturesClient, 'setPositionModel' | 'setMarginModel' | 'setLeverage' | 'account'>

/** A setting without an answer may have been applied; applying it again is harmless. */
const MOST_TRIES = 3

/**
 * Sets the terms of each contract, and verifies them on open positions: the present settings show nowhere
 * else. Throws `UsageError` if the exchange refuses a setting, or holds a position with other terms.
 */
export async function prepareContracts(
  futures: Settings,
  contracts: readonly HeldContract[],
  log: Logger,
): Promise<void> {
  const positions = positionsIn(await futures.account(), contracts)
  for (const contract of contracts) {
    const { contractName, instrument } = contract
    const held = positions.filter(position => position.contract === contract)
    for (const { position } of held) requireFit(contract, position.leverage.toNumber(), position.positionType)
    for (const setting of settingsOf(futures, contractName, termsOf(instrument)))
      await make(contractName, setting, held.length > 0, log)
    const { leverage, marginMode, positionMode } = termsOf(instrument)
    log.info({ contract: contractName, leverage, marginMode, positionMode }, 'contract is set up')
  }
}

interface Setting {
  readonly what: string
  readonly set: () => Promise<void>
}

function settingsOf(
  futures: Settings,
  contractName: string,
  { leverage, marginMode, positionMode }: FuturesTerms,
): readonly Setting[] {
  const positionModel = positionMode === 'oneWay' ? 'net' : 'twoWay'
  return [
    {
      what: `positionMode ${positionMode}`,
      set: () => futures.setPositionModel({ contractName, positionModel }),
    },
    {
      what: `marginMode ${marginMode}`,
      set: () => futures.setMarginModel({ contractName, marginModel: marginMode }),
    },
    { what: `leverage ${leverage}`, set: () => futures.setLeverage({ contractName, leverage }) },
  ]
}

/**
 * While a position is held, an exchange may refuse any setting, also an unchanged one; the position itself
 * shows the correct terms.
 */
async function make(
  contractName: string,
  { what, set }: Setting,
  isHeld: boolean,
  log: Logger,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await set()
    } catch (error) {
      if (!(error instanceof ExchangeError)) {
        if (tries >= MOST_TRIES) throw error
        continue
      }
      if (error.reaction === 'halt' || error.reaction === 'retry') throw error
      if (!isHeld) throw refused(contractName, what, error)
      log.warn(
        { contract: contractName, what, reason: error.reason },
        'setting refused while a position is held',
      )
      return
    }
  }
}

function requireFit(contract: HeldContract, leverage: number, positionType: string): void {
  const { contractName, marginMode, instrument } = contract
  const wanted = termsOf(instrument).leverage
  if (leverage === wanted && positionType === marginMode) return
  throw new UsageError(
    `The account holds ${contractName} ${positionType} at a leverage of ${leverage}, but the configuration says ${marginMode} at ${wanted}; change the configuration, or close the position first.`,
  )
}

function refused(contractName: string, what: string, error: SluiceError): UsageError {
  return new UsageError(
    `The exchange refuses to set ${what} of ${contractName}; change the account of the configuration, or cancel the orders on it. ${error.message}`,
    error,
  )
}

/** Loading has given each contract its terms. */
function termsOf({ symbol, futures }: Instrument): FuturesTerms {
  if (futures !== undefined) return futures
  throw new UsageError(`${symbol} is no contract.`)
}
