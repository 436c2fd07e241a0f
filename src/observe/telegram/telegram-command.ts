import type { OperatorRequest } from '../../bot/control/operator-request.ts'

/** A command of a Telegram user. */
export type TelegramCommand =
  | { readonly type: 'read'; readonly view: TelegramView }
  | { readonly type: 'operate'; readonly request: OperatorRequest }
  /** It cannot be carried out; `problem` is a sentence for its sender. */
  | { readonly type: 'wrong'; readonly problem: string }

const VIEWS = ['status', 'positions', 'orders', 'profit', 'log', 'help'] as const

/** Something to be shown. */
export type TelegramView = (typeof VIEWS)[number]

const OPERATIONS = ['pause', 'resume', 'reduce', 'flatten', 'halt', 'kill'] as const

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * A message as a command: `/pause 30m BTC/USDT news at noon`; `undefined` for any other text, and for a command to another bot
 * (`/status@other`). A symbol comes before the reason.
 */
export function telegramCommand(text: string, username: string | undefined): TelegramCommand | undefined {
  const [, name = '', addressee, rest = ''] =
    /^\/([a-z]+)(?:@(\w+))?(?:\s+([\s\S]*))?$/i.exec(text.trim()) ?? []
  if (name === '' || (addressee !== undefined && addressee.toLowerCase() !== username?.toLowerCase()))
    return undefined
  const command = name.toLowerCase() === 'start' ? 'help' : name.toLowerCase()
  const view = VIEWS.find(one => one === command)
  if (view !== undefined) return { type: 'read', view }
  const operation = OPERATIONS.find(one => one === command)
  if (operation === undefined)
    return { type: 'wrong', problem: `There is no command /${command}. /help lists those that there are.` }
  return operationOf(
    operation,
    rest.split(/\s+/).filter(word => word !== ''),
  )
}

function operationOf(command: (typeof OPERATIONS)[number], given: readonly string[]): TelegramCommand {
  const words = [...given]
  const [, count, unit = ''] = (command === 'pause' ? /^(\d{1,6})([smhd])$/.exec(words[0] ?? '') : null) ?? []
  if (command === 'pause' && count === undefined)
    return { type: 'wrong', problem: 'A pause needs its length first, such as /pause 30m.' }
  if (command === 'pause') words.shift()
  const symbol = isSymbol(words[0]) ? words.shift()?.toUpperCase() : undefined
  const reason = words.join(' ').slice(0, 500)
  return {
    type: 'operate',
    request: {
      command,
      ...(symbol !== undefined && { symbol }),
      ...(count !== undefined && { forMs: Number(count) * (UNIT_MS[unit] ?? 0) }),
      ...(reason !== '' && { reason }),
    },
  }
}

/** `BTC/USDT`, `E-BTC-USDT`: no word of a reason looks like it. */
function isSymbol(word: string | undefined): boolean {
  return word !== undefined && /^(\w+\/\w+|E-\w+-\w+)$/i.test(word)
}
