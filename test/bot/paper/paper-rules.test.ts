import { describe, expect, it } from 'vitest'
import { paperContract } from '../../../src/bot/paper/paper-rules.ts'
import { simulatorConfigOf } from '../../../src/simulator/simulator-config.ts'
import { FUTURES_BTC } from '../../domain/instruments.ts'

describe('paperContract', () => {
  it('takes a contract by the name that its host gives it, also where that lists no bounds of leverage', () => {
    const instrument = { ...FUTURES_BTC, leverage: { min: 0, max: Number.MAX_SAFE_INTEGER } }
    const contracts = [paperContract('USDT1802-BTC-USDT', instrument)]
    const [contract] = simulatorConfigOf({ futures: { contracts } }).futures.contracts
    expect(contract?.contract).toMatchObject({ name: 'USDT1802-BTC-USDT', leverage: { min: 1, max: 1000 } })
  })
})
