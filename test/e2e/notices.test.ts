import { describe, expect, it } from 'vitest'
import { NOTICE_KINDS } from '../../src/observe/notices/bot-notice.ts'
import { fakeHttp } from '../observe/fake-http.ts'
import { fakeSmtp } from '../observe/fake-smtp.ts'
import { fakeTelegram } from '../observe/fake-telegram.ts'
import { kindsOf, noticedConfig, SECRETS, startNoticed } from './noticed-bot.ts'
import { SluiceProcess } from './sluice-process.ts'

describe('the notices of a bot in a process of its own', () => {
  it('are tested by a command, one of each kind to each channel', async () => {
    const telegram = await fakeTelegram()
    const hook = await fakeHttp(() => ({ status: 200 }))
    const { port, mails } = await fakeSmtp()
    const config = noticedConfig(
      `phone: { type: telegram, chat: 8, apiUrl: '${telegram.url}' }, hook: { type: webhook, url: '${hook.url}' }, mail: { type: mail, host: 127.0.0.1, port: ${port}, security: none, user: me, from: a@example.com, to: [b@example.com] }`,
    )
    const test = new SluiceProcess(['src/main.js', 'notify', 'test', '--config', config], SECRETS)
    expect(await test.exitCode).toBe(0)
    const all = Object.keys(NOTICE_KINDS)
    expect(kindsOf(hook.arrived)).toEqual(all)
    expect([telegram.answers.length, mails.length]).toEqual([all.length, all.length])
    expect(test.lines).toHaveLength(3 * all.length)
    expect(test.lines[0]).toBe('phone started: delivered, HTTP 200: sent')
    expect(test.out).not.toContain('planted-')
  })

  it('do not start without a secret that the configuration names', async () => {
    const config = noticedConfig('phone: { type: telegram, chat: 8, tokenEnv: SLUICE_NOT_SET }')
    const bot = startNoticed(config)
    expect(await bot.exitCode).toBe(2)
    expect(bot.err).toMatch(
      /bot\.yaml:\d+:\d+: The environment variable SLUICE_NOT_SET, named by notices\.channels\.phone\.tokenEnv, is not set/,
    )
  })
})
