import type { NoticeSecrets } from '../config/notice-secrets.ts'
import type { ChannelConfig, NoticesConfig } from '../config/notices-field.ts'
import { BotApi } from './channels/bot-api.ts'
import type { Channel } from './channels/channel.ts'
import { mailChannel } from './channels/mail-channel.ts'
import { telegramChannel } from './channels/telegram-channel.ts'
import { webhookChannel } from './channels/webhook-channel.ts'

/** The channels of a configuration; `now` is ms UTC. */
export function openChannels(
  { channels }: Pick<NoticesConfig, 'channels'>,
  secrets: NoticeSecrets,
  now: () => number,
): readonly Channel[] {
  return Object.entries(channels).map(([name, channel]) => openChannel(name, channel, secrets, now))
}

function openChannel(
  name: string,
  channel: ChannelConfig,
  secrets: NoticeSecrets,
  now: () => number,
): Channel {
  switch (channel.type) {
    case 'telegram':
      return telegramChannel(name, channel, new BotApi(channel.apiUrl, secrets.valueOf(channel.tokenEnv)))
    case 'webhook':
      return webhookChannel(name, channel, secrets, now)
    case 'mail':
      return mailChannel(name, channel, secrets)
  }
}
