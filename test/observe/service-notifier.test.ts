import pino from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { VirtualClock } from '../../src/bot/clock/virtual-clock.ts'
import { ServiceNotifier } from '../../src/observe/service-notifier.ts'

const answering = { operate: async () => ({ ok: true, message: '', status: {} }) } as never
const log = pino({ level: 'silent' })

function opened(environment: Record<string, string | undefined>, send?: (text: string) => Promise<void>) {
  const clock = new VirtualClock(0)
  const told: string[] = []
  const notifier = ServiceNotifier.open(environment, {
    ...{ clock, log },
    send: send ?? (async text => void told.push(`${clock.now() / 1000} s ${text}`)),
  })
  return { clock, told, notifier }
}

describe('a bot as a service of systemd', () => {
  it('says that it trades, three times in the time of the watchdog that it answers, and that it ends', async () => {
    const environment = { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '60000000', PATH: '/bin' }
    const { clock, told, notifier } = opened(environment)
    notifier?.watch(answering)
    await clock.advanceTo(65_000)
    notifier?.stopping()
    notifier?.close()
    await clock.advanceTo(200_000)
    expect(told).toEqual([
      '0 s READY=1',
      '20 s WATCHDOG=1',
      '40 s WATCHDOG=1',
      '60 s WATCHDOG=1',
      '65 s STOPPING=1',
    ])
    // No strategy finds them.
    expect(environment).toEqual({ PATH: '/bin' })
  })

  it('tells nothing where no service manager asks, and only that it trades where none watches', async () => {
    expect(opened({}).notifier).toBeUndefined()
    const { clock, told, notifier } = opened({ NOTIFY_SOCKET: '/run/notify' })
    notifier?.watch(answering)
    await clock.advanceTo(600_000)
    expect(told).toEqual(['0 s READY=1'])
  })

  it('says nothing of a bot that does not answer within five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { clock, told, notifier } = opened({ NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '60000000' })
    notifier?.watch({ operate: () => new Promise(() => {}) })
    await clock.advanceTo(25_000)
    await vi.advanceTimersByTimeAsync(5001)
    expect(told).toEqual(['0 s READY=1'])
  })

  it('goes on where systemd cannot be told', async () => {
    let tries = 0
    const { clock, notifier } = opened(
      { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '3000000' },
      async () => {
        tries++
        throw new Error('There is no systemd-notify.')
      },
    )
    notifier?.watch(answering)
    await clock.advanceTo(3000)
    expect(tries).toBe(4)
  })
})
