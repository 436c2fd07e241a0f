import type { Credentials } from '../exchange/credentials.ts'
import { createSystemClock } from '../exchange/system-clock.ts'
import { accountsOf } from './config/account-fields.ts'
import type { BotConfig } from './config/bot-config.ts'
import { openExchangeVenue } from './exchange-venue.ts'
import { openSimulatedVenue } from './simulated-venue.ts'
import type { Venue } from './venue.ts'

/** Opens the venue of a configuration. */
export function openVenue(config: BotConfig, credentials: Credentials | undefined): Promise<Venue> {
  const { venue, strategies, execution, polling } = config
  return venue.type === 'simulated'
    ? openSimulatedVenue(venue, strategies, accountsOf(config), createSystemClock().now())
    : openExchangeVenue(venue, credentials, execution.orderTimeoutMs, polling.weightPerMinute)
}
