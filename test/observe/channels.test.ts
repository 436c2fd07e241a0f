import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { NoticeSecrets } from '../../src/config/notice-secrets.ts'
import { noticesField } from '../../src/config/notices-field.ts'
import { signatureHeaders } from '../../src/observe/channels/webhook-signature.ts'
import { botNotice, type GivenNotice } from '../../src/observe/notices/bot-notice.ts'
import { openChannels } from '../../src/observe/open-channels.ts'
import { fakeHttp, type Reply } from './fake-http.ts'
import { fakeSmtp } from './fake-smtp.ts'
import { selfSigned } from './self-signed.ts'

const SECRETS = new NoticeSecrets(
  new Map([
    ['TOKEN', '123:never-print-this-token'],
    ['SIGNING', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['PASSWORD', 'never-print-this-password'],
  ]),
)
const NOW = Date.UTC(2026, 0, 1)

const outgoing = (given: Partial<GivenNotice> = {}) => ({
  id: 'abc-1',
  bot: 'paper',
  notice: botNotice({ kind: 'orderRejected', sentence: 'BTC/USDT order rejected.', time: NOW, ...given }),
})

function channelOf(config: object) {
  const { channels } = noticesField.parse({ channels: { one: config } })
  const [channel] = openChannels({ channels }, SECRETS, () => NOW)
  if (channel === undefined) throw new Error('There is no channel.')
  return channel
}

const telegramAt = (apiUrl: string) => channelOf({ type: 'telegram', tokenEnv: 'TOKEN', chat: 42, apiUrl })

describe('a Telegram channel', () => {
  it('sends plain text to its chat', async () => {
    const { url, arrived } = await fakeHttp(() => ({ status: 200, body: { ok: true, result: {} } }))
    expect(await telegramAt(url).deliver(outgoing())).toEqual({ type: 'delivered', answer: 'HTTP 200: sent' })
    expect(arrived[0]?.path).toBe('/bot123:never-print-this-token/sendMessage')
    expect(JSON.parse(arrived[0]?.body ?? '')).toEqual({
      chat_id: 42,
      text: 'WARNING Order rejected · paper\nBTC/USDT order rejected.',
      link_preview_options: { is_disabled: true },
      disable_notification: false,
    })
  })

  it.each<[string, Reply, object]>([
    [
      'too many messages',
      { status: 429, body: { ok: false, description: 'Too Many Requests', parameters: { retry_after: 7 } } },
      { type: 'failed', answer: 'HTTP 429: Too Many Requests', afterMs: 7000 },
    ],
    [
      'trouble of the server',
      { status: 500, body: 'oops' },
      { type: 'failed', answer: 'HTTP 500: no answer of the Bot API' },
    ],
    [
      'a blocked bot',
      { status: 403, body: { ok: false, description: 'Forbidden: bot was blocked by the user' } },
      { type: 'refused', answer: 'HTTP 403: Forbidden: bot was blocked by the user' },
    ],
    [
      'a wrong token',
      { status: 401, body: { ok: false, description: 'Unauthorized' } },
      { type: 'failed', answer: 'HTTP 401: Unauthorized' },
    ],
    ['a lost answer', 'drop', { type: 'failed', answer: 'No answer: UND_ERR_SOCKET.' }],
  ])('tells %s apart', async (_what, reply, result) => {
    const { url } = await fakeHttp(() => reply)
    expect(await telegramAt(url).deliver(outgoing())).toEqual(result)
  })

  it('gives a call that is not answered up after ten seconds', async () => {
    const real = AbortSignal.timeout
    const asked: number[] = []
    const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => {
      asked.push(ms)
      return real(ms / 100)
    })
    onTestFinished(() => spy.mockRestore())
    const { url } = await fakeHttp(() => 'hang')
    expect(await telegramAt(url).deliver(outgoing())).toEqual({
      type: 'failed',
      answer: 'No answer in time.',
    })
    expect(asked).toEqual([10_000])
  })

  it('ends a call to a server that never answers when it is closed', async () => {
    const { url, arrived } = await fakeHttp(() => 'hang')
    const channel = telegramAt(url)
    const delivery = channel.deliver(outgoing())
    await expect.poll(() => arrived.length).toBe(1)
    await channel.close()
    expect((await delivery).type).toBe('failed')
  })
})

