import { createBotLog } from '../../bot/log/bot-log.ts'
import { loadNotices } from '../../config/load-bot-config.ts'
import { SEVERITIES } from '../../config/notices-field.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { createSystemClock } from '../../exchange/clock/system-clock.ts'
import type { Channel, DeliveryResult } from '../../observe/channels/channel.ts'
import { Heartbeat } from '../../observe/heartbeat.ts'
import { botNotice, NOTICE_KINDS, type NoticeKind } from '../../observe/notices/bot-notice.ts'
import { openChannels } from '../../observe/open-channels.ts'
import type { CommandOutput } from '../streams.ts'

/** Options of a test of the channels. */
export interface NotifyOptions {
  /** Path of the bot's configuration. */
  readonly config: string
  readonly json: boolean
}

/** Answer of a channel to a notice. */
interface NotifyRow {
  readonly channel: string
  readonly kind: string
  readonly result: DeliveryResult['type'] | 'too mild'
  readonly answer: string
}

/** Longest wait that a channel may ask for during a test, ms. */
const LONGEST_WAIT_MS = 60_000

/**
 * Sends one notice of every kind to every channel, also while the bot runs, and writes what each answered; resolves to the exit
 * code, 1 if anything was not delivered. Rejects with `UsageError` without a channel.
 */
export async function runNotifyTest(
  { config: path, json }: NotifyOptions,
  out: CommandOutput,
): Promise<number> {
  const { config, noticeSecrets } = loadNotices(path, process.env)
  const { notices, bot } = config
  if (
    notices === undefined ||
    (Object.keys(notices.channels).length === 0 && notices.heartbeat === undefined)
  )
    throw new UsageError(
      `The bot of ${path} has no channel of notices; add notices: { channels: … } to its configuration.`,
    )
  const clock = createSystemClock()
  const rows: NotifyRow[] = []
  const write = (row: NotifyRow) => {
    const shown = { ...row, answer: noticeSecrets.redact(row.answer) }
    rows.push(shown)
    if (!json) out.write(`${shown.channel} ${shown.kind}: ${shown.result}, ${shown.answer}\n`)
  }
  for (const channel of openChannels(notices, noticeSecrets, () => clock.now())) {
    await testChannel(channel, bot, clock.now(), write)
    await channel.close()
  }
  if (notices.heartbeat !== undefined) {
    const log = createBotLog({ level: 'silent', readable: false, stream: { write: () => {} } })
    const heartbeat = new Heartbeat({
      config: notices.heartbeat,
      secrets: noticeSecrets,
      clock,
      log,
      isWell: () => true,
    })
    const { type, answer } = await heartbeat.ping(true)
    write({ channel: 'heartbeat', kind: 'ping', result: type, answer })
    await heartbeat.close()
  }
  if (json) out.write(`${JSON.stringify(rows)}\n`)
  return rows.every(({ result }) => result === 'delivered' || result === 'too mild') ? 0 : 1
}

/** Sends until one is not delivered. */
async function testChannel(
  channel: Channel,
  bot: string,
  time: number,
  write: (row: NotifyRow) => void,
): Promise<void> {
  const kinds = Object.keys(NOTICE_KINDS) as NoticeKind[] // the keys of the table
  for (const kind of kinds) {
    const sentence = `This is a test. ${NOTICE_KINDS[kind].sample}`
    const notice = botNotice({ kind, sentence, time })
    if (SEVERITIES.indexOf(notice.severity) < SEVERITIES.indexOf(channel.severity)) {
      write({
        channel: channel.name,
        kind,
        result: 'too mild',
        answer: `the channel takes ${channel.severity} and worse`,
      })
      continue
    }
    const id = `test-${time}-${kind}`
    const { type, answer } = await patiently(() => channel.deliver({ id, bot, notice }))
    write({ channel: channel.name, kind, result: type, answer })
    if (type !== 'delivered') return
  }
}

/** Waits once, where a server says how long. */
async function patiently(send: () => Promise<DeliveryResult>): Promise<DeliveryResult> {
  const result = await send()
  if (result.type !== 'failed' || result.afterMs === undefined || result.afterMs > LONGEST_WAIT_MS)
    return result
  await new Promise(resolve => setTimeout(resolve, result.afterMs))
  return send()
}
