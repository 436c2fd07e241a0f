import { pino } from 'pino'
import { expect, it } from 'vitest'
import { logSmallSizes } from '../../src/bot/start/small-sizes.ts'
import { logLineText } from '../../src/bot/text/log-lines.ts'
import type { Size } from '../../src/domain/signal.ts'
import { defineStrategy } from '../../src/strategy/index.ts'
import { MARGIN_BTC } from '../domain/instruments.ts'
import { LogLines } from '../parity/log-lines.ts'
import { BotSession } from './bot-session.ts'

const idle = defineStrategy({ name: 'idle', onKline: () => undefined })

const MESSAGE = 'the size of a strategy is below the smallest order'

/** Warnings about a size on a market with a smallest order of 10 USDT and 2 steps of 0.001 BTC. */
function warningsOf(size: Size): readonly string[] {
  const lines = new LogLines()
  const strategies = [{ strategy: { name: 'flip' }, symbol: MARGIN_BTC.symbol, size }]
  logSmallSizes(pino({}, lines), strategies, new Map([[MARGIN_BTC.symbol, MARGIN_BTC]]))
  return lines.said(MESSAGE).map(fields => logLineText(MESSAGE, fields))
}

it('warns at the start of a size below the smallest order, with both figures', () => {
  const warning = (size: string, smallest: string) =>
    `Strategy flip on BTC/USDT: its size of ${size} is below the smallest order of this market, ${smallest}, so that every order of this size is denied; enlarge "size".`
  expect(warningsOf({ quote: 1 })).toEqual([warning('1 USDT', '10 USDT')])
  expect(warningsOf({ base: 0.001 })).toEqual([warning('0.001 BTC', '0.002 BTC')])
})

it('says nothing of a size that is large enough, or that depends on the worth of the account', () => {
  for (const size of [{ quote: 10 }, { base: 0.002 }, { equityFraction: 0.0001 }])
    expect(warningsOf(size)).toEqual([])
})

it('is said by a bot as it starts', async () => {
  const session = new BotSession({ strategy: idle, size: { quote: 0.5 } })
  await session.start()
  expect(session.said(MESSAGE)).toHaveLength(1)
})
