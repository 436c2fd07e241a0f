import { describe, expect, it } from 'vitest'
import { rejectionOf, scriptedExchange } from '../call/scripted-exchange.ts'

const contractName = 'E-BTC-USDT'

describe('transactions', () => {
  const record = { id: 1, ctimeMillis: 5, amount: '-1', afterBalance: 2 }
  const query = { marginCoin: 'USDT', startTime: 1, endTime: 2 }

  it.each(['transList', 'list', 'records'])('finds the list under the name %s', async name => {
    const data = {
      page: 1,
      limit: 200,
      count: 2,
      [name]: [
        { ...record, type: 14 },
        { ...record, id: 0, type: '28' },
      ],
    }
    const { futures } = scriptedExchange([JSON.stringify({ code: '0', data })])
    await expect(futures.transactions(query)).resolves.toMatchObject({
      count: 2,
      transactions: [
        { id: '0', type: 'merchantRiskReserveShare', typeCode: 28 },
        { id: '1', type: 'other', typeCode: 14 },
      ],
    })
  })

  it('is empty where the exchange sends no data', async () => {
    const { futures, requests } = scriptedExchange(['{"code":"0","data":null}'])
    await expect(futures.transactions({ ...query, assetType: 'copy', type: 'copyIn' })).resolves.toEqual({
      transactions: [],
      count: undefined,
    })
    expect(requests[0]?.body).toBe(
      '{"beginTime":"1","endTime":"2","symbol":"USDT","assetType":2,"type":"25"}',
    )
  })
})

describe('a setting', () => {
  it('that is answered without an envelope leaves open what became of it', async () => {
    const { futures } = scriptedExchange(['{}'])
    expect(await rejectionOf(futures.setLeverage({ contractName, leverage: 5 }))).toMatchObject({
      code: 'UNKNOWN_OUTCOME',
    })
  })

  it.each([
    ['net', 1],
    ['twoWay', 2],
  ] as const)('of the position model %s is sent as %i', async (positionModel, code) => {
    const { futures, requests } = scriptedExchange(['{"code":0,"msg":"ok"}'])
    await futures.setPositionModel({ contractName, positionModel })
    expect(requests[0]?.body).toBe(`{"contractName":"E-BTC-USDT","positionModel":${code}}`)
  })

  it('takes margin away with a negative amount, from a position beyond 2^53', async () => {
    const { futures, requests } = scriptedExchange(['{"code":"0","data":null}'])
    await futures.adjustPositionMargin({ positionId: '9007199254740993', amount: '-0.5' })
    expect(requests[0]?.body).toBe('{"positionId":9007199254740993,"amount":-0.5}')
  })
})
