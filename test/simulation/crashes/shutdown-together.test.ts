import { describe, expect, it } from 'vitest'
import { MINUTE, START } from '../../simulator/exchange-caller.ts'
import { violations } from '../invariants.ts'
import { BotWorld, type Moment } from '../world/bot-world.ts'
import { busyKlines, busyStrategy } from '../world/busy-market.ts'

const MINUTES = 7

/** Orders leave in parts, all of them in one turn. */
function worldOf(): BotWorld {
  return new BotWorld({
    strategy: busyStrategy,
    klines: busyKlines(60, 3),
    startAt: START + 10 * MINUTE,
    maxVolume: '0.4',
  })
}

async function played(world: BotWorld): Promise<readonly string[]> {
  world.start()
  await world.run(MINUTES * MINUTE)
  const hasLeft = await world.leave(70_000)
  const wrong = await violations(world, busyStrategy)
  return hasLeft ? wrong : ['the bot did not leave in time', ...wrong]
}

/** Where a commit is followed by so many requests at least with no other between them: the moments from that commit to the last of these requests. */
function groupsIn(moments: readonly Moment[], requests: number): readonly (readonly number[])[] {
  return moments.flatMap((moment, start) => {
    if (moment !== 'committed') return []
    const next = moments.findIndex((other, at) => at > start && other === 'committed')
    const group = moments.slice(start, next === -1 ? undefined : next)
    const end = start + group.lastIndexOf('left')
    if (group.filter(other => other === 'left').length < requests) return []
    return [Array.from({ length: end - start + 1 }, (_, index) => start + index)]
  })
}

describe('requests that share a commit', () => {
  it('are each known after a crash between it and any of them', async () => {
    const calm = worldOf()
    expect(await played(calm)).toEqual([])
    const groups = groupsIn(calm.moments, 3)
    calm.remove()
    expect(groups.length).toBeGreaterThan(2)
    for (const at of groups[0] ?? []) {
      const world = worldOf()
      world.killsAt = (_, index) => index === at
      expect(await played(world), `killed at moment ${at}`).toEqual([])
      expect(world.lives, `killed at moment ${at}`).toBe(2)
      world.remove()
    }
  })
})
