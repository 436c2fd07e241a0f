import { createTransport } from 'nodemailer'
import type { NoticeSecrets } from '../../config/notice-secrets.ts'
import type { ChannelConfig } from '../../config/notices-field.ts'
import { noticeText, noticeTitle } from '../notices/bot-notice.ts'
import type { Channel, DeliveryResult, OutgoingNotice } from './channel.ts'

/** Longest silence of a mail server, ms. */
const PATIENCE_MS = 10_000
/** Longest time for one mail, ms: a server that answers a byte now and then is not waited for. */
const LONGEST_MS = 30_000

/** Mails over SMTP, plain text, one for each notice. */
export function mailChannel(
  name: string,
  { severity, host, port, security, user, passwordEnv, from, to }: Extract<ChannelConfig, { type: 'mail' }>,
  secrets: NoticeSecrets,
): Channel {
  const transport = createTransport({
    ...{ host, port },
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== undefined && { auth: { user, pass: secrets.valueOf(passwordEnv) } }),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    // The text of a notice names no file and no address to load.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    name,
    severity,
    deliver: async outgoing => {
      const mail = transport.sendMail({ ...{ from, to: [...to] }, ...contentOf(outgoing) })
      try {
        const { response } = await inTime(mail)
        return { type: 'delivered', answer: response }
      } catch (error) {
        return mailFailure(error)
      }
    },
    close: async () => transport.close(),
  }
}

function contentOf({ id, bot, notice }: OutgoingNotice) {
  const level = notice.severity === 'info' ? '' : `[${notice.severity.toUpperCase()}] `
  return {
    subject: `${level}${bot}: ${noticeTitle(notice)}`,
    text: `${noticeText(bot, notice)}\n`,
    // A mail that is sent again is the same mail.
    messageId: `<${id}@sluice.invalid>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

function inTime<Answer>(work: Promise<Answer>): Promise<Answer> {
  work.catch(() => {}) // it may end after its time
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('No answer in time')), LONGEST_MS).unref()
  })
  return Promise.race([work, late])
}

/** Codes of nodemailer for a mail that the server refuses, not the connection. */
const MAIL_CODES = new Set(['EENVELOPE', 'EMESSAGE'])

/** A 5xx of SMTP to a mail is for ever; one to a login, a greeting or STARTTLS is mended by a person. */
function mailFailure(error: unknown): DeliveryResult {
  const { message, responseCode, code } = error as Partial<Error & { responseCode: number; code: string }>
  const answer = `${code ?? 'Error'}: ${message}`
  const isRefused = responseCode !== undefined && responseCode >= 500 && MAIL_CODES.has(code ?? '')
  return { type: isRefused ? 'refused' : 'failed', answer }
}
