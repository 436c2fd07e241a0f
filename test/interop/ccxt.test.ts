import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createSystemClock } from '../../src/exchange/clock/system-clock.ts'
import { startExchangeServer } from '../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'

/** Folder in which `npm install ccxt` was run; the library is no dependency of ours, and nothing here fetches it. */
const folder = resolve(import.meta.dirname, '..', '..', process.env.SLUICE_INTEROP ?? '../interop')
const library = join(folder, 'node_modules', 'ccxt', 'js', 'ccxt.js')
const isHere = existsSync(library)
if (!isHere) console.warn('Skipped: ccxt is not installed in SLUICE_INTEROP (default ../interop).')

const CONTRACT = 'BTC/USDT:USDT'
/** The library sends 1 unless it is told. */
const LEVERAGE = { leverage: 10 }

/**
 * Serves an exchange of one port or two to the library's client of a sibling of the interface, of which only URLs and keys
 * are changed.
 */
async function connect(futuresPort: number | undefined) {
  const exchange = createSimulatedExchange({})
  const server = await startExchangeServer({ exchange, clock: createSystemClock(), futuresPort })
  const { default: ccxt } = await import(pathToFileURL(library).href)
  const client = new ccxt.bitrue({ apiKey: TEST_ACCOUNT.apiKey, secret: TEST_ACCOUNT.apiSecret })
  client.options.defaultType = 'swap'
  // It wants the lists of a spot and of an inverse exchange too: a time without symbols and klines without an interval do.
  const none = `${server.futuresUrl}/fapi/v1/klines?contractName=E-BTC-USDT&interval=none&of=`
  const spot = `${server.url}/sapi/v2/time?of=`
  client.urls.api = { ...client.urls.api, fapi: `${server.futuresUrl}/fapi`, dapi: none, spot }
  return { client, close: () => server.close() }
}

describe.skipIf(!isHere)('ccxt, of which only URLs and keys are changed', () => {
  it.each([
    ['one port', undefined],
    ['two ports', 0],
  ])('reads the market and trades on a simulated exchange of %s', async (_ports, futuresPort) => {
    const { client, close } = await connect(futuresPort)
    try {
      await client.loadMarkets()
      expect(client.markets[CONTRACT]).toMatchObject({ id: 'E-BTC-USDT', linear: true, contractSize: 0.0001 })
      const { bids, asks } = await client.fetchOrderBook(CONTRACT, 5)
      expect(bids[0][0]).toBeLessThan(asks[0][0])
      expect((await client.fetchTicker(CONTRACT)).last).toBeGreaterThan(0)
      expect((await client.fetchBidsAsks([CONTRACT]))[CONTRACT].bid).toBeGreaterThan(0)
      expect(await client.fetchOHLCV(CONTRACT, '1h', undefined, 3)).toHaveLength(3)
      expect((await client.fetchBalance()).USDT).toEqual({ free: 10_000, used: 0, total: 10_000 })

      await client.setLeverage(10, CONTRACT)
      const low = client.priceToPrecision(CONTRACT, bids[0][0] * 0.98)
      const resting = await client.createOrder(CONTRACT, 'limit', 'buy', 5, low, LEVERAGE)
      expect((await client.fetchOrder(resting.id, CONTRACT)).status).toBe('open')
      expect(await client.fetchOpenOrders(CONTRACT)).toHaveLength(1)
      await client.cancelOrder(resting.id, CONTRACT)
      expect(await client.fetchOpenOrders(CONTRACT)).toEqual([])

      const maker = { ...LEVERAGE, postOnly: true }
      const first = await client.createOrder(CONTRACT, 'limit', 'buy', 5, low, maker)
      const second = await client.editOrder(first.id, CONTRACT, 'limit', 'buy', 6, low, maker)
      expect((await client.fetchOrder(first.id, CONTRACT)).status).toBe('canceled')
      expect((await client.fetchOrder(second.id, CONTRACT)).amount).toBe(6)
      await client.cancelAllOrders(CONTRACT)
      expect(await client.fetchOpenOrders(CONTRACT)).toEqual([])

      const opened = await client.createOrder(CONTRACT, 'market', 'sell', 7, undefined, LEVERAGE)
      expect(await client.fetchOrder(opened.id, CONTRACT)).toMatchObject({ status: 'closed', filled: 7 })
      const closing = { ...LEVERAGE, reduceOnly: true, createMarketBuyOrderRequiresPrice: false }
      await client.createOrder(CONTRACT, 'market', 'buy', 7, undefined, closing)
      const trades = await client.fetchMyTrades(CONTRACT)
      expect(trades.map(({ side }: { side: string }) => side)).toEqual(['sell', 'buy'])

      await client.transfer('USDT', 40.5, 'swap', 'spot')
      expect((await client.fetchTransfers('USDT'))[0]).toMatchObject({
        amount: 40.5,
        fromAccount: 'contract',
      })
      await expect(client.cancelOrder('123', CONTRACT)).rejects.toThrow('-2013')
    } finally {
      await close()
    }
  })
})
