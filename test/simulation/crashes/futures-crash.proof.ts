import { describe, expect, it } from 'vitest'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import type { HttpRequest } from '../../../src/exchange/http/transport.ts'
import { enterLong, exit } from '../../../src/strategy/index.ts'
import { klinesOf, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { turningTrader } from '../plan/turning-trader.ts'
import { deathAt, isTelling } from '../seeds/death-at.ts'
import { playedOut } from '../seeds/played-out.ts'
import type { BotWorld, WorldOptions } from '../world/bot-world.ts'
import { busyKlines } from '../world/busy-market.ts'
import { futuresAccountOf, futuresViolations, futuresWorld } from '../world/futures-world.ts'
import { lossyPassages } from '../world/lossy-passages.ts'

/** Set to 1 for the proof at every single moment; by default every so-manieth. */
const EVERY = Number(process.env.SLUICE_KILL_EVERY ?? 60)
const TIMEOUT_MS = EVERY < 40 ? 3_600_000 : 60_000
/** The last differences are believed after two looks. */
const RUN_MS = 14 * MINUTE + 40_000
/** Funding is settled, and the market falls, inside every run. */
const STARTS_AT = START + 53 * MINUTE

const busyTrader = turningTrader('busy-trader', {
  fifth: (size, isFlat) => (isFlat ? enterLong({ size }) : exit()),
  sixth: size => enterLong({ size, scaleIn: true }),
})

/** A busy market that falls by a sixth after its 62nd minute. */
function fallingKlines(seed: number): readonly Kline[] {
  return klinesOf(
    ...busyKlines(90, seed).map(({ open, high, low, close, volume }, index) => {
      const by = index >= 62 ? 0.84 : 1
      const before = index > 62 ? 0.84 : 1
      const cents = (price: number) => Math.round(price * 100) / 100
      const [first, last] = [cents(open * before), cents(close * by)]
      return [
        first,
        Math.max(first, last, cents(high * by)),
        Math.min(first, last, cents(low * by)),
        last,
        volume,
      ] as const
    }),
  )
}

function worldOf(seed: number, options: Partial<WorldOptions> = {}): BotWorld {
  return futuresWorld({ strategy: busyTrader, klines: fallingKlines(seed), startAt: STARTS_AT, ...options })
}

const isOfOrders = ({ url }: HttpRequest) => url.endsWith('/fapi/v1/order') || url.endsWith('/fapi/v1/cancel')

const played = (world: BotWorld) => playedOut(world, () => futuresViolations(world, busyTrader), RUN_MS)

describe('a futures bot that is killed', () => {
  it.each([3, 4])(
    'after any journal write, request or answer, and started again, has the books of the exchange (market %i)',
    async seed => {
      const calm = worldOf(seed)
      expect(await played(calm)).toEqual([])
      expect(calm.said('funding').length).toBeGreaterThan(0)
      expect(futuresAccountOf(calm).records.orders.length).toBeGreaterThan(8)
      const moments = calm.moments.filter(isTelling).length
      calm.remove()
      for (let at = seed; at < moments; at += EVERY) {
        const world = worldOf(seed)
        world.killsAt = deathAt(at)
        expect(await played(world), `killed at moment ${at}`).toEqual([])
        world.remove()
      }
    },
    TIMEOUT_MS,
  )

  it('sees positions liquidated in these markets', async () => {
    const calm = worldOf(4)
    await played(calm)
    expect(calm.said('position liquidated').length).toBeGreaterThan(0)
    calm.remove()
  })

  it(
    'with answers that are lost or late besides, loses and doubles nothing either',
    async () => {
      for (let at = 2; at < 100; at += EVERY) {
        const world = worldOf(6, { passageOf: lossyPassages(at, isOfOrders) })
        world.killsAt = deathAt(at)
        expect(await played(world), `killed at moment ${at}`).toEqual([])
        world.remove()
      }
    },
    TIMEOUT_MS,
  )
})
