import pino from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { OperatorRequest } from '../../src/bot/control/operator-request.ts'
import type { BotStatus } from '../../src/bot/log/bot-status.ts'
import type { OperatorOrigin } from '../../src/bot/state/command-record.ts'
import { createSystemClock } from '../../src/exchange/clock/system-clock.ts'
import { BotApi } from '../../src/observe/channels/bot-api.ts'
import { Outbox } from '../../src/observe/channels/outbox.ts'
import { Confirmations } from '../../src/observe/telegram/confirmations.ts'
import { telegramCommand } from '../../src/observe/telegram/telegram-command.ts'
import { TelegramCommands } from '../../src/observe/telegram/telegram-commands.ts'
import { fakeTelegram } from './fake-telegram.ts'

const READER = 7
const OPERATOR = 8
const STRANGER = 9
const GROUP = -100

const STATUS = {
  ...{ bot: 'test', time: '2026-01-01T00:00:00.000Z', unprotected: [], strategies: [], orders: [], held: [] },
  ...{ line: { failedCalls: 0, refusedData: 0, doubtedPrices: 0 }, equity: { USDT: '10000' } },
} as unknown as BotStatus // what the answers read

async function started(after = 0, outbox = new Outbox(':memory:')) {
  const telegram = await fakeTelegram()
  const commands: (readonly [OperatorRequest, OperatorOrigin | undefined])[] = []
  const strangers: number[] = []
  const lines: string[] = []
  const api = new BotApi(telegram.url, '123:never-print-this-token')
  const reader = new TelegramCommands({
    config: { chat: GROUP, read: [READER], operate: [OPERATOR] },
    ...{ api, outbox, after },
    clock: createSystemClock(),
    log: pino({ base: null }, { write: line => lines.push(line) }),
    redact: text => text.replaceAll('planted', '[secret]'),
    onStranger: user => strangers.push(user),
    bot: () => ({
      operate: async (request, origin) => {
        if (request.command !== 'status') commands.push([request, origin])
        return { ok: true, message: `Done: ${request.command}.`, status: STATUS }
      },
      latest: () => [{ time: 0, sentence: 'It trades.' }],
      result: () => 'No round trip was closed.',
    }),
  })
  reader.start()
  onTestFinished(async () => {
    reader.close()
    await api.close()
  })
  return { telegram, commands, strangers, lines, outbox }
}

const from = (user: number, chat: number = user) => ({ user, chat })

