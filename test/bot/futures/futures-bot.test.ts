import { describe, expect, it } from 'vitest'
import { amountToText } from '../../../src/domain/numbers/amount.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { defineStrategy, enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { ANSWER_LOST } from '../../faulty-transport.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { flatMarket, MINUTE, START } from '../../simulator/exchange-caller.ts'
import type { BotSession } from '../bot-session.ts'
import { bidder, flipper, holder, once } from '../test-strategies.ts'
import { accountOf, byHand, expectAgreed, futuresBot, stepAt, withoutClientIds } from './futures-bot.ts'

const PLACE = 'POST /fapi/v1/order'
const QUERY = 'GET /fapi/v1/order'
const TRANSACTIONS = 'POST /fapi/v1/get_user_transaction'
const CONTRACT = 'E-BTC-USDT'

/** Opens once at 100, with a stop-loss 5 below. */
const careful = once(() => enterLong({ stopLoss: 95 }))

const settlementsOf = (session: BotSession) =>
  [...accountOf(session).transactions.oldestFirst()].filter(({ type }) => type === 'funding')

describe('a running bot on a futures account', () => {
  it('sets how the contract is held before it trades', async () => {
    const account = { type: 'futures', leverage: 7, marginMode: 'isolated', positionMode: 'twoWay' } as const
    const session = futuresBot({ strategy: bidder, klines: flatMarket(100, 60), account })
    await session.create()
    const { contract } = session.exchange.futures.contractOf(CONTRACT)
    expect(accountOf(session).slot(contract)).toMatchObject({
      leverage: 7,
      marginMode: 'isolated',
      positionMode: 'twoWay',
    })
  })

  it('refuses to start on a position that is held otherwise', async () => {
    const session = futuresBot({ strategy: bidder, klines: flatMarket(100, 60) })
    const person = byHand(session)
    person.order('BUY', 'OPEN', 'MARKET', 3)
    await expect(session.create()).rejects.toThrow(
      'The account holds E-BTC-USDT cross at a leverage of 20, but the configuration says cross at 10',
    )
  })

  it('finds that its own trading explains every change of its wallet', async () => {
    const session = futuresBot({ strategy: flipper, klines: flatMarket(100, 60) })
    await session.start()
    await session.run(20 * MINUTE)
    expect(session.said('fill').length).toBeGreaterThan(15)
    expect(session.said('balance adopted from the exchange')).toEqual([])
    await expectAgreed(session)
  })

  it('closes a position by its protective stop, with an order that only reduces', async () => {
    const session = futuresBot({ strategy: careful, klines: stepAt(15, 90) })
    await session.start()
    await session.run(10 * MINUTE)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
    const actions = accountOf(session).records.orders.map(({ action, side }) => `${side} ${action}`)
    expect(actions.toSorted()).toEqual(['buy OPEN', 'sell CLOSE'])
    await expectAgreed(session)
  })

  it('books every payment of funding once, as large as the exchange does, also after a restart', async () => {
    const journal = new Journal(journalPath())
    const options = {
      strategy: holder,
      klines: flatMarket(100, 300),
      contract: { fundingRate: '0.001' },
      journal,
    }
    const session = futuresBot(options)
    await session.start()
    await session.run(55 * MINUTE)
    await session.leave(5000)
    await session.start()
    await session.run(60 * MINUTE)
    const settled = settlementsOf(session)
    // 10 contracts of 0.1 BTC at 100, 0.1% of 100 USDT.
    expect(settled.map(({ amount }) => amountToText(amount))).toEqual(['-0.1', '-0.1'])
    expect(session.said('funding').map(({ paid, rate }) => `${paid} ${rate}`)).toEqual([
      '0.1 USDT 0.001',
      '0.1 USDT 0.001',
    ])
    expect(session.said('balance adopted from the exchange')).toEqual([])
    await expectAgreed(session)
    journal.close()
  })

  it.each(['cross', 'isolated'] as const)(
    'books the funding of a %s position that is gone when it is known',
    async marginMode => {
      const leaver = defineStrategy({
        name: 'leaver',
        onKline: ({ openTime }, { position }) => {
          const minute = (openTime - START) / MINUTE
          if (minute === 55) return enterShort()
          return minute === 59 && position.direction === 'short' ? exit() : undefined
        },
      })
      const session = futuresBot({
        strategy: leaver,
        klines: flatMarket(100, 90),
        contract: { fundingRate: '0.001' },
        account: { type: 'futures', leverage: 10, marginMode },
      })
      await session.start()
      await session.run(50 * MINUTE - 5000)
      session.journeyOf = call => (call === TRANSACTIONS ? { refused: true } : undefined)
      await session.run(10_000)
      expect(accountOf(session).positions()).toEqual([])
      expect(session.said('funding')).toEqual([])
      session.journeyOf = () => undefined
      await session.run(MINUTE)
      expect(session.said('funding').map(({ paid }) => paid)).toEqual(['-0.1 USDT'])
      expect(session.said('balance adopted from the exchange')).toEqual([])
      await expectAgreed(session)
    },
  )

  it('takes the funding of an isolated position that is gone from the wallet, never from the margin of the next', async () => {
    const returner = defineStrategy({
      name: 'returner',
      onKline: ({ openTime }, { position }) => {
        const minute = (openTime - START) / MINUTE
        if (minute === 55) return enterLong()
        if (minute === 59 && position.direction === 'long') return exit()
        return minute === 60 ? enterLong() : undefined
      },
    })
    const session = futuresBot({
      strategy: returner,
      klines: flatMarket(100, 90),
      contract: { fundingRate: '0.001' },
      account: { type: 'futures', leverage: 10, marginMode: 'isolated' },
    })
    await session.start()
    await session.run(50 * MINUTE - 5000)
    session.journeyOf = call => (call === TRANSACTIONS ? { refused: true } : undefined)
    await session.run(MINUTE + 10_000)
    const isOpenedAnew = session.said('fill').map(({ side }) => side)
    expect(isOpenedAnew).toEqual(['buy', 'sell', 'buy'])
    expect(session.said('funding')).toEqual([])
    session.journeyOf = () => undefined
    await session.run(MINUTE)
    expect(session.said('funding').map(({ paid }) => paid)).toEqual(['0.1 USDT'])
    // The exchange has no other margin of the new position than our books, so none was taken over.
    expect(session.said('margin adopted from the exchange')).toEqual([])
    expect(session.said('balance adopted from the exchange')).toEqual([])
    await expectAgreed(session)
  })

  it.each([true, false])(
    'places an order once whose answer is lost, where lists tell its id and where they do not (told: %s)',
    async tellsIds => {
      const session = futuresBot({
        strategy: bidder,
        klines: flatMarket(100, 60),
        execution: { foreignOrders: 'cancel' },
        ...(!tellsIds && { host: withoutClientIds }),
      })
      await session.start()
      // Nobody can ask about the order while the open orders are compared.
      session.journeyOf = call =>
        call === PLACE ? ANSWER_LOST : call === QUERY ? { refused: true } : undefined
      await session.run(MINUTE + 15_000)
      session.journeyOf = () => undefined
      await session.run(5 * MINUTE)
      expect(accountOf(session).records.openOrders).toHaveLength(1)
      expect(accountOf(session).records.orders).toHaveLength(1)
      expect(session.said('foreign order canceled')).toEqual([])
    },
  )
})
