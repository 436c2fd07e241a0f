import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { send } from '../simulator/raw-http.ts'
import { fileWith, startSluice } from './sluice-process.ts'

/** Starts the exchange; its URL comes from the line it prints. */
async function startExchange(...args: readonly string[]): Promise<string> {
  const child = startSluice('exchange', '--json', ...args)
  onTestFinished(() => void child.kill())
  const [line] = await once(child.stdout, 'data')
  return JSON.parse(String(line)).spotUrl
}

describe('the exchange command', () => {
  it('lets time stand still with --manual-time until it is moved', async () => {
    const url = await startExchange('--manual-time')
    const time = async () => JSON.parse((await send(url, 'GET', '/sapi/v2/time')).text).serverTime
    const before = await time()
    expect(await time()).toBe(before)
    const moved = await send(url, 'POST', '/sim/time', {}, '{"advanceMs":3600000}')
    expect(JSON.parse(moved.text)).toEqual({ time: before + 3_600_000 })
    expect(await time()).toBe(before + 3_600_000)
  })

  it('has the faults of its configuration, and no admin side where that says so', async () => {
    const config = fileWith(
      'exchange.yaml',
      'admin: false\nfaults: [{ fault: maintenance, endpoint: spotPing }]\n',
    )
    const url = await startExchange('--config', config)
    expect((await send(url, 'GET', '/sapi/v2/ping')).status).toBe(503)
    expect((await send(url, 'GET', '/sim/state')).status).toBe(404)
  })
})
