import { expect, it } from 'vitest'
import { statusWarnings } from '../../../src/bot/log/status-warnings.ts'
import { logLineText } from '../../../src/bot/text/log-lines.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'
import { personOf } from '../spot/spot-person.ts'
import { holder } from '../test-strategies.ts'

const LOGGED = 'the account holds less than our positions, and no sale is listed yet'

/** A bot that holds 0.999 BTC in its books, of which 0.4 have left the account two minutes after its start. */
async function lacking(): Promise<{ session: BotSession; differing: () => Promise<readonly string[]> }> {
  const session = new BotSession({ strategy: holder })
  await session.start()
  await session.run(2 * MINUTE)
  session.user.account.withdraw('BTC', amountOf('0.4'))
  await session.run(15_000)
  const differing = async () =>
    statusWarnings(await session.status()).filter(text => text.startsWith('DIFFERS'))
  return { session, differing }
}

it('says what the account lacks, as the log does, until its markets halt', async () => {
  const { session, differing } = await lacking()
  const [said] = session.said(LOGGED)
  const until = String(said?.until)
  const sentence = `The account holds 0.599 BTC, less than the 0.999 of our positions, and the exchange lists no sale of them yet. Books and positions stay as they are meanwhile; markets of BTC are halted at ${until.slice(0, 19).replace('T', ' ')}Z unless a sale explains it until then.`
  expect(logLineText(LOGGED, said ?? {})).toBe(sentence)
  expect(await differing()).toEqual([
    `DIFFERS FROM THE ACCOUNT: positions and money below are the books of this bot. ${sentence}`,
  ])
  expect((await session.status()).awaitedSales).toEqual([
    { asset: 'BTC', held: '0.999', exchange: '0.599', until },
  ])
  await session.run(100_000)
  expect(await differing()).toEqual([])
  expect((await session.status()).awaitedSales).toEqual([])
  await session.leave(5000)
})

it('says it no more once the coins are back, nor of another difference', async () => {
  const { session, differing } = await lacking()
  session.user.account.deposit('BTC', amountOf('0.4'))
  await session.run(20_000)
  expect(await differing()).toEqual([])
  personOf(session).order('SELL', 'MARKET', '0.1')
  await session.run(6000)
  expect((await session.status()).awaitedSales).toEqual([])
  await session.leave(5000)
})
