import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { send } from '../../simulator/server/raw-http.ts'
import { fileWith, sluice, startSluice } from '../sluice-process.ts'

/** Output of the exchange command. */
interface Announcement {
  readonly spotUrl: string
  readonly futuresUrl: string
  readonly accounts: readonly unknown[]
}

/** Starts the exchange; returns the line it prints. */
async function announcement(...args: readonly string[]): Promise<Announcement> {
  const child = startSluice('exchange', '--json', ...args)
  onTestFinished(() => void child.kill())
  const [line] = await once(child.stdout, 'data')
  return JSON.parse(String(line))
}

async function startExchange(...args: readonly string[]): Promise<string> {
  return (await announcement(...args)).spotUrl
}

describe('the exchange command', () => {
  it('serves the futures host on a port of its own with --futures-port, and says where', async () => {
    const { spotUrl, futuresUrl, accounts, ...keys } = await announcement(
      '--port',
      '0',
      '--futures-port',
      '0',
    )
    expect(Object.keys(keys)).toEqual(['apiKey', 'apiSecret'])
    expect(accounts).toEqual([keys])
    expect(spotUrl).not.toBe(futuresUrl)
    const statuses = [spotUrl, futuresUrl].flatMap(url =>
      ['/sapi/v2/ping', '/fapi/v1/ping', '/sim/state'].map(
        async path => (await send(url, 'GET', path)).status,
      ),
    )
    expect(await Promise.all(statuses)).toEqual([200, 404, 200, 404, 200, 404])
  })

  it('answers like a real host with --profile, at the URLs with its prefixes', async () => {
    const { spotUrl, futuresUrl } = await announcement('--profile', 'bitbaby')
    expect([spotUrl, futuresUrl].map(url => new URL(url).pathname)).toEqual(['/spot/open', '/futures/open'])
    const statuses = [`${spotUrl}/sapi/v1/ping`, `${futuresUrl}/fapi/v1/ping`, `${spotUrl}/sapi/v2/ping`].map(
      async url => (await fetch(url)).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 200, 404])
  })

  it('tells the keys of every account', async () => {
    const accounts = [
      { apiKey: 'first', apiSecret: 'one' },
      { apiKey: 'second', apiSecret: 'two' },
    ]
    const funded = accounts.map(keys => ({ ...keys, balances: { USDT: 1 } }))
    const config = fileWith('exchange.yaml', `accounts: ${JSON.stringify(funded)}\n`)
    const said = await announcement('--port', '0', '--config', config)
    expect(said).toMatchObject({ apiKey: 'first', apiSecret: 'one', accounts })
  })

  it('ends with 2 and a sentence where both hosts would have one port', async () => {
    const { exitCode, err } = await sluice('exchange', '--port', '45678', '--futures-port', '45678')
    expect([exitCode, err]).toEqual([2, expect.stringContaining('The futures host needs a port of its own')])
  })

  it('lets time stand still with --manual-time until it is moved', async () => {
    const url = await startExchange('--manual-time')
    const time = async () => JSON.parse((await send(url, 'GET', '/sapi/v2/time')).text).serverTime
    const before = await time()
    expect(await time()).toBe(before)
    const moved = await send(url, 'POST', '/sim/time', {}, '{"advanceMs":3600000}')
    expect(JSON.parse(moved.text)).toEqual({ time: before + 3_600_000 })
    expect(await time()).toBe(before + 3_600_000)
  })

  it('plays the recorded ticks of a contract from the time it is told to start at, and lets its price be moved', async () => {
    const trades = fileWith(
      'trades.csv',
      'local_ns,exch_ms,trade_id,price,qty,buyer_is_maker\n1,1704067200000,1,100,6,1\n1,1704067260000,2,110,6,0\n',
    )
    const quotes = fileWith(
      'quotes.csv',
      'local_ns,exch_ms,update_id,bid,bid_qty,ask,ask_qty\n1,1704067230000,1,104,1,105,2\n',
    )
    const market = `{ type: tickFile, file: ${trades}, quotesFile: ${quotes} }`
    const contract = `{ symbol: E-BTC-USDT, multiplier: 0.1, market: ${market} }`
    const config = fileWith('exchange.yaml', `futures: { contracts: [${contract}] }\n`)
    const start = ['--manual-time', '--start', '2024-01-01T00:00', '--futures-port', '0']
    const { spotUrl, futuresUrl } = await announcement('--config', config, ...start)
    const index = async () => {
      const { text } = await send(futuresUrl, 'GET', '/fapi/v1/index?contractName=E-BTC-USDT')
      const { markPrice, time } = JSON.parse(text)
      return [markPrice, time - 1_704_067_200_000]
    }
    const stage = (path: string, body: object) =>
      send(spotUrl, 'POST', `/sim/${path}`, {}, JSON.stringify(body))
    expect(await index()).toEqual([100, 0])
    await stage('time', { advanceMs: 30_000 })
    expect(await index()).toEqual([104, 30_000])
    expect((await stage('price', { symbol: 'E-BTC-USDT', price: '50' })).status).toBe(200)
    expect(await index()).toEqual([50, 30_000])
    await stage('time', { advanceMs: 30_000 })
    // The trade at 110 was to come after one at 100, which is 50 now.
    expect(await index()).toEqual([55, 60_000])
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