describe('commands by Telegram', () => {
  it.each([
    [
      '/status',
      /^test at 2026-01-01 00:00:00Z\nDone: status\.\nEquity 10,000\.00 USDT\.\nNothing is held\.$/,
    ],
    ['/positions', /^Nothing is held\.$/],
    ['/orders', /^No order works\.$/],
    ['/profit', /^No round trip was closed\.$/],
    ['/log', /^1970-01-01 00:00:00Z It trades\.$/],
    ['/help', /\/pause 30m/],
    ['/sell', /^There is no command \/sell\./],
    ['/pause soon', /^A pause needs its length first/],
  ])('answer %s to who may read', async (text, answer) => {
    const { telegram, commands } = await started()
    telegram.send(text, from(READER))
    expect(await telegram.answer()).toMatchObject({ chat_id: READER, text: expect.stringMatching(answer) })
    expect(commands).toEqual([])
  })

  it.each([
    ['/pause 30m news at noon', { command: 'pause', forMs: 1_800_000, reason: 'news at noon' }],
    ['/halt btc/usdt', { command: 'halt', symbol: 'BTC/USDT' }],
    ['/reduce@Fake_Bot E-BTC-USDT too wild', { command: 'reduce', symbol: 'E-BTC-USDT', reason: 'too wild' }],
  ])('carry out %s at once, in the name of its sender', async (text, request) => {
    const { telegram, commands } = await started()
    telegram.send(text, from(OPERATOR))
    expect(await telegram.answer()).toMatchObject({ chat_id: OPERATOR, text: `Done: ${request.command}.` })
    expect(commands).toEqual([[request, { from: 'telegram', who: 'user8 (8)' }]])
  })

  it.each(['flatten', 'kill', 'resume'])(
    'say what %s will do, and ask once for a confirmation',
    async command => {
      const { telegram, commands } = await started()
      telegram.send(`/${command}`, from(OPERATOR))
      const { text, reply_markup } = await telegram.answer()
      expect(text).toMatch(/^This .+ the whole account[\s\S]+Confirm within 60 s\.$/)
      expect(commands).toEqual([])
      const yes = reply_markup?.inline_keyboard[0][0].callback_data
      // Somebody else's finger, and that of a reader, do nothing.
      telegram.press(yes, from(READER, OPERATOR))
      telegram.press(yes, from(OPERATOR))
      expect((await telegram.answer()).text).toBe(`Done: ${command}.`)
      telegram.press(yes, from(OPERATOR))
      expect((await telegram.answer()).text).toMatch(/^That confirmation is over/)
      expect(commands.map(([request]) => request.command)).toEqual([command])
    },
  )

  it('leave what is not confirmed', async () => {
    const { telegram, commands } = await started()
    telegram.send('/kill', from(OPERATOR))
    const { reply_markup } = await telegram.answer()
    telegram.press(reply_markup?.inline_keyboard[0][1].callback_data, from(OPERATOR))
    expect((await telegram.answer()).text).toBe('Not done: kill.')
    expect(commands).toEqual([])
  })

  it('a Telegram user who is not listed: is not obeyed, also not in the group of the bot, nor the group itself', async () => {
    const { telegram, commands, strangers } = await started()
    telegram.send('/halt', from(STRANGER))
    telegram.send('/halt', from(STRANGER, GROUP))
    telegram.send('/halt', { ...from(OPERATOR, GROUP), sender_chat: { id: GROUP, type: 'supergroup' } })
    telegram.send('/status', from(OPERATOR, -555))
    telegram.send('/halt', from(READER))
    expect((await telegram.answer()).text).toBe('You may look, but not command this bot.')
    telegram.send('/status@other_bot', from(OPERATOR))
    telegram.send('/halt', from(OPERATOR, GROUP))
    expect(await telegram.answer()).toMatchObject({ chat_id: GROUP, text: 'Done: halt.' })
    expect(commands).toHaveLength(1)
    expect(strangers).toEqual([STRANGER, STRANGER])
    expect(telegram.answers).toHaveLength(2)
  })

  it('old commands: are not obeyed after a minute, nor of before a start that remembers nothing', async () => {
    const { telegram, commands } = await started()
    telegram.send('/halt', { ...from(OPERATOR), ageS: 75 })
    expect((await telegram.answer()).text).toMatch(/^That message is 7\d s old/)
    const later = await started(Date.now() + 5000)
    later.telegram.send('/halt', from(OPERATOR))
    expect((await later.telegram.answer()).text).toMatch(/is not obeyed/)
    expect([...commands, ...later.commands]).toEqual([])
  })

  it('replayed commands: are carried out once, however often they are delivered, also after a restart', async () => {
    const outbox = new Outbox(':memory:')
    const first = await started(0, outbox)
    first.telegram.send('/halt', { ...from(OPERATOR), id: 501 })
    await first.telegram.answer()
    const second = await started(0, outbox)
    second.telegram.send('/halt', { ...from(OPERATOR), id: 501 })
    second.telegram.send('/status', { ...from(OPERATOR), id: 502 })
    await second.telegram.answer()
    expect([first.commands.length, second.commands.length]).toEqual([1, 0])
  })

  it('go on after errors of the server, and never show the token', async () => {
    const { telegram, lines } = await started()
    telegram.failNext(
      { status: 500, body: 'oops' },
      { status: 429, body: { ok: false, parameters: { retry_after: 1 } } },
    )
    telegram.send('/status', from(READER))
    expect((await telegram.answer()).text).toContain('Done: status.')
    expect(lines.join('')).not.toContain('never-print-this')
    expect(JSON.stringify(telegram.answers)).not.toContain('never-print-this')
  })
})

describe('a confirmation', () => {
  it('is good for 60 s, once, for its sender in its chat', () => {
    const confirmations = new Confirmations()
    const request = { command: 'kill' } as const
    const code = confirmations.ask(request, 8, 8, 0)
    expect(confirmations.take(code, 9, 8, 1)).toBeUndefined()
    expect(confirmations.take(code, 8, 9, 1)).toBeUndefined()
    expect(confirmations.take(code, 8, 8, 59_999)).toEqual(request)
    expect(confirmations.take(code, 8, 8, 59_999)).toBeUndefined()
    expect(confirmations.take(confirmations.ask(request, 8, 8, 0), 8, 8, 60_000)).toBeUndefined()
  })
})

describe('a text', () => {
  it.each(['halt', 'say /halt', '/', '/status@other', ''])('is no command: %s', text => {
    expect(telegramCommand(text, 'mine')).toBeUndefined()
  })
})
