import { ExchangeCaller } from '../../simulator/exchange-caller.ts'
import { type BotSession, KEY, SECRET } from '../bot-session.ts'

/** The bot's spot account, used by hand. */
export function personOf(session: BotSession): ExchangeCaller {
  const person = new ExchangeCaller(session.exchange, { apiKey: KEY, apiSecret: SECRET })
  person.now = session.clock.now()
  return person
}
