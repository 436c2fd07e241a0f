import { z } from 'zod'
import { isLoopbackHost } from '../exchange/http/base-url.ts'
import { flag, text, wholeNumber } from './fields.ts'
import { section } from './section.ts'

const HASH = 'the hash of a password, as "npm run -s bot -- password" prints it'

/** `scrypt:N:r:p:SALT:KEY`, the last two in base64url. */
const passwordHashField = z
  .string({ error: HASH })
  .regex(/^scrypt:\d{4,7}:\d{1,2}:\d{1,2}:[\w-]{22,}:[\w-]{43}$/, { error: HASH })

const ORIGIN = 'an origin without a path, such as https://bot.example.com'

const originField = z
  .string({ error: ORIGIN })
  .refine(given => URL.canParse(given) && new URL(given).origin === given, { error: ORIGIN })

/** The window of a bot: where its page is served, and who may open it. */
export const webField = section({
  host: text('an address of this machine, such as 127.0.0.1').default('127.0.0.1'),
  port: wholeNumber(0, 65_535).default(0),
  passwords: section({ operate: passwordHashField.optional(), read: passwordHashField.optional() }).prefault(
    {},
  ),
  tls: section({ cert: text('the path of a PEM file'), key: text('the path of a PEM file') }).optional(),
  behindProxy: flag().default(false),
  origin: originField.optional(),
  study: text('the path of a study file, or none').optional(),
}).superRefine((web, context) => {
  for (const [key, message] of problemsOf(web))
    context.addIssue({ code: 'custom', path: [key], message, params: { sentence: true } })
})

/** The settings of a bot's window. */
export type WebConfig = z.output<typeof webField>

interface GivenWeb {
  readonly host: string
  readonly passwords: { readonly operate?: string | undefined; readonly read?: string | undefined }
  readonly tls?: object | undefined
  readonly behindProxy: boolean
  readonly origin?: string | undefined
}

/** Keys with what is wrong with them: others may only reach a window with password, encryption and a known origin. */
function problemsOf({ host, passwords, tls, behindProxy, origin }: GivenWeb): (readonly [string, string])[] {
  const isRemote = host !== '::1' && !isLoopbackHost(host)
  if (!isRemote && !behindProxy) return []
  const reach = isRemote ? `can be reached from other machines at ${host}` : 'is reached through a proxy'
  const hasPassword = passwords.operate !== undefined || passwords.read !== undefined
  return [
    ...(hasPassword
      ? []
      : [
          [
            'passwords',
            `is missing: the window ${reach}; give passwords: { operate: HASH } with a hash that "npm run -s bot -- password" prints.`,
          ] as const,
        ]),
    ...(tls !== undefined || behindProxy
      ? []
      : [
          [
            'tls',
            `is missing: the window ${reach}, so that its passwords and commands must be encrypted; give tls: { cert: FILE, key: FILE }, or behindProxy: true where a proxy with TLS stands before it.`,
          ] as const,
        ]),
    ...(origin !== undefined
      ? []
      : [
          [
            'origin',
            `is missing: the window ${reach}; give the address that browsers open, such as https://bot.example.com.`,
          ] as const,
        ]),
  ]
}
