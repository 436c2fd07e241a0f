import { type AddressInfo, createServer } from 'node:net'
import { onTestFinished } from 'vitest'

/** A mail server (RFC 5321) on loopback that takes mails, or answers to their content as a test says; `drop`: it hangs up. */
export async function fakeSmtp(replyTo: (mail: string, count: number) => string = () => '250 2.0.0 queued') {
  const mails: string[] = []
  const logins: string[] = []
  const server = createServer(socket => {
    let isContent = false
    let buffer = ''
    socket.setEncoding('latin1')
    socket.on('error', () => {})
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 fake.invalid ESMTP')
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
          const reply = replyTo(part, mails.length)
          if (reply === 'drop') socket.destroy()
          else say(reply)
        } else if (/^EHLO/i.test(part)) say('250-fake.invalid\r\n250-AUTH PLAIN\r\n250 8BITMIME')
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
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, mails, logins }
}
