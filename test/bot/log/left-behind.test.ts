import { expect, it } from 'vitest'
import { leftBehind } from '../../../src/bot/log/left-behind.ts'
import { enterShort } from '../../../src/strategy/index.ts'
import { FUTURES_BTC } from '../../domain/instruments.ts'
import { EngineSession, scripted } from '../../engine/engine-session.ts'

it('names the side, the size and the unit of what is held', () => {
  const session = new EngineSession(scripted({ 0: enterShort({ size: { base: 0.5 } }) }), {
    instrument: FUTURES_BTC,
  })
  session.kline(100)
  session.fill(1, 100)
  expect(leftBehind(session.engine)).toEqual({
    sentence: `Still held: short 50 contracts of ${FUTURES_BTC.symbol}. No order rests at the exchange.`,
    isNothing: false,
  })
})
