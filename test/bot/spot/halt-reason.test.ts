import { describe, expect, it } from 'vitest'
import { amountOf, ZERO } from '../../../src/domain/numbers/amount.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'
import { BotSession } from '../bot-session.ts'
import { lateTrades } from '../late-trades.ts'
import { holder } from '../test-strategies.ts'

describe('the reason of a halted pair', () => {
  it('follows what the account lacks, and says once that it lacks nothing any more', async () => {
    const session = new BotSession({ strategy: holder })
    await session.start()
    await session.run(2 * MINUTE)
    const shown = async (): Promise<string> => {
      const { trading } = await session.status()
      return trading.find(({ scope }) => scope === 'BTC/USDT')?.haltedUntilStart ?? ''
    }
    /** The bot has bought 1 BTC less a fee of 0.1%. */
    const holds = (amount: string) =>
      expect.stringContaining(`The account holds ${amount} BTC, less than the 0.999 of our positions`)
    const over =
      'It was halted because books and account differed. They do not differ any more; restart the bot to go on.'
    session.user.account.deposit('BTC', amountOf('-0.5'))
    await session.run(2 * MINUTE)
    expect(await shown()).toEqual(holds('0.499'))
    session.user.account.deposit('BTC', amountOf('-0.1'))
    await session.run(MINUTE)
    expect(await shown()).toEqual(holds('0.399'))
    session.user.account.deposit('BTC', amountOf('0.6'))
    await session.run(MINUTE)
    expect(await shown()).toBe(over)
    const reasons = session.said('the reason of a halt has changed').map(({ reason }) => reason)
    expect(reasons).toEqual([holds('0.399'), over])
    expect(session.said('instrument halted: nothing more is decided on it')).toHaveLength(1)
  })
  it('says that it has traded as soon as the exchange has sold, which lists no trade of that yet', async () => {
    const late = { isLate: false }
    const session = new BotSession({ strategy: holder, host: lateTrades(() => late.isLate) })
    await session.start()
    await session.run(2 * MINUTE)
    session.user.account.withdraw('BTC', amountOf('0.5'))
    await session.run(2 * MINUTE)
    late.isLate = true
    const answer = await session.operate('flatten')
    expect(session.user.account.holding('BTC').free).toBe(ZERO)
    const outdated =
      'they agreed again, but it has traded since, and the next look at the account tells whether they still agree.'
    expect(answer).toContain(outdated)
    late.isLate = false
    await session.run(MINUTE)
    const { trading, held } = await session.status()
    expect(held).toEqual([])
    expect(trading.find(({ scope }) => scope === 'BTC/USDT')?.haltedUntilStart).not.toContain(outdated)
  })
  it('stays that books and account agree where the operator closes what is held, once a look has confirmed it', async () => {
    const session = new BotSession({ strategy: holder })
    await session.start()
    await session.run(2 * MINUTE)
    session.user.account.deposit('BTC', amountOf('-0.5'))
    await session.run(2 * MINUTE)
    session.user.account.deposit('BTC', amountOf('0.5'))
    // A comparison begins every 10 s.
    await session.run(MINUTE + 3000)
    const halted = (reason: string) =>
      `Closed: LONG 0.999 BTC of BTC/USDT. Trading of the account is active. Trading of BTC/USDT is halted until the bot is started again: It was halted because books and account differed${reason}`
    session.journeyOf = call =>
      call === 'GET /sapi/v1/account' ? { answer: { status: 500, body: 'Internal Server Error' } } : undefined
    expect(await session.operate('flatten')).toBe(
      halted(
        '; they agreed again, but it has traded since, and the next look at the account tells whether they still agree.',
      ),
    )
    session.journeyOf = () => undefined
    await session.run(MINUTE)
    const { trading } = await session.status()
    expect(trading.find(({ scope }) => scope === 'BTC/USDT')?.haltedUntilStart).toBe(
      'It was halted because books and account differed. They do not differ any more; restart the bot to go on.',
    )
  })
})
