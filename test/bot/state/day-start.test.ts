import { describe, expect, it } from 'vitest'
import { movedBy } from '../../../src/bot/state/account-moves.ts'
import { DayStart } from '../../../src/bot/state/day-start.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { defineStrategy, enterLong, sma } from '../../../src/strategy/index.ts'
import { JournalWindow } from '../../../src/web/sources/journal-window.ts'
import { SPOT_BTC } from '../../domain/instruments.ts'
import { journalPath } from '../../journal/journal-session.ts'
import { klinesOf, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { BotSession, KEY, SECRET } from '../bot-session.ts'

const MIDNIGHT = START + 24 * 60 * MINUTE

/** 100 until 23:57, 104 until a minute after midnight, then 107. */
const klines = klinesOf(
  ...Array.from({ length: 24 * 60 - 3 }, () => [100, 100, 100, 100] as const),
  ...Array.from({ length: 4 }, () => [104, 104, 104, 104] as const),
  ...Array.from({ length: 60 }, () => [107, 107, 107, 107] as const),
)

/** Buys once, and holds. */
const holder = defineStrategy({
  name: 'holder',
  indicators: () => ({ average: sma(2) }),
  onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : undefined),
})

async function begun(more: Partial<ConstructorParameters<typeof BotSession>[0]> = {}) {
  const session = new BotSession({ strategy: holder, klines, ...more })
  await session.clock.advanceTo(MIDNIGHT - 6.5 * MINUTE)
  await session.start()
  return session
}

const dayOf = async (session: BotSession) => (await session.status()).day

describe('the result of the day', () => {
  it('begins at midnight at the prices of then, also after a restart, and without deposits', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const session = await begun({ journal })
    await session.run(MIDNIGHT - MINUTE - session.clock.now())
    // 1 BTC was bought at 100.01 for a fee of 0.1% of it, and 0.999 are worth 104 each: 103.896 - 100.01.
    expect(await dayOf(session)).toEqual({
      since: '2024-01-01T23:53:30.000Z',
      equity: { USDT: '10000' },
      change: { USDT: '3.886' },
    })
    await session.run(4 * MINUTE)
    // At 107 each: 0.999 x 3 more than at midnight, when everything was worth 10,003.886.
    const today = {
      since: '2024-01-02T00:00:00.000Z',
      equity: { USDT: '10003.886' },
      change: { USDT: '2.997' },
    }
    expect(await dayOf(session)).toEqual(today)
    await session.leave(5000)
    await session.start()
    await session.run(2 * MINUTE)
    expect(await dayOf(session)).toEqual(today)
    session.user.account.deposit('USDT', amountOf('500'))
    await session.run(3 * MINUTE)
    const { equity, day } = await session.status()
    expect(equity).toEqual({ USDT: '10506.883' })
    expect(day).toEqual({ ...today, equity: { USDT: '10503.886' } })
    await session.leave(5000)
    const window = await JournalWindow.open(path, async () => holder)
    expect(await window.read('overview', {})).toMatchObject({ status: { day: { change: today.change } } })
    window.close()
    journal.close()
  })

  it('goes on from a snapshot as without one, where the kline of midnight comes later', () => {
    const ledger = new Ledger([SPOT_BTC], [['BTC', amountOf('2')]])
    ledger.mark(SPOT_BTC, ticks(100 * 10 ** SPOT_BTC.pricePrecision))
    const whole = new DayStart()
    whole.turn(MIDNIGHT - MINUTE, ledger)
    whole.turn(MIDNIGHT + 1, ledger)
    const restored = new DayStart()
    restored.begin(ledger, whole.state)
    ledger.mark(SPOT_BTC, ticks(110 * 10 ** SPOT_BTC.pricePrecision))
    const kline = { openTime: MIDNIGHT - MINUTE, open: 105, high: 105, low: 105, close: 105, volume: 1 }
    for (const day of [whole, restored]) {
      day.observeKline({ type: 'klineClosed', symbol: SPOT_BTC.symbol, interval: '1m', kline }, ledger)
      // 2 BTC at 105 each.
      expect(day.state?.equity).toEqual([['USDT', amountOf('210')]])
    }
  })

  it('counts what is held at its first price once, also where a snapshot lies between that and the first quote', () => {
    const price = (units: number) => ticks(units * 10 ** SPOT_BTC.pricePrecision)
    const ledger = new Ledger([SPOT_BTC], [['BTC', amountOf('2')]])
    const whole = new DayStart()
    whole.begin(ledger)
    whole.turn(MIDNIGHT + 1, ledger)
    const kline = { openTime: MIDNIGHT - MINUTE, open: 105, high: 105, low: 105, close: 105, volume: 1 }
    whole.observeKline({ type: 'historySeen', symbol: SPOT_BTC.symbol, interval: '1m', kline }, ledger)
    const restored = new DayStart()
    restored.begin(ledger, whole.state)
    const nextDay = new DayStart()
    nextDay.begin(ledger, whole.state)
    nextDay.turn(MIDNIGHT + 24 * 60 * MINUTE + 1, ledger)
    const seen = { type: 'pricesSeen', prices: [[SPOT_BTC.symbol, price(107)]], time: MIDNIGHT + 2 } as const
    const { moved } = movedBy(seen, ledger, () => ledger.mark(SPOT_BTC, price(107)))
    for (const day of [whole, restored, nextDay]) day.take(moved, ledger)
    // 2 BTC at 105 each; of a day whose first price is the quote, at 107.
    expect(whole.state?.equity).toEqual([['USDT', amountOf('210')]])
    expect(restored.state).toEqual(whole.state)
    expect(nextDay.state?.equity).toEqual([['USDT', amountOf('214')]])
  })

  it('begins at midnight while the bot was down, with what was held by then', async () => {
    const journal = new Journal(journalPath())
    const session = await begun({ journal })
    await session.run(4 * MINUTE)
    await session.leave(5000)
    await session.clock.advanceTo(MIDNIGHT + 4.5 * MINUTE)
    await session.start()
    await session.run(MINUTE)
    // The kline that closed at midnight, at 104, was read at the restart.
    expect((await dayOf(session)).change).toEqual({ USDT: '2.997' })
    await session.leave(5000)
    journal.close()
  })

  it('counts nothing that was held before its first price', async () => {
    const account = { apiKey: KEY, apiSecret: SECRET, balances: { USDT: '10000', BTC: '2' } }
    const session = await begun({
      exchange: {
        listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines } }],
        accounts: [account],
      },
    })
    await session.run(1.5 * MINUTE)
    // 2 BTC of before, and 1 that was bought at 100.01 and is worth 99.9.
    expect(await dayOf(session)).toMatchObject({ equity: { USDT: '10200' }, change: { USDT: '-0.11' } })
  })
})
