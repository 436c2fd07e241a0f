import { expect, it } from 'vitest'
import { summaryText } from '../../../src/cli/bot/bot-summary-text.ts'
import { flatMarket, MINUTE } from '../../simulator/exchange-caller.ts'
import { holder } from '../test-strategies.ts'
import { futuresBot } from './futures-bot.ts'

it('a bot books funding from its wallet where the host does not know the list of transactions, and says so', async () => {
  const session = futuresBot({
    strategy: holder,
    klines: flatMarket(100, 90),
    contract: { fundingHours: 1, fundingRate: '0.001' },
  })
  session.journeyOf = call =>
    call.includes('get_user_transaction')
      ? { answer: { status: 200, body: '{"code":"-1002","data":null,"msg":"UNAUTHORIZED"}' } }
      : undefined
  await session.start()
  await session.run(55 * MINUTE)
  const funding = session.said('funding')
  expect(funding).toMatchObject([{ derived: true, rate: '0.001' }])
  const paid = String(funding[0]?.paid).replace(' USDT', '')
  const summary = await session.leave(5000)
  expect(summary).toMatchObject({ funding: { USDT: paid }, derivedFunding: { USDT: paid } })
  expect(summary === undefined ? '' : summaryText(summary)).toMatch(
    /funding +(paid|received) .*USDT, of which (paid|received) .*USDT is derived from the wallet/,
  )
})
