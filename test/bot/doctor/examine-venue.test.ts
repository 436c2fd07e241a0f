import { describe, expect, it } from 'vitest'
import { adviceFor } from '../../../src/bot/doctor/examine-venue.ts'
import { CallNotOfferedError } from '../../../src/exchange/errors/call-not-offered-error.ts'
import { ExchangeError } from '../../../src/exchange/errors/exchange-error.ts'

const refusal = (exchangeCode: number) =>
  new ExchangeError({ endpoint: 'spotTestOrder', httpStatus: 400, exchangeCode, reason: 'no' })

describe('advice on a refused call', () => {
  it('is about the profile before the key where the host may lack the path', () => {
    expect(adviceFor(refusal(-1002))).toMatch(
      /^Look at venue\.profile: .* If the path is right, look at the key/,
    )
    expect(adviceFor(refusal(-2015))).toMatch(/^Look at the key/)
  })

  it('is no look at the line where the profile says that the host lacks the call', () => {
    const error = new CallNotOfferedError('spotAccount', 'api.example.com', 'mine', 'There is no other way.')
    expect(adviceFor(error)).toMatch(/^No bot can trade where this call is missing; .*take it out of `lacks`/)
  })

  it('names the key of a price outside the band of the host', () => {
    expect(adviceFor(refusal(-1138))).toContain('a smaller execution.maxSlippageRate')
  })
})
