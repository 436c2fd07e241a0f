import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { SelfSigned } from './self-signed.ts'

/** Encryption of a fake mail server: from the first byte, or after STARTTLS. */
interface FakeTls extends SelfSigned {
  readonly security: 'tls' | 'starttls'
}

/** A mail server (RFC 5321) on loopback that takes mails, or answers to their content as a test says; `drop`: it hangs up. */
export async function fakeSmtp(
  replyTo: (mail: string, count: number) => string = () => '250 2.0.0 queued',
  encryption?: FakeTls,
) {
  const mails: string[] = []
  const logins: string[] = []
  /** True of each mail that came over TLS. */
  const encrypted: boolean[] = []
  const serve = (socket: Socket, isGreeted = false) => {
    let isContent = false
    let buffer = ''
    socket.setEncoding('latin1')
    socket.on('error', () => {})
    const say = (line: string) => socket.write(`${line}\r\n`)
    const offersTls = encryption?.security === 'starttls' && !isGreeted
    if (!isGreeted) say('220 fake.invalid ESMTP')
    socket.on('data', chunk => {
      buffer += chunk
      for (;;) {
        const end = isContent ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n')
        if (end < 0) return
        const part = buffer.slice(0, end)
        buffer = buffer.slice(end + (isContent ? 5 : 2))
        if (isContent) {
          isContent = false
          mails.push(part)
          encrypted.push(socket instanceof TLSSocket)
          const reply = replyTo(part, mails.length)
          if (reply === 'drop') socket.destroy()
          else say(reply)
        } else if (/^EHLO/i.test(part))
          say(`250-fake.invalid\r\n${offersTls ? '250-STARTTLS\r\n' : ''}250-AUTH PLAIN\r\n250 8BITMIME`)
        else if (/^STARTTLS/i.test(part) && offersTls) {
          socket.removeAllListeners('data')
          say('220 2.0.0 go on')
          serve(
            new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(encryption) }),
            true,
          )
          return
        } else if (/^STARTTLS/i.test(part)) say('502 5.5.1 not implemented')
        else if (/^AUTH PLAIN /i.test(part)) {
          logins.push(Buffer.from(part.slice(11), 'base64').toString())
          say('235 2.7.0 accepted')
        } else if (/^DATA/i.test(part)) {
          isContent = true
          say('354 go on')
        } else if (/^QUIT/i.test(part)) {
          say('221 bye')
          socket.end()
        } else say('250 2.1.0 ok')
      }
    })
  }
  const server =
    encryption?.security === 'tls'
      ? createTlsServer(encryption, socket => serve(socket))
      : createServer(socket => serve(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, mails, logins, encrypted }
}
