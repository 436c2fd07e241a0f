import { describe, expect, it } from 'vitest'
import { amountToText } from '../../../src/domain/numbers/amount.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { type Answer, ExchangeCaller, flatMarket, replayOf, START } from '../exchange-caller.ts'

const DAY = 86_400_000
const QUERY = '/sapi/v1/asset/transferQuery'
const BOTH = { fromAccount: 'EXCHANGE', toAccount: 'FUTURE' }

const balances = { USDT: '10000', BTC: '10' }

/** Two users with money on spot and none in futures. */
const open = (more: SimulatorConfigInput = {}) =>
  ExchangeCaller.open(
    replayOf(flatMarket(100), {
      ...more,
      accounts: [
        { ...TEST_ACCOUNT, balances, futuresBalances: {} },
        { apiKey: 'second-key', apiSecret: 'second-secret', balances },
      ],
    }),
  )

function move(caller: ExchangeCaller, amount: string | number, more: object = {}): Answer {
  return caller.post('/sapi/v1/asset/transfer', { coinSymbol: 'USDT', amount, ...BOTH, ...more })
}

function futuresBalance(caller: ExchangeCaller): number {
  const { account } = caller.get('/fapi/v1/account').json
  return account.find((entry: { marginCoin: string }) => entry.marginCoin === 'USDT')?.accountNormal ?? 0
}

