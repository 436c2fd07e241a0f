import { accountsOf, hostsOf, tradesPairs } from '../../config/account-fields.ts'
import type { BotConfig } from '../../config/bot-config.ts'
import type { Patience } from '../../exchange/call/endpoint-call.ts'
import { createSystemClock } from '../../exchange/clock/system-clock.ts'
import type { Credentials } from '../../exchange/http/credentials.ts'
import { openExchangeVenue } from './exchange-venue.ts'
import { openPaperVenue } from './paper-venue.ts'
import { type OwnJournal, openSimulatedVenue } from './simulated-venue.ts'
import type { Venue } from './venue.ts'

/**
 * Opens the venue of a configuration; a simulated exchange resumes from the file beside the journal, if there
 * is one. A paper account that is only examined is not recorded.
 */
export function openVenue(
  config: BotConfig,
  credentials: Credentials | undefined,
  journal?: OwnJournal,
  patience?: Patience,
  isExamined = false,
): Promise<Venue> {
  const { venue, strategies, execution, polling } = config
  if (venue.type === 'exchange')
    return openExchangeVenue(venue, {
      credentials,
      timeoutMs: execution.orderTimeoutMs,
      traded: hostsOf(accountsOf(config)),
      weightPerMinute: polling.weightPerMinute,
      patience,
    })
  if (venue.type === 'paper')
    return openPaperVenue(venue, {
      ...{ config, accounts: accountsOf(config), clock: createSystemClock(), journal, patience },
      records: !isExamined,
      clockHost: tradesPairs(accountsOf(config)) ? 'spot' : 'futures',
    })
  const startAt = createSystemClock().now()
  const isForLook = journal === undefined && config.journal !== undefined
  return openSimulatedVenue(venue, { strategies, accounts: accountsOf(config), startAt, journal, isForLook })
}
