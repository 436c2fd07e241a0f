import { expect, it } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import { checkSpeed, ExchangeSpeedError } from '../../../src/bot/venue/exchange-speed.ts'

const START = Date.UTC(2026, 0, 1)
const URL = 'http://127.0.0.1:9'

/** The refusal of an exchange whose time passes `speed` times as fast as real time; `undefined` if there is none. */
async function refusalOf(speed: number, uncertaintyMs = 1): Promise<unknown> {
  const clock = new VirtualClock(START)
  let measuredAt = START
  const client = {
    synchronise: async () => {
      measuredAt = clock.now()
    },
    state: () => {
      const offsetMs = (speed - 1) * (measuredAt - START)
      return { clock: { offsetMs, uncertaintyMs, roundTripMs: 2, ageMs: clock.now() - measuredAt } }
    },
  }
  const checked = checkSpeed(client, clock, URL).catch(error => error)
  return clock.passUntil(checked, 50)
}

it.each([
  [60, 'passes 60 times as fast as real time', 60],
  [1.5, 'passes 1.5 times as fast as real time', 2],
  [0.5, 'passes 0.5 times as fast as real time', 1],
  [0, 'stands still', 1],
])(
  'refuses an exchange whose time passes %f times as fast, and says what to do',
  async (speed, found, own) => {
    const refusal = await refusalOf(speed)
    expect(refusal).toBeInstanceOf(ExchangeSpeedError)
    expect(refusal).toHaveProperty(
      'message',
      `The time of the exchange at ${URL} ${found}. A bot follows an exchange in another process in real time: start that one without --speed and --manual-time, or let the bot open an exchange of its own by "venue: { type: simulated, speed: ${own} }".`,
    )
  },
)

it('trades where the time passes as real time does, as far as it can be measured', async () => {
  expect(await refusalOf(1)).toBeUndefined()
  expect(await refusalOf(1.09)).toBeUndefined()
  // 250 ms seem to be 375, each known to 100 ms only.
  expect(await refusalOf(1.5, 100)).toBeUndefined()
})
