import type { Bot } from '../../bot/bot.ts'
import type { BotStatus } from '../../bot/log/bot-status.ts'

/** Longest wait for the status of a bot, ms: it answers in turn with its other inputs. */
const PATIENCE_MS = 5000

/** The status of a bot, or the reason that there is none: it does not answer, or it ends. */
export async function statusInTime(bot: Pick<Bot, 'operate'>): Promise<BotStatus | 'silent' | 'ending'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
  })
  const answer = await Promise.race([bot.operate({ command: 'status' }), late])
  clearTimeout(timer)
  if (answer === undefined) return 'silent'
  return answer.ok && answer.status !== undefined ? answer.status : 'ending'
}
