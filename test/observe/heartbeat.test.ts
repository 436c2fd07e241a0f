import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../src/bot/clock/virtual-clock.ts'
import { NoticeSecrets } from '../../src/config/notice-secrets.ts'
import { noticesField } from '../../src/config/notices-field.ts'
import { Heartbeat } from '../../src/observe/heartbeat.ts'
import { afterTest } from '../after-test.ts'
import { START } from '../simulator/exchange-caller.ts'
import { fakeHttp, type Reply } from './fake-http.ts'

const MINUTE = 60_000
const PATH = '/ping/planted-address'

/** A dead man's switch on virtual time, at a service that answers as the test says. */
async function beating(config: object = {}, replyTo: (count: number) => Reply = () => ({ status: 200 })) {
  const { url, arrived } = await fakeHttp((_request, count) => replyTo(count))
  const clock = new VirtualClock(START)
  const lines: string[] = []
  const well = { now: true }
  const { heartbeat } = noticesField.parse({ heartbeat: { urlEnv: 'PING_URL', ...config } })
  if (heartbeat === undefined) throw new Error('There is no heartbeat.')
  const switched = new Heartbeat({
    ...{ config: heartbeat, clock, isWell: () => well.now },
    secrets: new NoticeSecrets(new Map([['PING_URL', `${url}${PATH}`]])),
    log: pino({ base: null }, { write: line => lines.push(line) }),
  })
  afterTest(() => switched.close())
  switched.start()
  /** Lets a minute pass, and waits for the ping that it brings, if any. */
  const minute = async (pings: number) => {
    const before = arrived.length
    await clock.advanceTo(clock.now() + MINUTE)
    await expect.poll(() => arrived.length - before).toBe(pings)
    // The answer is taken before the next ping.
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return { arrived, clock, lines, well, switched, minute }
}

describe("the dead man's switch", () => {
  it('pings once a minute, and the path of failure while the bot is not well', async () => {
    const { arrived, well, minute } = await beating()
    await minute(1)
    well.now = false
    await minute(1)
    well.now = true
    await minute(1)
    expect(arrived.map(({ path }) => path)).toEqual([PATH, `${PATH}/fail`, PATH])
  })

  it('is silent while the bot is not well, where it is told to be', async () => {
    const { well, minute } = await beating({ whenUnwell: 'silence' })
    well.now = false
    await minute(0)
    well.now = true
    await minute(1)
  })

  it('is silent once it is closed', async () => {
    const { switched, minute } = await beating()
    await switched.close()
    await minute(0)
  })

  it('tells once that it is not answered, without its address, and goes on', async () => {
    const { lines, minute } = await beating({}, count =>
      count <= 2 ? { status: 500, body: PATH } : { status: 200 },
    )
    await minute(1)
    await minute(1)
    await minute(1)
    expect(lines.map(line => JSON.parse(line).msg)).toEqual(['the heartbeat is not answered'])
    expect(lines.join('')).not.toContain('planted')
  })

  it('sends no second ping while one is not answered', async () => {
    const { minute } = await beating({}, () => 'hang')
    await minute(1)
    await minute(0)
  })
})
