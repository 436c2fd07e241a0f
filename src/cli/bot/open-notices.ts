import type { Logger } from 'pino'
import type { Bot } from '../../bot/bot.ts'
import type { BotConfig } from '../../config/bot-config.ts'
import type { NoticeSecrets } from '../../config/notice-secrets.ts'
import { createSystemClock } from '../../exchange/clock/system-clock.ts'
import type { BotNotices } from '../../observe/bot-notices.ts'
import type { LatestComparison } from '../../observe/notices.ts'

/** Parts of a bot that sends notices. */
interface NotifyingBot {
  readonly config: BotConfig
  readonly noticeSecrets: NoticeSecrets
  readonly log: Logger
}

/** Opens the notices of a bot, as its configuration has them; `undefined` without any. */
export async function openNotices(
  { config, noticeSecrets, log }: NotifyingBot,
  redactKeys: (text: string) => string,
): Promise<BotNotices | undefined> {
  const { notices, bot, journal } = config
  if (notices === undefined) return undefined
  const { BotNotices } = await import('../../observe/bot-notices.ts')
  return BotNotices.open({
    ...{ config: notices, bot, log, secrets: noticeSecrets },
    path: journal === undefined ? undefined : `${journal.file}.notices`,
    clock: createSystemClock(),
    redact: text => noticeSecrets.redact(redactKeys(text)),
  })
}

/** Says that a bot trades, and watches it from now on; it must have started, because it answers nothing before. Never rejects. */
export async function watchBot(
  notices: BotNotices | undefined,
  bot: Bot,
  serverNow: () => number,
  comparison: LatestComparison,
): Promise<void> {
  if (notices === undefined) return
  const answer = await bot.operate({ command: 'status' })
  notices.watch(bot, answer.ok ? answer.status : undefined, serverNow(), comparison)
}
