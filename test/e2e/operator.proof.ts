import { describe, expect, it } from 'vitest'
import { botCommand, left, operatedConfig, startBot } from './operated-bot.ts'

/** A command that closes. It answers after eight seconds of the venue at most, less than one of a busy machine: the closing may go on. */
async function closes(config: string, ...args: readonly string[]) {
  const { exitCode, out, err } = await botCommand(config, ...args)
  if (exitCode !== 0)
    expect([exitCode, out + err]).toEqual([1, expect.stringContaining('Still being closed')])
}

const status = async (config: string) => JSON.parse((await botCommand(config, 'status', '--json')).out).status

describe('a bot in a process of its own', () => {
  it('is halted with its protection in place, then killed, and stays killed after a restart until it is resumed', async () => {
    const config = operatedConfig()
    const first = startBot(config)
    await first.line('"purpose":"stopLoss"')
    const halted = await botCommand(config, 'halt', '--reason', 'a drill')
    expect(halted).toEqual({
      exitCode: 0,
      out: 'Trading of the account is halted. The operator halted: a drill.\n',
      err: '',
    })
    const stopped = await status(config)
    expect(stopped.orders).toEqual([expect.objectContaining({ purpose: 'stopLoss', status: 'open' })])
    expect(stopped.positions['BTC/USDT']).not.toBe('0')
    await closes(config, 'kill')
    await first.line('round trip closed')
    expect(await status(config)).toMatchObject({
      positions: { 'BTC/USDT': '0' },
      trading: [{ scope: 'account', mode: 'halted' }, {}, {}],
    })
    expect(await left(first)).toMatchObject({
      position: { 'BTC/USDT': '0' },
      trading: { account: 'halted' },
      fills: 2,
    })

    const again = startBot(config)
    await again.line('"msg":"trading halted"')
    await again.line('order denied')
    expect((await botCommand(config, 'status')).out).toContain(
      'HALTED: trading of the account, by the operator since',
    )
    expect((await botCommand(config, 'resume')).exitCode).toBe(0)
    await again.line('"msg":"fill"')
    expect(await left(again)).toMatchObject({ trading: { account: 'active' } })
  }, 240_000)

  it('opens nothing while it is paused, is flattened, and goes on by itself', async () => {
    const config = operatedConfig()
    const paused = startBot(config)
    await paused.line('"msg":"fill"')
    expect((await botCommand(config, 'pause', '--for', '15m')).exitCode).toBe(0)
    await closes(config, 'flatten', 'BTC/USDT')
    await paused.line('round trip closed')
    await paused.line('order denied')
    await paused.line('"msg":"trading active"')
    // It may have entered again by now.
    const goesOn = paused.lines.findIndex(line => line.includes('"msg":"trading active"'))
    const before = paused.lines.slice(0, goesOn)
    expect(before.filter(line => line.includes('"msg":"fill"'))).toHaveLength(2)
    expect(await left(paused)).toMatchObject({ tradingChanges: 2 })
  }, 240_000)
})