describe('a webhook', () => {
  it('signs as the published example of Standard Webhooks does', () => {
    // The vector of github.com/standard-webhooks/standard-webhooks, whose secret and id these are.
    expect(
      signatureHeaders(
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        'msg_p5jXN8AQM9LWM0D4loKWxJek',
        1_614_265_330,
        '{"test": 2432232314}',
      )['webhook-signature'],
    ).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  it('sends the notice as JSON, signed', async () => {
    const { url, arrived } = await fakeHttp(() => ({ status: 204 }))
    await channelOf({ type: 'webhook', url: `${url}/in`, secretEnv: 'SIGNING', tokenEnv: 'TOKEN' }).deliver(
      outgoing({ symbol: 'BTC/USDT', figures: { clientOrderId: 'x' } }),
    )
    const { headers, body, path } = arrived[0] ?? { headers: {}, body: '', path: '' }
    expect(path).toBe('/in')
    expect(JSON.parse(body)).toEqual({
      ...{ id: 'abc-1', bot: 'paper', title: 'Order rejected', kind: 'orderRejected', severity: 'warning' },
      ...{ key: 'orderRejected', sentence: 'BTC/USDT order rejected.', symbol: 'BTC/USDT', time: NOW },
      figures: { clientOrderId: 'x' },
    })
    expect(headers).toMatchObject({
      ...signatureHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'abc-1', NOW / 1000, body),
      authorization: 'Bearer 123:never-print-this-token',
      'content-type': 'application/json',
    })
  })

  it.each([
    [
      'discord',
      { content: 'WARNING Order rejected · paper\n<!channel> & @all', allowed_mentions: { parse: [] } },
    ],
    ['slack', { text: 'WARNING Order rejected · paper\n&lt;!channel&gt; &amp; @all' }],
    ['mattermost', { text: 'WARNING Order rejected · paper\n<!channel> & @\u200ball' }],
  ])('writes as %s takes it, and calls nobody by name', async (template, body) => {
    const { url, arrived } = await fakeHttp(() => ({ status: 200, body: 'ok' }))
    await channelOf({ type: 'webhook', url, template }).deliver(outgoing({ sentence: '<!channel> & @all' }))
    expect(JSON.parse(arrived[0]?.body ?? '')).toEqual(body)
  })

  it('writes as ntfy takes it', async () => {
    const { url, arrived } = await fakeHttp(() => ({ status: 200 }))
    await channelOf({ type: 'webhook', url: `${url}/topic`, template: 'ntfy' }).deliver(outgoing())
    expect(arrived[0]).toMatchObject({
      body: 'BTC/USDT order rejected.',
      headers: { title: 'Order rejected - paper', priority: '4' },
    })
  })

  it('follows no redirect, and waits as long as it is asked to', async () => {
    const { url } = await fakeHttp((_request, count) =>
      count === 1
        ? { status: 302, headers: { location: 'http://127.0.0.1:9/' } }
        : { status: 503, headers: { 'retry-after': '120' }, body: 'later' },
    )
    const channel = channelOf({ type: 'webhook', url })
    expect(await channel.deliver(outgoing())).toEqual({ type: 'refused', answer: 'HTTP 302: {}' })
    expect(await channel.deliver(outgoing())).toEqual({
      type: 'failed',
      answer: 'HTTP 503: later',
      afterMs: 120_000,
    })
  })
})

describe('a mail channel', () => {
  const mailAt = (port: number, more: object = {}) =>
    channelOf({
      ...{ type: 'mail', host: '127.0.0.1', port, security: 'none' },
      ...{ from: 'bot@example.com', to: ['you@example.com'], ...more },
    })

  it('sends a plain mail with a login, the same message each time', async () => {
    const { port, mails, logins } = await fakeSmtp()
    const channel = mailAt(port, { user: 'bot', passwordEnv: 'PASSWORD' })
    expect(await channel.deliver(outgoing())).toEqual({ type: 'delivered', answer: '250 2.0.0 queued' })
    expect(logins).toEqual(['\0bot\0never-print-this-password'])
    expect(mails[0]).toContain('Subject: [WARNING] paper: Order rejected')
    expect(mails[0]).toContain('Message-ID: <abc-1@sluice.invalid>')
    expect(mails[0]).toContain('BTC/USDT order rejected.')
    await channel.close()
  })

  it.each(['tls', 'starttls'] as const)(
    'sends over %s, and shows its password to no server that cannot prove its name',
    async security => {
      const own = selfSigned()
      const { port, mails, logins, encrypted } = await fakeSmtp(undefined, { ...own, security })
      const login = { host: 'localhost', security, user: 'bot', passwordEnv: 'PASSWORD' }
      const { type, answer } = await mailAt(port, login).deliver(outgoing())
      expect([type, answer]).toEqual(['failed', expect.stringMatching(/self-signed certificate/)])
      expect([mails, logins]).toEqual([[], []])
      const trusted = getCACertificates('default')
      setDefaultCACertificates([...trusted, own.cert])
      onTestFinished(() => setDefaultCACertificates(trusted))
      expect((await mailAt(port, login).deliver(outgoing())).type).toBe('delivered')
      expect([encrypted, logins]).toEqual([[true], ['\0bot\0never-print-this-password']])
      expect(mails[0]).toContain('BTC/USDT order rejected.')
    },
  )

  it('sends nothing to a server that offers no encryption where starttls is asked for', async () => {
    const { port, mails, logins } = await fakeSmtp()
    const login = { security: 'starttls', user: 'bot', passwordEnv: 'PASSWORD' }
    expect((await mailAt(port, login).deliver(outgoing())).type).toBe('failed')
    expect([mails, logins]).toEqual([[], []])
  })

  it.each([
    ['451 4.3.0 try again later', 'failed'],
    ['554 5.7.1 refused as spam', 'refused'],
    ['drop', 'failed'],
  ])('tells the answer %s apart', async (reply, type) => {
    const { port } = await fakeSmtp(() => reply)
    expect((await mailAt(port).deliver(outgoing())).type).toBe(type)
  })
})

describe('secrets', () => {
  it('are redacted in every form', () => {
    const said = SECRETS.redact(
      `a 123:never-print-this-token b ${encodeURIComponent('123:never-print-this-token')} c ${Buffer.from('never-print-this-password').toString('base64')}`,
    )
    expect(said).toBe('a [secret] b [secret] c [secret]')
    expect(JSON.stringify(SECRETS)).toBe('{}')
  })
})
