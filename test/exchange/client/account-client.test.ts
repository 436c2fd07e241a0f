import { describe, expect, it } from 'vitest'
import { rejectionOf, scriptedExchange } from '../call/scripted-exchange.ts'

const TRANSFER = { transferId: 'a-1', coinSymbol: 'USDT', amount: 0.1, status: 'PENDING' }

describe('transfer', () => {
  it('sends exact numbers and the names of the accounts', async () => {
    const { account, requests } = scriptedExchange(['{"code":"0","msg":"ok","data":{"transferId":"a-1"}}'])
    const order = { asset: 'USDT', amount: '0.100000000000000001', from: 'futures', to: 'spot' } as const
    await expect(account.transfer(order)).resolves.toEqual({ transferId: 'a-1' })
    expect(requests.map(({ url, body }) => [url, body])).toEqual([
      [
        'https://exchange.test/sapi/v1/asset/transfer',
        '{"coinSymbol":"USDT","amount":0.100000000000000001,"fromAccount":"FUTURE","toAccount":"EXCHANGE"}',
      ],
    ])
  })

  it('that got no answer may have happened: it is not repeated', async () => {
    const { account, requests } = scriptedExchange([{ status: 504, body: '' }])
    const order = { asset: 'USDT', amount: '1', from: 'spot', to: 'futures' } as const
    expect(await rejectionOf(account.transfer(order))).toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      endpoint: 'assetTransfer',
    })
    expect(requests).toHaveLength(1)
  })
})

describe('transfers', () => {
  it('lists those between two accounts, oldest first', async () => {
    const list = [2000, 1000].map(createTime => ({
      ...TRANSFER,
      fromAccount: 'FUTURE',
      toAccount: 'EXCHANGE',
      createTime,
    }))
    const { account, requests } = scriptedExchange([JSON.stringify({ code: '0', data: { list } })])
    const transfers = await account.transfers({
      from: 'futures',
      to: 'spot',
      asset: 'USDT',
      page: 2,
      limit: 100,
    })
    expect(transfers.map(({ time, from, to, status }) => [time, from, to, status])).toEqual([
      [1000, 'futures', 'spot', 'pending'],
      [2000, 'futures', 'spot', 'pending'],
    ])
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      fromAccount: 'FUTURE',
      toAccount: 'EXCHANGE',
      coinSymbol: 'USDT',
      page: 2,
      limit: 100,
    })
  })

  it('is empty where the exchange sends no data', async () => {
    const { account } = scriptedExchange(['{"code":"0","msg":"ok","data":null}'])
    await expect(account.transfers({ transferId: 'a-1' })).resolves.toEqual([])
  })

  it('is read again after a network error, although it is a POST', async () => {
    const { account, requests } = scriptedExchange([
      { status: 502, body: '' },
      '{"code":"0","data":{"list":[]}}',
    ])
    await expect(account.transfers({ transferId: 'a-1' })).resolves.toEqual([])
    expect(requests).toHaveLength(2)
  })
})

describe('withdraw', () => {
  const order = { withdrawOrderId: 'w-1', asset: 'TUSDT', amount: '5.50', address: 'T1' }

  it.each([{}, { allowWithdrawals: false }])(
    'throws and sends nothing from a client created with %o',
    async options => {
      const { account, requests } = scriptedExchange(['{"code":"0","data":{"id":1}}'], options)
      expect(await rejectionOf(account.withdraw(order))).toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining('allowWithdrawals: true'),
      })
      expect(requests).toEqual([])
    },
  )

  it('sends the amount as text where withdrawals are allowed', async () => {
    const { account, requests } = scriptedExchange(['{"code":"0","data":{"id":9007199254740993}}'], {
      allowWithdrawals: true,
    })
    await expect(account.withdraw(order)).resolves.toEqual({ id: '9007199254740993' })
    expect(requests[0]?.body).toBe('{"withdrawOrderId":"w-1","amount":"5.5","address":"T1","symbol":"TUSDT"}')
  })
})

describe('withdrawals', () => {
  const states = [
    [0, 'unapproved'],
    [1, 'approved'],
    [2, 'approvalRejected'],
    [3, 'payment'],
    [4, 'paymentFailed'],
    [5, 'completed'],
    ['6', 'revoked'],
  ] as const

  it.each(states)('reads status %s as %s', async (status, expected) => {
    const record = { id: 1, symbol: 'BTC', amount: 1, fee: 0, address: 'a', ctime: 1, status, info: 'why' }
    const answer = JSON.stringify({ code: '0', data: { withdrawList: [record], count: 1 } })
    const { withdrawals } = await scriptedExchange([answer]).account.withdrawals()
    expect(withdrawals).toMatchObject([{ status: expected, rejectionReason: 'why' }])
  })

  it('asks with nothing but text', async () => {
    const { account, requests } = scriptedExchange(['{"code":"0","data":null}'])
    const query = { asset: 'TUSDT', id: '7', withdrawOrderId: 'w', startTime: 1, endTime: 2, page: 3 }
    await expect(account.withdrawals(query)).resolves.toEqual({ withdrawals: [] })
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      symbol: 'TUSDT',
      withdrawId: '7',
      withdrawOrderId: 'w',
      startTime: '1',
      endTime: '2',
      page: '3',
    })
  })
})
