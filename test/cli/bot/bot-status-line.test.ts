import { expect, it } from 'vitest'
import type { Bot } from '../../../src/bot/bot.ts'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import type { BotStatus } from '../../../src/bot/log/bot-status.ts'
import { BotStatusLine } from '../../../src/cli/bot/bot-status-line.ts'
import { StatusLine } from '../../../src/cli/bot/status-line.ts'

const HELD = {
  ...{ direction: 'long', quantity: '1', unit: 'BTC', symbol: 'BTC/USDT', quote: 'USDT', unrealised: '0' },
}

/** A line of a terminal below the log of a bot that holds what it is said to; `written`: what the terminal was sent. */
async function watched() {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1))
  const written: string[] = []
  let held: readonly object[] = []
  let looks = 0
  const bot = {
    operate: async () => {
      looks++
      const status = {
        ...{
          time: new Date(clock.now()).toISOString(),
          equity: { USDT: '10' },
          comparison: 'agreed',
          line: {},
        },
        day: { since: '2026-01-01T00:00:00.000Z', equity: { USDT: '10' }, change: { USDT: '0' } },
        ...{ unprotected: [], trading: [], orders: [], strategies: [], held },
      } as unknown as BotStatus // what the line reads
      return { ok: true, status }
    },
  } as unknown as Pick<Bot, 'operate'> // asked for its status alone
  const terminal = {
    columns: 200,
    write: (text: string) => written.push(text) > 0,
    ...{ on: () => terminal, off: () => terminal },
  } as unknown as NodeJS.WriteStream // what the line uses
  const line = new StatusLine(terminal)
  const shown = new BotStatusLine(line, bot, clock)
  const pass = async (ms: number) => {
    await clock.advanceTo(clock.now() + ms)
    await new Promise(setImmediate)
  }
  await pass(0)
  return {
    ...{ line, shown, pass },
    buy: () => {
      held = [HELD]
    },
    latest: () => written.at(-1) ?? '',
    looks: () => looks,
  }
}

it('the line below the log of a bot follows a line of it within a tenth of a second', async () => {
  const { line, shown, pass, buy, latest } = await watched()
  expect(latest()).toContain('| flat')
  await pass(300)
  buy()
  line.write('fill: BUY 1 BTC\n')
  await pass(100)
  expect(latest()).toContain('| LONG 1 BTC')
  shown.close()
})

it('many lines of the log cause no more than ten looks a second, and quiet ones a look each second', async () => {
  const { line, shown, pass, looks } = await watched()
  const before = looks()
  for (let n = 0; n < 100; n++) {
    line.write('something\n')
    await pass(10)
  }
  expect(looks() - before).toBe(10)
  await pass(950)
  const quiet = looks()
  await pass(3000)
  expect(looks() - quiet).toBe(3)
  shown.close()
  line.write('the end\n')
  await pass(3000)
  expect(looks() - quiet).toBe(3)
})
