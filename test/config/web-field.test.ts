import { describe, expect, it } from 'vitest'
import { webField } from '../../src/config/web-field.ts'

const HASH = `scrypt:65536:8:1:${'a'.repeat(22)}:${'b'.repeat(43)}`
const ORIGIN = 'https://bot.example.com'
const TLS = { cert: 'cert.pem', key: 'key.pem' }

const problemsOf = (given: object) => {
  const parsed = webField.safeParse(given)
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

describe('the settings of a window', () => {
  it('listen on this machine alone by default', () => {
    expect(webField.parse({})).toEqual({ host: '127.0.0.1', port: 0, passwords: {}, behindProxy: false })
  })

  it.each(['127.0.0.1', 'localhost', '::1', '127.8.8.8'])('need nothing else for %s', host => {
    expect(problemsOf({ host })).toEqual([])
  })

  it.each(['0.0.0.0', '192.168.1.5', '::', 'bot.example.com', '127.0.0.1.evil.example'])(
    'need password, encryption and origin for %s',
    host => {
      expect(problemsOf({ host }).map(text => text.split(':')[0])).toEqual(['passwords', 'tls', 'origin'])
      expect(problemsOf({ host, passwords: { read: HASH }, tls: TLS, origin: ORIGIN })).toEqual([])
      expect(problemsOf({ host, passwords: { operate: HASH }, behindProxy: true, origin: ORIGIN })).toEqual(
        [],
      )
    },
  )

  it('need password and origin behind a proxy, which others can reach', () => {
    expect(problemsOf({ behindProxy: true }).map(text => text.split(':')[0])).toEqual(['passwords', 'origin'])
  })

  it.each([
    [{ passwords: { operate: 'hunter2' } }, 'the hash of a password'],
    [{ origin: 'https://bot.example.com/path' }, 'an origin without a path'],
    [{ origin: 'bot.example.com' }, 'an origin without a path'],
    [{ port: 70_000 }, 'a whole number from 0 to 65535'],
  ])('refuse %j', (given, text) => {
    expect(problemsOf(given)).toEqual([expect.stringContaining(text)])
  })
})
