import { z } from 'zod'
import { isLoopbackHost } from '../exchange/http/base-url.ts'
import { oneOf, text, wholeNumber } from './fields.ts'
import { SECRET_VARIABLES } from './secret-variables.ts'
import { section } from './section.ts'
import { variableField } from './venue-fields.ts'

/** Severities of notices, the mildest first. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const

/** Weight of a notice. */
export type Severity = (typeof SEVERITIES)[number]

const URL_TEXT = 'an https:// address; http:// only of this machine'

/** An address that a bot calls. */
export const addressField = text(URL_TEXT).refine(
  given => {
    const url = URL.canParse(given) ? new URL(given) : undefined
    return (
      url?.username === '' &&
      (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname)))
    )
  },
  { error: URL_TEXT },
)

const USER_ID = 'the number of a Telegram user, such as 123456789'
const userIdField = z.number({ error: USER_ID }).int({ error: USER_ID }).positive({ error: USER_ID })

const severity = oneOf(...SEVERITIES)
  .default('info')
  .describe('The mildest notices that it is sent: info, warning or critical.')

const telegramChannel = section({
  type: z.literal('telegram').describe('Kind of the channel.'),
  severity,
  tokenEnv: variableField
    .default(SECRET_VARIABLES.telegramToken)
    .describe('Environment variable that holds the token of the Telegram bot.'),
  chat: z
    .number({ error: 'the number of a chat; groups have negative ones' })
    .int()
    .describe('Chat that it writes to: the number of a user or of a group.'),
  apiUrl: addressField
    .default('https://api.telegram.org')
    .describe('Address of the Bot API, where you run a server of your own.'),
  read: z
    .array(userIdField, { error: 'a list of user numbers' })
    .default([])
    .describe('Users who may ask for the status by Telegram commands; nobody by default.'),
  operate: z
    .array(userIdField, { error: 'a list of user numbers' })
    .default([])
    .describe('Users who may also command the bot by Telegram; nobody by default.'),
})

const webhookChannel = section({
  type: z.literal('webhook').describe('Kind of the channel.'),
  severity,
  url: addressField.optional().describe('Address that is called, where it is no secret.'),
  urlEnv: variableField
    .optional()
    .describe('Environment variable that holds the address, where knowing it is enough to post there.'),
  template: oneOf('json', 'discord', 'slack', 'ntfy', 'mattermost')
    .default('json')
    .describe('Form of the body: the notice as JSON, or as one of these services takes it.'),
  secretEnv: variableField
    .optional()
    .describe('Environment variable that holds the secret by which each body is signed (HMAC-SHA256).'),
  tokenEnv: variableField
    .optional()
    .describe('Environment variable that holds a token for the header Authorization: Bearer.'),
})

const mailChannel = section({
  type: z.literal('mail').describe('Kind of the channel.'),
  severity,
  host: text('the name of a mail server').describe('Mail server (SMTP).'),
  port: wholeNumber(1, 65_535).default(465).describe('Port of the mail server.'),
  security: oneOf('tls', 'starttls', 'none')
    .default('tls')
    .describe(
      'Encryption: from the first byte (tls), after a greeting (starttls), or none, on this machine only.',
    ),
  user: text('a user name').optional().describe('Login at the mail server; none by default.'),
  passwordEnv: variableField
    .default(SECRET_VARIABLES.mailPassword)
    .describe('Environment variable that holds the password of the login; only read with a user.'),
  from: text('a mail address').describe('Sender.'),
  to: z
    .array(text('a mail address'), { error: 'a list of mail addresses' })
    .min(1, { error: 'at least one mail address' })
    .describe('Recipients.'),
})

const channel = z
  .discriminatedUnion('type', [telegramChannel, webhookChannel, mailChannel], {
    error: ({ code }) =>
      code === 'invalid_union'
        ? 'telegram, webhook or mail'
        : 'a section with a type: telegram, webhook or mail',
  })
  .superRefine((given, context) => {
    for (const [key, message] of channelProblems(given))
      context.addIssue({ code: 'custom', path: [key], message, params: { sentence: true } })
  })

