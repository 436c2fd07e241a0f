import type { NoticeSecrets } from '../../config/notice-secrets.ts'
import type { ChannelConfig } from '../../config/notices-field.ts'
import type { Channel } from './channel.ts'
import { deliveryOf, failureOf, HttpPost } from './http-post.ts'
import { webhookBody } from './webhook-bodies.ts'
import { signatureHeaders } from './webhook-signature.ts'

/** A server that is called with each notice; `now` is ms UTC. */
export function webhookChannel(
  name: string,
  config: Extract<ChannelConfig, { type: 'webhook' }>,
  secrets: NoticeSecrets,
  now: () => number,
): Channel {
  const http = new HttpPost()
  const url = config.url ?? secrets.valueOf(config.urlEnv)
  const secret = secrets.valueOf(config.secretEnv)
  const token = secrets.valueOf(config.tokenEnv)
  return {
    name,
    severity: config.severity,
    deliver: async outgoing => {
      const { body, headers } = webhookBody(config.template, outgoing)
      const sent = {
        ...headers,
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(secret !== '' && signatureHeaders(secret, outgoing.id, Math.floor(now() / 1000), body)),
      }
      try {
        return deliveryOf(await http.post(url, sent, body))
      } catch (error) {
        return failureOf(error)
      }
    },
    close: () => http.close(),
  }
}
