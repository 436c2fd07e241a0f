import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import { clockScheduler } from '../../../src/market/polls/clock-scheduler.ts'
import { PollGate } from '../../../src/market/polls/poll-gate.ts'

/** A gate on virtual time, and who has begun, in order. */
function gate(available = 100) {
  const clock = new VirtualClock(0)
  const state = { used: 0 }
  const polls = new PollGate({
    available,
    usage: () => ({ used: state.used, limit: 200 }),
    scheduler: clockScheduler(clock),
  })
  const begun: string[] = []
  const ask = (name: string, urgency: number, weight = 1) => {
    const turn = polls.turn(urgency, weight)
    void turn.come.then(() => begun.push(name))
    return turn
  }
  return { clock, state, begun, ask, settle: () => clock.advanceTo(clock.now()) }
}

describe('PollGate', () => {
  it('lets 48 polls begin at a time, then one for each that ends, the most urgent first', async () => {
    const { ask, begun, settle } = gate(1000)
    const turns = Array.from({ length: 48 }, (_, index) => ask(`${index}`, 2))
    ask('tickers', 2)
    ask('depth', 4)
    ask('klines', 0)
    ask('more klines', 0)
    await settle()
    expect(begun).toHaveLength(48)
    for (const turn of turns.slice(0, 4)) turn.release()
    await settle()
    expect(begun.slice(48)).toEqual(['klines', 'more klines', 'tickers', 'depth'])
  })

  it('lets nothing begin while orders need the weight, and looks again by itself', async () => {
    const { clock, state, ask, begun, settle } = gate(100)
    state.used = 96
    ask('heavy', 0, 5)
    ask('light', 1, 1)
    await settle()
    expect(begun).toEqual([])
    state.used = 95
    await clock.advanceTo(249)
    expect(begun).toEqual([])
    await clock.advanceTo(250)
    expect(begun).toEqual(['heavy', 'light'])
  })

  it('forgets who does not want to begin any more', async () => {
    const { clock, state, ask, begun } = gate(100)
    state.used = 100
    ask('gone', 0).release()
    ask('here', 1)
    state.used = 0
    await clock.advanceTo(250)
    expect(begun).toEqual(['here'])
  })
})
