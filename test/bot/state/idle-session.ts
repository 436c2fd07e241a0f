import type { SessionRecord } from '../../../src/bot/state/session-record.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { SPOT_BTC } from '../../domain/instruments.ts'

/** The start of a bot without strategies that trades one instrument. */
export function idleSession(instrument: Instrument = SPOT_BTC): SessionRecord {
  return { bot: 'test', strategies: [], instruments: [instrument], balances: new Map(), continues: false }
}
