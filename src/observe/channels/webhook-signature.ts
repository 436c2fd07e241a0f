import { createHmac } from 'node:crypto'

/**
 * Headers by which a receiver knows who sent a body and when (standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`, in base64.
 * A secret that begins with `whsec_` is base64, as that specification has it; any other is taken as it is.
 */
export function signatureHeaders(
  secret: string,
  id: string,
  /** Seconds UTC. */
  timestamp: number,
  body: string,
): Readonly<Record<string, string>> {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
}