describe('a transfer', () => {
  it('moves money to the futures account and back', () => {
    const caller = open()
    const { json } = move(caller, '1000.5')
    expect(json).toEqual({
      code: '0',
      msg: 'SUCCESS',
      data: { transferId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    })
    expect([caller.balance('USDT'), futuresBalance(caller)]).toEqual([['8999.5', '0'], 1000.5])
    move(caller, 0.5, { fromAccount: 'FUTURE', toAccount: 'EXCHANGE' })
    expect([caller.balance('USDT'), futuresBalance(caller)]).toEqual([['9000', '0'], 1000])
  })

  it.each([
    ['more than is free', '10000.01', {}, '-2017'],
    ['more than the futures account has', '0.01', { fromAccount: 'FUTURE', toAccount: 'EXCHANGE' }, '-2017'],
    ['nothing', '0', {}, '-1102'],
    ['less than nothing', '-5', {}, '-1102'],
    ['an amount finer than any balance', '1e-19', {}, '-1111'],
    ['between one account', '1', { toAccount: 'EXCHANGE' }, '-1102'],
    ['to an account that does not exist', '1', { toAccount: 'MARGIN' }, '-1102'],
    ['a coin that futures accounts do not hold', '1', { coinSymbol: 'BTC' }, '-1102'],
    ['without a coin', '1', { coinSymbol: undefined }, '-1102'],
  ])('is refused in an envelope for %s, and moves nothing', (_fact, amount, more, code) => {
    const caller = open()
    const { status, json } = move(caller, amount, more)
    expect([status, json]).toEqual([400, { code, msg: expect.any(String), data: null }])
    expect(caller.balance('USDT')).toEqual(['10000', '0'])
  })
})

describe('the record of transfers', () => {
  it('has the documented fields', () => {
    const caller = open()
    const { transferId } = move(caller, '1').json.data
    expect(caller.post(QUERY, { transferId }).json).toEqual({
      code: '0',
      msg: 'SUCCESS',
      data: {
        list: [
          { transferId, ...BOTH, coinSymbol: 'USDT', createTime: START, amount: '1', status: 'SUCCESS' },
        ],
      },
    })
  })

  /** A transfer of n on day n. */
  function busy(): ExchangeCaller {
    const caller = open()
    for (let day = 1; day <= 12; day++) {
      caller.now = START + day * DAY
      move(caller, day)
    }
    return caller
  }
  const amounts = ({ json }: Answer) => json.data.list.map(({ amount }: { amount: string }) => Number(amount))

  it.each([
    ['the last 7 days', {}, [12, 11, 10, 9, 8, 7, 6, 5]],
    ['any window', { startTime: START, endTime: START + 3 * DAY }, [3, 2, 1]],
    ['everything since a start', { startTime: START + 9 * DAY }, [12, 11, 10, 9]],
    ['7 days before an end', { endTime: START + 4 * DAY }, [4, 3, 2, 1]],
    ['a page', { startTime: START, limit: 5, page: 2 }, [7, 6, 5, 4, 3]],
    ['the last page', { startTime: START, limit: '5', page: '3' }, [2, 1]],
    ['another coin', { coinSymbol: 'BTC' }, []],
    ['the other direction', { fromAccount: 'FUTURE', toAccount: 'EXCHANGE' }, []],
  ])('lists %s, newest first', (_fact, fields, expected) => {
    expect(amounts(busy().post(QUERY, { ...BOTH, ...fields }))).toEqual(expected)
  })

  it.each([
    [{}, 'fromAccount'],
    [{ fromAccount: 'EXCHANGE' }, 'toAccount'],
    [{ ...BOTH, startTime: START - 180 * DAY }, 'startTime'],
    [{ ...BOTH, startTime: START, endTime: START - 1 }, 'endTime'],
  ])('refuses %j', (fields, name) => {
    const { json } = busy().post(QUERY, fields)
    expect([json.code, json.msg]).toEqual(['-1102', expect.stringContaining(`'${name}'`)])
  })

  it('is nobody else’s', () => {
    const caller = open()
    const { transferId } = move(caller, '1').json.data
    expect(caller.second().post(QUERY, { transferId }).json.data.list).toEqual([])
  })
})

describe('a transfer that takes its time', () => {
  const BACK = { fromAccount: 'FUTURE', toAccount: 'EXCHANGE' }
  type Transfers = NonNullable<SimulatorConfigInput['transfers']>

  /** `[status, free on spot, in transit, in futures]` of the only transfer. */
  function whereabouts(caller: ExchangeCaller, direction: object = BOTH) {
    const [{ status }] = caller.post(QUERY, direction).json.data.list
    const transit = amountToText(caller.exchange.transfers.transit.holding('USDT').free)
    return [status, caller.balance('USDT')[0], transit, futuresBalance(caller)]
  }
  const slow = (transfers: Partial<Transfers> = {}) => open({ transfers: { arrivalMs: 5000, ...transfers } })

  it('is pending until it arrives, and its money in neither account', () => {
    const caller = slow()
    expect(move(caller, '100').json).toMatchObject({ code: '0', msg: 'SUCCESS' })
    expect(whereabouts(caller)).toEqual(['PENDING', '9900', '100', 0])
    caller.now = START + 4999
    expect(whereabouts(caller)).toEqual(['PENDING', '9900', '100', 0])
    caller.now = START + 5000
    expect(whereabouts(caller)).toEqual(['SUCCESS', '9900', '0', 100])
  })

  it('that fails comes back when it should have arrived', () => {
    const caller = slow({ failures: [{ coin: 'USDT' }] })
    move(caller, '100')
    expect(whereabouts(caller)).toEqual(['PENDING', '9900', '100', 0])
    caller.now = START + 5000
    expect(whereabouts(caller)).toEqual(['FAILED', '10000', '0', 0])
  })

  it('to spot, too', () => {
    const caller = slow({ failures: [{ from: 'FUTURE', above: '50' }] })
    move(caller, '100')
    caller.now = START + 5000
    move(caller, '60', BACK)
    expect(whereabouts(caller, BACK)).toEqual(['PENDING', '9900', '60', 40])
    caller.now = START + 10_000
    expect(whereabouts(caller, BACK)).toEqual(['FAILED', '9900', '0', 100])
    move(caller, '50', BACK)
    caller.now = START + 15_000
    expect(whereabouts(caller, BACK)).toEqual(['SUCCESS', '9950', '0', 50])
  })

  it('cannot be spent on the way', () => {
    const caller = slow()
    move(caller, '10000')
    expect(move(caller, '1').json.code).toBe('-2017')
    expect(move(caller, '1', BACK).json.code).toBe('-2017')
  })

  it('arrives at its moment, not when somebody looks: in the statement of the futures account', () => {
    const caller = slow()
    move(caller, '100')
    caller.now = START + DAY
    const period = { beginTime: String(START), endTime: String(caller.now), symbol: 'USDT' }
    const { transList } = caller.post('/fapi/v1/get_user_transaction', period).json.data
    expect(transList).toMatchObject([{ amount: 100, ctimeMillis: START + 5000 }])
  })

  it('arrives in the order of departure', () => {
    const caller = slow()
    for (let second = 0; second < 3; second++) {
      caller.now = START + second * 1000
      move(caller, second + 1)
    }
    caller.now = START + 6000
    const { list } = caller.post(QUERY, BOTH).json.data
    expect(list.map(({ amount, status }: Record<string, string>) => [amount, status])).toEqual([
      ['3', 'PENDING'],
      ['2', 'SUCCESS'],
      ['1', 'SUCCESS'],
    ])
  })

  it('may fail at once', () => {
    const caller = open({ transfers: { failures: [{ above: 99 }] } })
    expect(move(caller, '100').json.data.transferId).toEqual(expect.any(String))
    expect(whereabouts(caller)).toEqual(['FAILED', '10000', '0', 0])
  })

  it('fails as often as its probability says, the same ones for the same seed', () => {
    const run = (seed: number) => {
      const caller = open({
        seed,
        limits: { areEnforced: false },
        transfers: { failures: [{ probability: 0.3 }] },
      })
      for (let count = 0; count < 400; count++) move(caller, 1)
      const { list } = caller.post(QUERY, { ...BOTH, limit: 100 }).json.data
      const text = list.map(({ status }: { status: string }) => status[0]).join('')
      return { text, arrived: futuresBalance(caller) }
    }
    expect(run(1)).toEqual(run(1))
    expect(run(1).text).not.toBe(run(2).text)
    // 280 of 400 on average, with a standard deviation of 9.2.
    expect(run(1).arrived).toBeGreaterThan(240)
    expect(run(1).arrived).toBeLessThan(320)
  })
})
