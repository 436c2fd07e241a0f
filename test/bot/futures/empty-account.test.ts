import { expect, it } from 'vitest'
import { logLineText } from '../../../src/bot/text/log-lines.ts'
import { statusText } from '../../../src/cli/bot/bot-status-text.ts'
import { readinessOf } from '../../../src/observe/metrics/readiness.ts'
import { HealthWatch } from '../../../src/observe/notices/health-watch.ts'
import { enterLong } from '../../../src/strategy/index.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'
import { once } from '../test-strategies.ts'
import { accountOf, futuresBot, stepAt, walletOf } from './futures-bot.ts'

const EMPTY = 'the account has nothing left'
const SENTENCE =
  'The account has nothing left: no position and no balance, so that every entry is denied. Transfer money to it, or stop the bot.'

it('tells that a liquidation has emptied the account, once, and that it has money again', async () => {
  // 2 BTC at 100 with 25 USDT: at 80 the loss of 40 takes all of the cross wallet.
  const session = futuresBot({
    ...{ strategy: once(() => enterLong(), 'holder'), klines: stepAt(20, 80), money: '25' },
    account: { type: 'futures', leverage: 10, marginMode: 'cross' },
    size: { base: 2 },
  })
  const watch = new HealthWatch()
  /** What is told of a look at the bot. */
  const told = async () => {
    const [status, now] = [await session.status(), session.clock.now()]
    const health = { clockUncertaintyMs: 0, uncommitted: 0, feedAgesMs: {} }
    return watch
      .look({ status, health, now, time: now })
      .filter(({ kind }) => kind === 'accountEmpty')
      .map(({ state, severity, sentence }) => [state, severity, sentence])
  }
  await session.start()
  await session.run(8 * MINUTE)
  expect(accountOf(session).positions()).toHaveLength(1)
  expect([session.said(EMPTY), (await session.status()).nothingLeft, await told()]).toEqual([
    [],
    undefined,
    [],
  ])
  await session.run(4 * MINUTE)
  expect([walletOf(session), accountOf(session).positions()]).toEqual(['0', []])
  expect(session.said(EMPTY).map(fields => logLineText(EMPTY, fields))).toEqual([SENTENCE])
  expect(await told()).toEqual([['raised', 'critical', SENTENCE]])
  const status = await session.status()
  expect(readinessOf(status).reasons).toContain(SENTENCE)
  expect(statusText(status)).toContain(`ACCOUNT EMPTY: ${SENTENCE}`)
  const deposit = { uid: accountOf(session).uid, asset: 'USDT', amount: '50', wallet: 'futures' } as const
  session.exchange.stage({ type: 'deposit', time: session.clock.now(), ...deposit })
  await session.run(2 * MINUTE)
  expect(await told()).toEqual([['resolved', 'critical', 'The account has money again.']])
  expect([session.said(EMPTY).length, session.said('the account has money again').length]).toEqual([1, 1])
  expect((await session.status()).nothingLeft).toBeUndefined()
  expect(session.failures).toEqual([])
})
