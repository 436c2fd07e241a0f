import type { ChannelConfig } from '../../config/notices-field.ts'
import { noticeText } from '../notices/bot-notice.ts'
import type { BotApi, BotApiAnswer } from './bot-api.ts'
import type { Channel, DeliveryResult } from './channel.ts'
import { failureOf } from './http-post.ts'
import { cut } from './webhook-bodies.ts'

/** Longest message of Telegram, characters. */
export const MOST_OF_TELEGRAM = 4096

/** A chat of a Telegram bot. */
export function telegramChannel(
  name: string,
  { severity, chat }: Extract<ChannelConfig, { type: 'telegram' }>,
  api: BotApi,
): Channel {
  return {
    name,
    severity,
    deliver: async ({ bot, notice }) => {
      try {
        return resultOf(
          await api.call('sendMessage', {
            chat_id: chat,
            // Without a parse mode nothing in it is markup.
            text: cut(noticeText(bot, notice), MOST_OF_TELEGRAM),
            link_preview_options: { is_disabled: true },
            disable_notification: notice.severity === 'info',
          }),
        )
      } catch (error) {
        return failureOf(error)
      }
    },
    close: () => api.close(),
  }
}

/** A wrong token (401, 404) is a matter of the configuration and may be mended at Telegram; the rest of 4xx is for ever. */
function resultOf({ status, ok, description, retryAfterMs }: BotApiAnswer): DeliveryResult {
  const answer = `HTTP ${status}: ${description}`
  if (ok) return { type: 'delivered', answer }
  if (status === 400 || status === 403) return { type: 'refused', answer }
  return { type: 'failed', answer, ...(retryAfterMs !== undefined && { afterMs: retryAfterMs }) }
}
