import { request } from 'node:http'

/** What came over the wire. */
export interface RawAnswer {
  readonly status: number | undefined
  readonly type: string
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Sends bytes as they are; clients like fetch would tidy the target up. Rejects where the connection breaks. */
export function send(
  url: string,
  method: string,
  target: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>()
  const sent = request({ hostname, port, method, path: target, headers }, async response => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of response) chunks.push(chunk)
    } catch (error) {
      const arrived = Buffer.concat(chunks).toString('utf8')
      reject(Object.assign(new Error('The answer broke off.', { cause: error }), { arrived }))
      return
    }
    const text = Buffer.concat(chunks).toString('utf8')
    const type = response.headers['content-type'] ?? ''
    resolve({ status: response.statusCode, type, text, headers: response.headers })
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}
