import { describe, expect, it } from 'vitest'
import { ExchangeCaller, flatMarket, replayOf } from '../exchange-caller.ts'

const open = () => ExchangeCaller.open(replayOf(flatMarket(100)))
const LIMIT = { price: 90, volume: 1, side: 'BUY', batchType: 'LIMIT' }

function batch(caller: ExchangeCaller, orders: unknown) {
  return caller.post('/sapi/v2/batchOrders', { symbol: 'BTC/USDT', orders })
}

function placeThree(): { caller: ExchangeCaller; ids: readonly string[] } {
  const caller = open()
  return { caller, ids: batch(caller, [LIMIT, LIMIT, LIMIT]).json.idsString }
}

describe('a batch of orders', () => {
  it('answers with the ids of what it took, as text and as numbers', () => {
    const caller = open()
    const { text } = batch(caller, [LIMIT, { volume: '20', side: 'BUY', batchType: 'MARKET' }])
    expect(text).toBe(
      '{"idsString":["1900000000000000001","1900000000000000002"],"ids":[1900000000000000001,1900000000000000002]}',
    )
    expect(caller.get('/sapi/v2/openOrders').json).toHaveLength(1)
    expect(caller.trades().json).toHaveLength(1)
  })

  it('takes and refuses each order by itself', () => {
    const caller = open()
    const { json } = batch(caller, [{ ...LIMIT, price: 90.001 }, LIMIT, { ...LIMIT, volume: 1e6 }, LIMIT])
    expect(json.idsString).toHaveLength(2)
    expect(caller.balance('USDT')).toEqual(['9820', '180'])
  })

  it('of which none can be taken is refused like its first order', () => {
    const refused = batch(open(), [
      { ...LIMIT, price: 90.001 },
      { ...LIMIT, volume: 1e6 },
    ])
    expect([refused.status, refused.json.code]).toEqual([400, -1147])
  })

  it.each([
    ['without orders', [], -1102],
    ['whose orders are no list', 'none', -1102],
    ['of eleven', Array.from({ length: 11 }, () => LIMIT), -1015],
    ['with a type that batches do not have', [{ ...LIMIT, batchType: 'IOC' }], -1116],
  ])('%s is refused', (_fact, orders, code) => {
    expect(batch(open(), orders).json.code).toBe(code)
  })

  it('may be JSON in text', () => {
    expect(batch(open(), JSON.stringify([LIMIT])).json.idsString).toHaveLength(1)
  })
})

describe('a batch of cancels', () => {
  it.each([
    ['text of a JSON list', (ids: readonly string[]) => `[${ids.join(',')}]`],
    ['text of a JSON list of texts', (ids: readonly string[]) => JSON.stringify(ids)],
    ['a list of texts', (ids: readonly string[]) => ids],
    ['ids separated by commas', (ids: readonly string[]) => ids.join(', ')],
  ])('takes its ids as %s', (_form, written) => {
    const { caller, ids } = placeThree()
    const body = { symbol: 'BTC/USDT', orderIds: written(ids) }
    const { text } = caller.post('/sapi/v2/batchCancel', body)
    expect(text).toBe(`{"success":[${ids.join(',')}],"failed":[]}`)
    expect(caller.balance('USDT')).toEqual(['10000', '0'])
  })

  it('takes numbers beyond 2^53', () => {
    const { caller } = placeThree()
    const { json } = caller.postText(
      '/sapi/v2/batchCancel',
      '{"symbol":"BTC/USDT","orderIds":[1900000000000000001,1900000000000000003]}',
    )
    expect([json.success.length, json.failed.length]).toEqual([2, 0])
  })

  it('fails for ids that do not exist, are over, or are not of this account', () => {
    const { caller, ids } = placeThree()
    const body = { symbol: 'BTC/USDT', orderIds: [ids[0], ids[0], '17'] }
    expect(caller.post('/sapi/v2/batchCancel', body).text).toBe(
      `{"success":[${ids[0]}],"failed":[${ids[0]},17]}`,
    )
    const other = caller.second().post('/sapi/v2/batchCancel', { symbol: 'BTC/USDT', orderIds: ids[1] })
    expect(other.text).toBe(`{"success":[],"failed":[${ids[1]}]}`)
  })

  it.each([
    ['no ids', '', -1102],
    ['ids in words', 'x,y', -1102],
    ['eleven ids', Array.from({ length: 11 }, (_, index) => index).join(','), -1101],
  ])('with %s is refused', (_fact, orderIds, code) => {
    const { caller } = placeThree()
    expect(caller.post('/sapi/v2/batchCancel', { symbol: 'BTC/USDT', orderIds }).json.code).toBe(code)
  })
})