/** One channel of notices. */
export type ChannelConfig = z.output<typeof channel>

function channelProblems(given: z.output<typeof channel>): (readonly [string, string])[] {
  if (given.type === 'webhook' && (given.url === undefined) === (given.urlEnv === undefined))
    return [
      ['url', 'is one of two: give the address in url, or the name of its environment variable in urlEnv.'],
    ]
  if (given.type === 'mail' && given.security === 'none' && !isLoopbackHost(given.host))
    return [
      [
        'security',
        `is none, but ${given.host} is another machine: mails would cross the network readable to all. Give tls or starttls.`,
      ],
    ]
  return []
}

const TIME_OF_DAY = 'a time of day, such as 22:00, in quotes'
const timeOfDayField = z
  .string({ error: TIME_OF_DAY })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: TIME_OF_DAY })

const TIME_ZONE = 'the name of a time zone, such as Europe/Berlin'
const timeZoneField = text(TIME_ZONE).refine(isTimeZone, { error: TIME_ZONE })

function isTimeZone(given: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: given })
    return true
  } catch {
    return false
  }
}

const heartbeat = section({
  url: addressField.optional().describe('Address that is pinged, where it is no secret.'),
  urlEnv: variableField.optional().describe('Environment variable that holds the address.'),
  everyMs: wholeNumber(1000).default(60_000).describe('How often it is pinged, ms of real time.'),
  whenUnwell: oneOf('fail', 'silence')
    .default('fail')
    .describe('While the bot is not well: ping the address with /fail behind its path, or be silent.'),
}).superRefine((given, context) => {
  if ((given.url === undefined) === (given.urlEnv === undefined))
    context.addIssue({
      code: 'custom',
      path: ['url'],
      message: 'is one of two: give the address in url, or the name of its environment variable in urlEnv.',
      params: { sentence: true },
    })
})

/** The dead man's switch. */
export type HeartbeatConfig = z.output<typeof heartbeat>

/** Notices of a bot: where they go, when, and who may command it from there. */
export const noticesField = section({
  channels: z
    .record(z.string().regex(/^[\w-]{1,30}$/), channel, { error: 'a section of channels by a name of yours' })
    .default({})
    .describe('Where notices go, by a name of yours.'),
  timeZone: timeZoneField.default('UTC').describe('Time zone of the times below.'),
  quietHours: section({
    from: timeOfDayField.describe('Beginning.'),
    until: timeOfDayField.describe('End; before the beginning it is on the next day.'),
  })
    .optional()
    .describe('Hours in which only critical notices are sent; the others come together at their end.'),
  digestAt: timeOfDayField.optional().describe('Time of day of the daily result; none by default.'),
  repeatAfterMs: wholeNumber(1000)
    .default(600_000)
    .describe('Notices of the same matter are sent once in this time, ms; the rest are counted.'),
  queue: wholeNumber(10, 100_000)
    .default(500)
    .describe(
      'Notices that may wait for one channel; beyond that the mildest and oldest are dropped and counted.',
    ),
  heartbeat: heartbeat
    .optional()
    .describe('An address that the bot pings while it is well, so that its death is noticed.'),
}).superRefine(({ channels }, context) => {
  const commanded = Object.entries(channels).flatMap(([name, one]) =>
    one.type === 'telegram' && one.read.length + one.operate.length > 0
      ? [{ name, token: one.tokenEnv }]
      : [],
  )
  for (const [index, { name, token }] of commanded.entries())
    if (commanded.slice(0, index).some(other => other.token === token))
      context.addIssue({
        code: 'custom',
        path: ['channels', name, 'tokenEnv'],
        message: `is ${token}, by which another channel takes commands already; only one reader of a Telegram bot gets each message. Let one of the two have read and operate.`,
        params: { sentence: true },
      })
})

/** The settings of notices. */
export type NoticesConfig = z.output<typeof noticesField>
