import { describe, expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { defineStrategy, enterLong } from '../../../src/strategy/index.ts'
import { flatMarket, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { FuturesCaller } from '../../simulator/futures/futures-caller.ts'
import type { BotWorld, WorldOptions } from '../world/bot-world.ts'
import { futuresAccountOf, futuresWorld } from '../world/futures-world.ts'

const HALTED = 'instrument halted: nothing more is decided on it'
const TAKEN_OVER = 'balance adopted from the exchange'

/** Opens once, and keeps what it has. */
const holder = defineStrategy({
  name: 'holder',
  state: () => ({ isDone: false }),
  onKline: (_kline, { state }) => {
    if (state.isDone) return undefined
    state.isDone = true
    return enterLong({ size: { base: 1 } })
  },
})

function worldOf(options: Partial<WorldOptions> = {}): BotWorld {
  return futuresWorld({
    ...{ strategy: holder, klines: flatMarket(100, 60), startAt: START + 10 * MINUTE },
    ...options,
  })
}

function moveIn(world: BotWorld): void {
  world.exchange.futures.deposit(futuresAccountOf(world), 'USDT', amountOf('500'))
}

/** Has money moved in when a path is asked for the first time. */
function movingInAt(path: string): BotWorld {
  let isMoved = false
  const world: BotWorld = worldOf({
    passageOf: ({ url }) => {
      if (!isMoved && new URL(url).pathname === path) {
        isMoved = true
        world.exchange.advance(world.clock.now())
        moveIn(world)
      }
      return undefined
    },
  })
  return world
}

describe('a futures bot that starts for the first time', () => {
  it('takes over money that is moved in while it is dead, when it has died right after it began its books', async () => {
    const world = worldOf()
    world.killsAt = moment => moment === 'committed' && world.lives === 1
    world.start()
    await world.run(5000)
    moveIn(world)
    await world.run(2 * MINUTE)
    expect(world.said(HALTED)).toEqual([])
    expect(world.said(TAKEN_OVER)).toEqual([expect.objectContaining({ asset: 'USDT', cause: 'transfer' })])
    world.remove()
  })

  it('takes over money that is moved in between its reading of the account and the beginning of its books', async () => {
    const world = movingInAt('/fapi/v1/edit_lever')
    world.start()
    await world.run(2 * MINUTE)
    expect(world.said(HALTED)).toEqual([])
    expect(world.said(TAKEN_OVER)).toEqual([expect.objectContaining({ asset: 'USDT', cause: 'transfer' })])
    world.remove()
  })

  it('counts money once that is moved in while it reads the account, also after a restart', async () => {
    const world = movingInAt('/fapi/v1/account')
    world.start()
    await world.run(2 * MINUTE)
    world.kill()
    await world.run(1000)
    const person = new FuturesCaller(world.exchange)
    person.now = world.clock.now()
    person.order('SELL', 'CLOSE', 'MARKET', 10)
    await world.run(2 * MINUTE)
    expect(world.said('position closed by a foreign order')).toHaveLength(1)
    expect(world.said(TAKEN_OVER)).toEqual([])
    world.remove()
  })
})
