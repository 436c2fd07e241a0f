import pino from 'pino'
import type { VirtualClock } from '../../src/bot/clock/virtual-clock.ts'
import { noticesField } from '../../src/config/notices-field.ts'
import type { Channel, DeliveryResult, OutgoingNotice } from '../../src/observe/channels/channel.ts'
import { Outbox } from '../../src/observe/channels/outbox.ts'
import { Notices } from '../../src/observe/notices.ts'

/** A channel that remembers what it was given, and answers as a test says. */
export function recordingChannel(
  answerTo: (outgoing: OutgoingNotice, count: number) => DeliveryResult | Promise<DeliveryResult> = () => ({
    type: 'delivered',
    answer: 'ok',
  }),
  severity: Channel['severity'] = 'info',
) {
  const given: OutgoingNotice[] = []
  const channel: Channel = {
    name: 'one',
    severity,
    deliver: async outgoing => {
      given.push(outgoing)
      return answerTo(outgoing, given.length)
    },
    close: async () => {},
  }
  return {
    channel,
    given,
    told: () =>
      given.map(({ notice }) => `${notice.kind}${notice.state === undefined ? '' : ` ${notice.state}`}`),
  }
}

/** Notices on virtual time; `path`: a file for those that wait. */
export function noticesWith(
  channel: Channel,
  clock: VirtualClock,
  { path = ':memory:', ...config }: { readonly path?: string } & Record<string, unknown> = {},
) {
  const lines: string[] = []
  const notices = new Notices({
    config: noticesField.parse(config),
    bot: 'test',
    channels: [channel],
    outbox: new Outbox(path),
    clock,
    log: pino({ base: null }, { write: line => lines.push(line) }),
    redact: text => text.replaceAll('planted', '[secret]'),
    random: () => 0.5,
  })
  return { notices, lines }
}
