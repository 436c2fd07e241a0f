import type { ChannelConfig, Severity } from '../../config/notices-field.ts'
import { noticeText, noticeTitle } from '../notices/bot-notice.ts'
import type { OutgoingNotice } from './channel.ts'

/** Body and headers of a call. */
export interface WebhookBody {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

type Template = Extract<ChannelConfig, { type: 'webhook' }>['template']

const JSON_TYPE = { 'content-type': 'application/json' }

/** Longest message that Discord takes, characters. */
const MOST_OF_DISCORD = 2000
/** Longest message for the other services, below the bounds of all of them (ntfy: 4096 bytes), characters. */
const MOST_OF_OTHERS = 3500

/** The body of a notice as a service takes it. */
export function webhookBody(template: Template, outgoing: OutgoingNotice): WebhookBody {
  const { bot, notice } = outgoing
  const text = noticeText(bot, notice)
  switch (template) {
    case 'json':
      return jsonBody({ id: outgoing.id, bot, title: noticeTitle(notice), ...notice })
    case 'discord':
      // A name in the text of a strategy calls nobody.
      return jsonBody({ content: cut(text, MOST_OF_DISCORD), allowed_mentions: { parse: [] } })
    case 'slack':
      return jsonBody({
        text: cut(text, MOST_OF_OTHERS).replaceAll(/[&<>]/g, sign => SLACK_SIGNS[sign] ?? sign),
      })
    case 'mattermost':
      return jsonBody({ text: cut(text, MOST_OF_OTHERS).replaceAll('@', '@\u200b') })
    case 'ntfy':
      return {
        body: cut(notice.sentence, MOST_OF_OTHERS),
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          title: cut(`${noticeTitle(notice)} - ${bot}`, 200).replaceAll(/[^\x20-\x7e]/g, '?'),
          priority: notice.state === 'resolved' ? PRIORITIES.info : PRIORITIES[notice.severity],
        },
      }
  }
}

/** https://api.slack.com/reference/surfaces/formatting#escaping */
const SLACK_SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** https://docs.ntfy.sh/publish/#message-priority */
const PRIORITIES: Readonly<Record<Severity, string>> = { info: '2', warning: '4', critical: '5' }

function jsonBody(value: object): WebhookBody {
  return { body: JSON.stringify(value), headers: JSON_TYPE }
}

/** A text of at most so many characters; an ellipsis says that there was more. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
